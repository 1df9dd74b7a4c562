import { afterAll, beforeAll, expect, it } from 'vitest';
import { type InstalledPrograms, installPrograms } from './installed-programs.ts';
import { caseFolder, onSandboxNode } from './sandbox-node.ts';

// What the real kubeadm makes of a file that holds our document beside its own, and what we make of it.

const cluster = 'apiVersion: kubeadm.k8s.io/v1beta4\nkind: ClusterConfiguration\nkubernetesVersion: v1.37.2\n';
const init = `apiVersion: kubeadm.k8s.io/v1beta4
kind: InitConfiguration
localAPIEndpoint: {advertiseAddress: 192.0.2.10}
nodeRegistration: {name: node-a, criSocket: unix:///run/containerd/containerd.sock}
`;
const own =
  'apiVersion: groundplane.dev/v1alpha1\nkind: GroundplaneConfiguration\njournal: {path: /opt/journal.jsonl}\ncoreDNS: {apiServer: Service}\n';
const files = { 'with.yaml': [cluster, init, own].join('---\n'), 'without.yaml': [cluster, init].join('---\n') };
const warning =
  'Ignored configuration document with GroupVersionKind groundplane.dev/v1alpha1, Kind=GroundplaneConfiguration';

let programs: InstalledPrograms;
beforeAll(async () => {
  programs = await installPrograms();
});
afterAll(() => programs?.remove());

/** Everything that kubeadm says, whether it succeeds or not, with its exit code in the last line. */
function saidByKubeadm(words: string, name: keyof typeof files): string {
  const line = `${programs.kubeadm} ${words} ${caseFolder}/${name} 2>&1; echo exit code $?`;
  return onSandboxNode({ files, steps: [['/bin/sh', '-c', line]] }).outputs[0] ?? '';
}

/** Without times, process ids and random bytes. */
const stable = (text: string) =>
  text.split('\n').filter((line) => !line.includes('GroundplaneConfiguration') && !/^W\d{4} /.test(line));

it.each([
  ['config images list', 'config images list --config', 0],
  ['a phase of init', 'init phase certs sa --dry-run --config', 0],
  // There is no container runtime here; so far it comes.
  ['init in a dry run', 'init --dry-run --skip-phases preflight --config', undefined],
])('kubeadm ignores it with a warning: %s', (_, words, code) => {
  const said = saidByKubeadm(words, 'with.yaml');
  expect(said).toContain(warning);
  if (code === undefined) return;
  const without = saidByKubeadm(words, 'without.yaml');
  expect(without).not.toContain(warning);
  expect(stable(said)).toEqual(stable(without));
  expect(said).toContain(`exit code ${code}`);
});

it.each([
  ['config validate', 'config validate --config'],
  ['config migrate', 'config migrate --old-config'],
])('kubeadm knows its own kinds alone: %s', (_, words) => {
  const said = saidByKubeadm(words, 'with.yaml');
  expect(said).toContain('unknown configuration APIs');
  expect(said).toContain('exit code 1');
  expect(saidByKubeadm(words, 'without.yaml')).toContain('exit code 0');
});

it.each([
  ['a key', '/etc/kubernetes/pki/sa.key', 'it must not be in /etc/kubernetes'],
  ['a device', '/dev/null', 'it must not be in /dev'],
  ['a file that is no journal', '/opt/notes.txt', 'no journal'],
  [
    'a link to one of Kubernetes',
    '/opt/link/journal.jsonl',
    'symbolic links lead to /etc/kubernetes/pki/journal.jsonl',
  ],
  ['a link that leads nowhere', '/opt/nowhere', 'leads nowhere'],
  ['a directory', '/opt/folder', 'there is a directory'],
])('we refuse a journal that would be %s, and write nothing', (_, path, reason) => {
  const settings = own.replace('/opt/journal.jsonl', path);
  const run = `${programs.ours} init phase certs sa --config ${caseFolder}/refused.yaml`;
  const { outputs, entries } = onSandboxNode({
    files: { 'refused.yaml': [cluster, init, settings].join('---\n') },
    environment: { GROUNDPLANE_STATE_DIR: '' },
    prepare: [
      'mkdir -p /etc/kubernetes/pki /opt/folder',
      'echo mine > /opt/notes.txt',
      'ln -s /etc/kubernetes/pki /opt/link',
      'ln -s /etc/kubernetes/pki/sa.key /opt/nowhere',
    ],
    steps: [['true'], ['/bin/sh', '-c', `${run} 2>&1; echo exit code $?`]],
  });
  expect(outputs[1]).toContain(reason);
  expect(outputs[1]).toMatch(/exit code [1-9]/);
  expect(entries[1]).toEqual(entries[0]);
  expect(entries[1]?.get('/opt/notes.txt')?.text).toBe('mine\n');
});

it('a file in the way of the journal is left alone, and the run goes on', () => {
  const run = `${programs.ours} init phase certs sa 2>&1`;
  const { outputs, entries } = onSandboxNode({
    environment: { GROUNDPLANE_STATE_DIR: '' },
    prepare: ['mkdir -p /var/lib/groundplane', 'echo mine > /var/lib/groundplane/journal.jsonl'],
    steps: [['/bin/sh', '-c', run]],
  });
  expect(outputs[0]).toContain('no journal');
  expect(entries[0]?.get('/var/lib/groundplane/journal.jsonl')?.text).toBe('mine\n');
  expect(entries[0]?.has('/etc/kubernetes/pki/sa.key')).toBe(true);
});

it('we accept, keep and go by it', () => {
  const config = `${caseFolder}/with.yaml`;
  const { outputs, entries } = onSandboxNode({
    files,
    // A folder of state that is given to the process would come before what the file says.
    environment: { GROUNDPLANE_STATE_DIR: '' },
    steps: [
      [programs.ours, 'config', 'validate', '--config', config],
      [programs.ours, 'config', 'migrate', '--old-config', config],
      [programs.ours, 'init', 'phase', 'certs', 'sa', '--config', config],
      [programs.ours, 'journal', '--config', config, '-o', 'json'],
    ],
  });
  expect(outputs[0]).toBe('ok\n');
  expect(outputs[1]).toContain('kind: GroundplaneConfiguration');
  expect(outputs[1]).toContain('apiServer: Service');
  const journal = JSON.parse(outputs[3] ?? '') as {
    readonly path: string;
    readonly entries: readonly { readonly location: string; readonly user: { readonly uid: number } }[];
  };
  expect(journal.path).toBe('/opt/journal.jsonl');
  expect(journal.entries.map(({ location }) => location)).toEqual([
    '/etc/kubernetes/pki/sa.key',
    '/etc/kubernetes/pki/sa.pub',
  ]);
  expect(journal.entries.every(({ user }) => user.uid === 0)).toBe(true);
  const last = entries.at(-1);
  expect(last?.get('/opt/journal.jsonl')?.stat).toBe('file 600 0:0');
  expect(last?.has('/var/lib/groundplane')).toBe(false);
});
