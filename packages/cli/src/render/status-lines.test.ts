import { describe, expect, test } from 'vitest';
import { type ShownStatus, statusLines } from './status-lines.ts';

const artifact = { artifact: 'a', description: 'a', kind: 'file', state: 'present' } as const;
const phase = { summary: '', artifacts: [], findings: [] };
const status: ShownStatus = {
  node: 'node-a',
  role: 'control-plane',
  state: 'incomplete',
  configuration: 'cluster',
  workflow: 'init',
  next: 'init',
  phases: [
    {
      ...phase,
      phase: 'certs/ca',
      state: 'done',
      artifacts: [
        { ...artifact, location: '/pki/ca.crt', origin: 'ours' },
        { ...artifact, location: '/pki/ca.key', origin: 'others' },
        {
          ...artifact,
          location: '/pki/sa.key',
          origin: 'changed',
          entry: {
            time: '2026-01-01T00:00:00.000Z',
            actor: 'x',
            user: { uid: 0, name: 'root' },
            workflow: 'init',
            phase: 'certs/sa',
            action: 'created',
          },
        },
        { ...artifact, location: '/pki/x', origin: 'unknown' },
      ],
    },
    { ...phase, phase: 'upload-certs', state: 'inapplicable', reason: 'it is not asked for' },
    {
      ...phase,
      phase: 'etcd/local',
      state: 'missing',
      reason: '/m/etcd.yaml is missing',
      command: 'init phase etcd local',
    },
    {
      ...phase,
      phase: 'certs/sa',
      state: 'missing',
      reason: '/pki/sa.key is missing',
      advice: 'its phase makes it, with the configuration that it was begun with: --config FILE',
    },
    { ...phase, phase: 'addon/coredns', state: 'unknown', reason: 'no answer', command: 'init phase addon coredns' },
  ],
  components: [{ component: 'kubelet', state: 'stopped', reason: 'its unit is not active' }],
  leftovers: [],
  journal: { state: 'read', path: '/j', entries: 1 },
  warnings: [],
};

describe('statusLines()', () => {
  test('tells what a node is, what is missing and which command makes it, who made what, and what runs', () => {
    expect(statusLines(status, 'groundplane')).toEqual([
      'node-a: control-plane node, incomplete, judged by the configuration that the cluster keeps',
      '',
      'Phases:',
      '  certs/ca       done',
      '  etcd/local     missing: /m/etcd.yaml is missing',
      '                   groundplane init phase etcd local',
      '  certs/sa       missing: /pki/sa.key is missing',
      '                   its phase makes it, with the configuration that it was begun with: --config FILE',
      '  addon/coredns  unknown: no answer',
      '',
      'Made by somebody else:',
      '  /pki/ca.key',
      '  /pki/sa.key: changed since 2026-01-01T00:00:00.000Z by root',
      '  Of 1 files it is not known who made them: the journal does not go so far back',
      '',
      'Components:',
      '  kubelet  stopped: its unit is not active',
      '',
      'Journal:',
      '  /j, 1 entry',
      '',
      'Next:',
      '  init goes on, with the configuration that it was begun with: --config FILE',
    ]);
  });

  test.each<[string, Partial<ShownStatus>, string, string]>([
    [
      'no node',
      { role: 'none', state: 'none' },
      'node-a: no node of a cluster',
      '  kubeadm init makes a control plane of it, kubeadm join a worker of a cluster',
    ],
    [
      'a half-made worker',
      { role: 'worker', configuration: 'node', next: 'join' },
      'node-a: worker, incomplete, judged by what is on the node',
      '  join goes on, with the arguments that it was begun with',
    ],
    [
      'a node that was judged by a file',
      { configuration: 'file', nextCommand: 'init --config /c.yaml' },
      'node-a: control-plane node, incomplete, judged by the given configuration',
      '  kubeadm init --config /c.yaml goes on',
    ],
  ])('says what to do with %s', (_, change, first, last) => {
    const { configuration: __, ...rest } = status;
    const lines = statusLines({ ...rest, phases: [], components: [], ...change }, 'kubeadm');
    expect([lines[0], lines.at(-1)]).toEqual([first, last]);
  });

  test.each<[string, ShownStatus['journal'], string]>([
    ['damaged', { state: 'read', path: '/j', entries: 2, damagedLines: 1 }, '  /j, 2 entries, 1 damaged'],
    ['absent', { state: 'absent', path: '/j' }, '  there is none at /j'],
    ['unreadable', { state: 'unreadable', path: '/j', reason: 'no permission' }, '  no permission'],
    ['disabled', { state: 'disabled' }, '  none is kept'],
  ])('says what is with a journal that is %s', (_, journal, line) => {
    expect(statusLines({ ...status, journal }, 'groundplane')).toContain(line);
  });
});
