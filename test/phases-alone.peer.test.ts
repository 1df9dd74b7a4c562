import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { describeNode } from './described-node.ts';
import { exactConfigurations } from './exact-configurations.ts';
import { hostPhases, filePhases as phases } from './file-phases.ts';
import { type InstalledPrograms, installPrograms } from './installed-programs.ts';
import { caseFolder, type NodeEntries, onSandboxNode, type SandboxResult } from './sandbox-node.ts';

let programs: InstalledPrograms;
beforeAll(async () => {
  programs = await installPrograms();
});
afterAll(() => programs?.remove());

const config = ['--config', `${caseFolder}/config.yaml`];

function made(name: string, order: 'phases first' | 'init first'): { result: SandboxResult; now: Date } {
  const configuration = exactConfigurations[name];
  if (configuration === undefined) throw new Error(`there is no configuration '${name}'`);
  const alone = phases.map((phase) => [programs.ours, 'init', 'phase', ...phase.split('/'), ...config]);
  const whole = [programs.ours, 'init', '--skip-phases', hostPhases.join(), ...config];
  const now = new Date();
  const result = onSandboxNode({
    ...configuration,
    steps: order === 'phases first' ? [...alone, whole] : [whole, ...alone],
  });
  return { result, now };
}

const entriesAfter = ({ entries }: SandboxResult, step: number): NodeEntries => entries.at(step) ?? new Map();

const names = [
  'RSA-2048, which is the default',
  'external etcd with TLS',
  'two families, IPv6 first',
  'another certificates folder',
  'strategic patches of all pods',
];
const sample = process.env.GROUNDPLANE_TEST_FULL === '1' ? names : names.slice(0, 2);

describe.each(sample)('%s', (name) => {
  let phasesFirst: { result: SandboxResult; now: Date };
  let initFirst: { result: SandboxResult; now: Date };
  beforeAll(() => {
    phasesFirst = made(name, 'phases first');
    initFirst = made(name, 'init first');
  });

  test('phase by phase and in one run the same is made', () => {
    const alone = describeNode(entriesAfter(phasesFirst.result, phases.length - 1), phasesFirst.now);
    const whole = describeNode(entriesAfter(initFirst.result, 0), initFirst.now);
    expect(Object.keys(whole.certificates).length).toBeGreaterThanOrEqual(5);
    expect(Object.keys(whole.kubeconfigs)).toHaveLength(5);
    expect(Object.keys(whole.texts).filter((path) => path.includes('/manifests/')).length).toBeGreaterThanOrEqual(3);
    expect(alone).toEqual(whole);
  });

  test('init keeps what the phases made', () => {
    const before = entriesAfter(phasesFirst.result, phases.length - 1);
    expect(before.size).toBeGreaterThan(15);
    expect(entriesAfter(phasesFirst.result, -1)).toEqual(before);
  });

  test('the phases keep what init made', () => {
    const before = entriesAfter(initFirst.result, 0);
    expect(before.size).toBeGreaterThan(15);
    expect(entriesAfter(initFirst.result, -1)).toEqual(before);
  });
});
