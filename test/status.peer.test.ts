import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type InstalledPrograms, installPrograms } from './installed-programs.ts';
import { caseFolder, onSandboxNode, type SandboxNode } from './sandbox-node.ts';
import { unusualDocuments } from './unusual-documents.ts';

// How far a node is by `groundplane status`, on nodes that both tools have made as far as files go.

let programs: InstalledPrograms;
beforeAll(async () => {
  programs = await installPrograms();
});
afterAll(() => programs?.remove());

interface Status {
  readonly role: string;
  readonly state: string;
  readonly configuration?: string;
  readonly next?: string;
  readonly journal: { readonly state: string; readonly entries?: number; readonly damagedLines?: number };
  readonly warnings: readonly { readonly code: string }[];
  readonly phases: readonly {
    readonly phase: string;
    readonly state: string;
    readonly reason?: string;
    readonly command?: string;
    readonly artifacts: readonly { readonly location: string; readonly origin?: string; readonly state: string }[];
  }[];
}

const config = `${caseFolder}/config.yaml`;
const documents = unusualDocuments('unix:///run/containerd/containerd.sock');

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
    // It was begun with a file, which a command without one would not go by.
    expect(ca).toMatchObject({ phase: 'certs/ca', state: 'partly', advice: expect.stringContaining('--config FILE') });
    expect(ca).not.toHaveProperty('command');
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
    expect(status.phases.filter(({ state }) => ['wrong', 'partly'].includes(state))).toEqual([]);
  });

  const custom = documents.replace('clusterName: other', 'clusterName: other\ncertificatesDir: /opt/pki');
  const apiserver = '/etc/kubernetes/manifests/kube-apiserver.yaml';

  test('without the manifest of the API server has its PKI where the others say', () => {
    const status = statusAfter([...made('kubeadm', ...files), ['sh', '-c', `rm ${apiserver}`]], {
      files: { 'config.yaml': custom },
    });
    expect(status.configuration).toBe('node');
    expect(statesOf(status, /^(certs|kubeconfig)\//)).toEqual(['done']);
    expect(statesOf(status, /^control-plane\/apiserver/)).toEqual(['missing']);
    expect(status.phases.filter(({ command }) => command !== undefined)).toEqual([]);
  });

  test('with its PKI elsewhere and kubeconfigs alone does not miss it', () => {
    const status = statusAfter(made('kubeadm', 'certs all', 'kubeconfig all'), { files: { 'config.yaml': custom } });
    expect(statesOf(status, /^certs\//)).toEqual(['unknown']);
    expect(status.phases.filter(({ command }) => command !== undefined)).toEqual([]);
  });

  test('with its PKI elsewhere is unknown to an ordinary user, who is told so', () => {
    const user = `setpriv --reuid 65534 --regid 65534 --clear-groups ${programs.ours} status -o json --exit-code || true`;
    const closed: Step = ['sh', '-c', 'mkdir -p /var/lib/kubelet && chmod 700 /var/lib/kubelet'];
    const status = statusAfter([...made('kubeadm', ...files), closed], { files: { 'config.yaml': custom } }, [
      'sh',
      '-c',
      user,
    ]);
    const lost = status.phases.filter(({ state }) => ['missing', 'partly', 'wrong'].includes(state));
    expect(lost.map(({ phase }) => phase)).toEqual([]);
    // groundplane exits with 4 for it, and kubeadm with the 1 that it has for every error.
    expect(status).toMatchObject({ state: 'unknown', error: { code: 'CLI_STATUS_UNKNOWN' } });
  });

  test('tells of a damaged journal', () => {
    const status = statusAfter([
      ...made('ours', 'certs all'),
      ['sh', '-c', 'echo garbage >> "$GROUNDPLANE_STATE_DIR/journal.jsonl"'],
    ]);
    expect(status.journal).toMatchObject({ state: 'read', damagedLines: 1 });
    expect(status.warnings.map(({ code }) => code)).toEqual(['CLI_JOURNAL_INCOMPLETE']);
  });

  test('is judged by the file that it is told', () => {
    const status = (told: string) =>
      statusAfter(made('ours', 'certs all'), {}, ['ours', 'status', '-o', 'json', ...told.split(' ').filter(Boolean)]);
    expect(statesOf(status(`--config ${config}`), /^certs\//)).toEqual(['done']);
    expect(statesOf(status(''), /^certs\/apiserver$/)).toEqual(['unknown']);
  });
});
