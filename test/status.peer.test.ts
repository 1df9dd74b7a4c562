import { chmodSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type InstalledPrograms, installPrograms } from './installed-programs.ts';
import { caseFolder, onSandboxNode, type SandboxNode } from './sandbox-node.ts';

// How far a node is by `groundplane status`, on nodes that both tools have made as far as files go.

let programs: InstalledPrograms;
beforeAll(async () => {
  programs = await installPrograms();
  // Ordinary users call it as well.
  for (let folder = dirname(programs.ours); folder !== tmpdir() && folder !== '/'; folder = dirname(folder))
    chmodSync(folder, 0o755);
});
afterAll(() => programs?.remove());

interface Status {
  readonly role: string;
  readonly state: string;
  readonly configuration?: string;
  readonly next?: string;
  readonly journal: { readonly state: string; readonly entries?: number };
  readonly phases: readonly {
    readonly phase: string;
    readonly state: string;
    readonly reason?: string;
    readonly command?: string;
    readonly artifacts: readonly { readonly location: string; readonly origin?: string; readonly state: string }[];
  }[];
}

const config = `${caseFolder}/config.yaml`;
/** Other than the defaults, so that who guesses is found out. */
const documents = `apiVersion: kubeadm.k8s.io/v1beta4
kind: ClusterConfiguration
kubernetesVersion: v1.37.2
clusterName: other
networking: {serviceSubnet: 10.200.0.0/16, podSubnet: 10.100.0.0/16, dnsDomain: example.org}
---
apiVersion: kubeadm.k8s.io/v1beta4
kind: InitConfiguration
localAPIEndpoint: {advertiseAddress: 192.0.2.10, bindPort: 7443}
nodeRegistration: {name: node-b, criSocket: unix:///run/containerd/containerd.sock}
`;

type Tool = 'kubeadm' | 'ours';
type Step = readonly [Tool | 'sh', ...string[]];

/** What status says at the end, after these steps. */
function statusAfter(
  steps: readonly Step[],
  node: Partial<SandboxNode> = {},
  last: Step = ['ours', 'status', '-o', 'json'],
): Status {
  const lines = [...steps, last].map(([tool, ...words]) => [tool === 'sh' ? '/bin/sh' : programs[tool], ...words]);
  const { outputs } = onSandboxNode({ files: { 'config.yaml': documents }, ...node, steps: lines });
  return JSON.parse(outputs.at(-1) ?? '') as Status;
}

const made = (tool: Tool, ...groups: readonly string[]): readonly Step[] =>
  groups.map((group) => [tool, 'init', 'phase', ...group.split(' '), '--config', config]);
const files = ['certs all', 'kubeconfig all', 'etcd local', 'control-plane all'];
const statesOf = ({ phases }: Status, pattern: RegExp) => [
  ...new Set(phases.filter(({ phase }) => pattern.test(phase)).map(({ state }) => state)),
];
const originsOf = ({ phases }: Status) => [
  ...new Set(phases.flatMap(({ artifacts }) => artifacts).flatMap(({ origin }) => origin ?? [])),
];

/** Something of ours that leaves a journal, and no file that counts. */
const noted: readonly Step[] = [
  ['ours', 'init', 'phase', 'certs', 'ca', '--kubernetes-version', 'v1.37.2', '--cert-dir', '/opt/other-pki'],
];

