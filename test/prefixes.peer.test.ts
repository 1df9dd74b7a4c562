import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type DescribedNode, describeNode } from './described-node.ts';
import { exactConfiguration } from './exact-configuration.ts';
import { filePhases, hostPhases } from './file-phases.ts';
import { type InstalledPrograms, installPrograms } from './installed-programs.ts';
import { caseFolder, type NodeEntries, onSandboxNode } from './sandbox-node.ts';

/** One tool does the first phases of init, the other one the rest, up to the start of the kubelet. */

type Tool = 'kubeadm' | 'ours';

let programs: InstalledPrograms;
let whole: DescribedNode;

beforeAll(async () => {
  programs = await installPrograms();
  whole = described([['kubeadm', filePhases]]).node;
});
afterAll(() => programs?.remove());

const configuration = exactConfiguration({ cluster: { clusterName: 'shared' } });

function stepOf(tool: Tool, phases: readonly string[]): readonly string[] {
  const skipped = [...filePhases.filter((phase) => !phases.includes(phase)), ...hostPhases];
  return [programs[tool], 'init', '--skip-phases', skipped.join(), '--config', `${caseFolder}/config.yaml`];
}

function described(parts: readonly (readonly [Tool, readonly string[]])[]) {
  const now = new Date();
  const { entries } = onSandboxNode({
    ...configuration,
    steps: parts.map(([tool, phases]) => stepOf(tool, phases)),
  });
  return { entries, node: describeNode(entries.at(-1) ?? new Map(), now) };
}

const texts = (entries: NodeEntries | undefined): Readonly<Record<string, string | undefined>> =>
  Object.fromEntries([...(entries ?? [])].flatMap(([path, { text }]) => (text === undefined ? [] : [[path, text]])));

const lengths = filePhases.map((_, index) => index).slice(1);
const sample = [1, 6, 9, 13, 17];
const chosen = process.env.GROUNDPLANE_TEST_FULL === '1' ? lengths : sample;

describe.each(
  chosen.flatMap((length) => [
    { first: 'ours' as Tool, second: 'kubeadm' as Tool, length },
    { first: 'kubeadm' as Tool, second: 'ours' as Tool, length },
  ]),
)('the first $length phases by $first, the rest by $second', ({ first, second, length }) => {
  test('make the same node, and nothing of the first is touched', () => {
    const parts = [
      [first, filePhases.slice(0, length)],
      [second, filePhases.slice(length)],
    ] as const;
    const { entries, node } = described(parts);
    const before = texts(entries[0]);
    expect(Object.keys(before).length).toBeGreaterThanOrEqual(1);
    expect(texts(entries.at(-1))).toMatchObject(before);
    expect(node).toEqual(whole);
  });
});

test('the node that is compared with has everything', () => {
  expect(Object.keys(whole.certificates).length).toBeGreaterThanOrEqual(10);
  expect(Object.keys(whole.kubeconfigs)).toHaveLength(5);
  expect(Object.keys(whole.texts).filter((path) => path.includes('/manifests/'))).toHaveLength(4);
});
