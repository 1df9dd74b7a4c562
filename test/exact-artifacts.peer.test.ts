import { afterAll, beforeAll, expect, test } from 'vitest';
import { type DescribedNode, describeNode } from './described-node.ts';
import type { ExactConfiguration } from './exact-configuration.ts';
import { exactConfigurations } from './exact-configurations.ts';
import { type InstalledPrograms, installPrograms } from './installed-programs.ts';
import { onSandboxNode } from './sandbox-node.ts';

let programs: InstalledPrograms;
beforeAll(async () => {
  programs = await installPrograms();
});
afterAll(() => programs?.remove());

function madeBy(program: 'kubeadm' | 'ours', { steps, prepare = [], ...node }: ExactConfiguration): DescribedNode {
  const now = new Date();
  const { entries } = onSandboxNode({
    ...node,
    steps: steps.map((words) => [programs[program], ...words]),
    // What was there before is the same for both.
    prepare: prepare.map((line) => line.replaceAll('TOOL', programs.kubeadm)),
  });
  const last = entries.at(-1);
  if (last === undefined) throw new Error('no step was run');
  return describeNode(last, now);
}

test.each(Object.entries(exactConfigurations))('%s', (_, configuration) => {
  const theirs = madeBy('kubeadm', configuration);
  const ours = madeBy('ours', configuration);
  expect(Object.keys(theirs.stats).length).toBeGreaterThan(4);
  expect(ours).toEqual(theirs);
});