describe('a machine', () => {
  test('on which nothing is', () => {
    expect(statusAfter([])).toMatchObject({ role: 'none', state: 'none', next: 'init', journal: { state: 'absent' } });
  });

  test.each<[string, Tool, string]>([
    ['the files of kubeadm', 'kubeadm', 'others'],
    ['our files', 'ours', 'ours'],
  ])('with all %s is judged by what is on it, not by the defaults', (_, tool, origin) => {
    // A journal of ours is there, so that it can tell.
    const status = statusAfter([...noted, ...made(tool, ...files)]);
    expect(status).toMatchObject({ role: 'control-plane', state: 'incomplete', configuration: 'node' });
    expect(statesOf(status, /^(certs|kubeconfig|etcd|control-plane)\//)).toEqual(['done']);
    expect(statesOf(status, /^(upload-config|addon)\/k|^bootstrap-token|^mark/)).toEqual(['missing']);
    expect(statesOf(status, /^kubelet-(start|finalize)/)).toEqual(['missing']);
    expect(originsOf(status)).toEqual([origin]);
  });

  test('with a key of somebody else, and one file that was changed since, says so', () => {
    const status = statusAfter([
      [
        'sh',
        '-c',
        'mkdir -p /etc/kubernetes/pki && openssl genrsa -traditional -out /etc/kubernetes/pki/sa.key 2048 && openssl rsa -in /etc/kubernetes/pki/sa.key -pubout -out /etc/kubernetes/pki/sa.pub && chmod 600 /etc/kubernetes/pki/sa.*',
      ],
      ...made('ours', ...files),
      ['sh', '-c', 'echo >> /etc/kubernetes/manifests/kube-scheduler.yaml'],
    ]);
    const origins = new Map(
      status.phases.flatMap(({ artifacts }) => artifacts).map(({ location, origin }) => [location, origin]),
    );
    const of = (origin: string) => [...origins].filter(([, found]) => found === origin).map(([location]) => location);
    expect(of('others')).toEqual(['/etc/kubernetes/pki/sa.key', '/etc/kubernetes/pki/sa.pub']);
    expect(of('changed')).toEqual(['/etc/kubernetes/manifests/kube-scheduler.yaml']);
    expect(of('unknown')).toEqual([]);
    expect(statesOf(status, /^certs\/sa|^control-plane/)).toEqual(['done']);
  });

  test('whose journal was deleted is what it is', () => {
    const status = statusAfter([...made('ours', ...files), ['sh', '-c', 'rm "$GROUNDPLANE_STATE_DIR/journal.jsonl"']]);
    expect(status.journal.state).toBe('absent');
    expect(originsOf(status)).toEqual(['unknown']);
    expect(statesOf(status, /^(certs|kubeconfig|etcd|control-plane)\//)).toEqual(['done']);
  });

  test('whose init was killed between a key and its certificate is there in part', () => {
    const killed = `strace -f -qq -o /dev/null -e inject=rename,renameat2:signal=SIGKILL:when=2 ${programs.ours} init phase certs ca --config ${config}; [ -e /etc/kubernetes/pki/ca.key ] && [ ! -e /etc/kubernetes/pki/ca.crt ]`;
    const status = statusAfter([['sh', '-c', killed]]);
    expect(status).toMatchObject({ role: 'control-plane', state: 'incomplete', next: 'init' });
    const [ca] = status.phases;
    expect(ca).toMatchObject({ phase: 'certs/ca', state: 'partly', command: 'init phase certs ca' });
    expect(ca?.reason).toContain('/etc/kubernetes/pki/ca.crt');
  });

  test('tells an ordinary user what he may see, and that he may not see the rest', () => {
    const user = [
      'sh',
      '-c',
      `setpriv --reuid 65534 --regid 65534 --clear-groups ${programs.ours} status -o json`,
    ] as const;
    const status = statusAfter(made('ours', ...files), {}, user);
    expect(status).toMatchObject({ role: 'control-plane', configuration: 'defaults' });
    expect(status.journal.state).toBe('unreadable');
    // Certificates are for everybody, keys are not.
    expect(statesOf(status, /^certs\/ca$/)).toEqual(['unknown']);
    const locations = status.phases.flatMap(({ artifacts }) => artifacts);
    expect(locations.find(({ location }) => location === '/etc/kubernetes/pki/ca.crt')?.state).toBe('present');
    expect(locations.find(({ location }) => location === '/etc/kubernetes/pki/ca.key')?.state).toBe('unknown');
    expect(statesOf(status, /^(kubeconfig|control-plane)\//)).toEqual(['unknown']);
    expect(status.phases.filter(({ state }) => state === 'wrong')).toEqual([]);
  });

  test('is judged by the file that it is told', () => {
    const status = (told: string) =>
      statusAfter(made('ours', 'certs all'), {}, ['ours', 'status', '-o', 'json', ...told.split(' ').filter(Boolean)]);
    expect(statesOf(status(`--config ${config}`), /^certs\//)).toEqual(['done']);
    expect(statesOf(status(''), /^certs\/apiserver$/)).toEqual(['unknown']);
  });
});
