import { spawnSync } from 'node:child_process';
import { X509Certificate } from 'node:crypto';
import {
  existsSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseYaml } from '@groundplane/manifest';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';

const programs = {
  theirs: [process.env.GROUNDPLANE_KUBEADM ?? ''],
  ours: [process.execPath, fileURLToPath(new URL('../../cli/dist/bin/kubeadm.js', import.meta.url))],
} as const;
type Program = keyof typeof programs;

const folder = mkdtempSync(join(tmpdir(), 'groundplane-rootfs-'));
afterAll(() => rmSync(folder, { recursive: true }));

const phases = [
  ['certs', 'all'],
  ['kubeconfig', 'all'],
  ['etcd', 'local'],
  ['control-plane', 'all'],
  ['kubelet-start'],
];
const configuration = `apiVersion: kubeadm.k8s.io/v1beta4
kind: InitConfiguration
localAPIEndpoint: {advertiseAddress: 192.0.2.10}
nodeRegistration: {name: node-a, criSocket: unix:///run/containerd/containerd.sock}
patches: {directory: /config/patches}
---
apiVersion: kubeadm.k8s.io/v1beta4
kind: ClusterConfiguration
kubernetesVersion: v1.37.2
encryptionAlgorithm: ECDSA-P256
`;

/** What both make: an entry for each path, without what differs from run to run. */
type Tree = Readonly<Record<string, string>>;

/** The file system of a node, whose folders are partly elsewhere: inside the root, although the links could be read otherwise. */
function makeRoot(name: string): string {
  const root = join(folder, name);
  for (const path of ['config/patches', 'data/kubernetes', 'srv/pki', 'etc/ca-certificates', 'var/lib', 'run']) {
    mkdirSync(join(root, path), { recursive: true });
  }
  symlinkSync('/data/kubernetes', join(root, 'etc/kubernetes'));
  symlinkSync('../../../../../../srv/pki', join(root, 'data/kubernetes/pki'));
  writeFileSync(join(root, 'config/init.yaml'), configuration);
  writeFileSync(join(root, 'config/patches/kube-scheduler.yaml'), 'metadata: {annotations: {patched: "yes"}}\n');
  return root;
}

function run(program: Program, args: readonly string[], cwd = folder) {
  const [command = '', ...words] = [...programs[program], ...args];
  const { PATH = '' } = process.env;
  return spawnSync(command, words, { cwd, encoding: 'utf8', env: { PATH } });
}

function entries(root: string): Tree {
  const found = readdirSync(root, { recursive: true, withFileTypes: true }).map((entry) =>
    join(entry.parentPath, entry.name),
  );
  return Object.fromEntries(found.toSorted().map((path) => [relative(root, path), describeEntry(path)]));
}

function describeEntry(path: string): string {
  const status = lstatSync(path);
  if (status.isSymbolicLink()) return `link ${readlinkSync(path)}`;
  const mode = (status.mode & 0o7777).toString(8);
  return status.isDirectory() ? `folder ${mode}` : `file ${mode}: ${content(path)}`;
}

function content(path: string): string {
  const text = readFileSync(path, 'utf8');
  if (path.endsWith('.crt')) {
    const { subject, issuer, subjectAltName } = new X509Certificate(text);
    return [subject, issuer, subjectAltName].join(' / ');
  }
  if (path.endsWith('.conf')) return JSON.stringify(parseYaml(text)).replaceAll(/-data":"[^"]+"/g, '-data":"…"');
  return /\.(?:key|pub)$/.test(path) ? (text.split('\n')[0] ?? '') : text;
}

describe('in another root', () => {
  const roots: Record<Program, string> = { theirs: '', ours: '' };

  beforeAll(() => {
    for (const program of ['theirs', 'ours'] as const) {
      roots[program] = makeRoot(program);
      for (const phase of phases) {
        const args = ['init', 'phase', ...phase, '--config', 'config/init.yaml', '--rootfs', roots[program]];
        const { status, stderr } = run(program, args);
        expect(status, `${program} ${phase.join(' ')}: ${stderr}`).toBe(0);
      }
    }
  });

  test('the real kubeadm and we make the same files, with paths as the node sees them', () => {
    const own = /^(?:run|var\/lib)\/groundplane/;
    const ours = Object.fromEntries(Object.entries(entries(roots.ours)).filter(([path]) => !own.test(path)));
    expect(ours).toEqual(entries(roots.theirs));
    expect(ours['data/kubernetes/manifests/kube-scheduler.yaml']).toContain('patched: "yes"');
    expect(JSON.stringify(ours)).not.toContain(folder);
  });

  test('our lock and our journal are there as well', () => {
    expect(existsSync(join(roots.ours, 'run/groundplane'))).toBe(true);
    expect(readFileSync(join(roots.ours, 'var/lib/groundplane/journal.jsonl'), 'utf8')).toContain(
      '/etc/kubernetes/pki/ca.key',
    );
  });

  test('a root is named from where the command runs', () => {
    makeRoot('relative');
    const { status, stderr } = run('ours', [
      'init',
      'phase',
      'certs',
      'ca',
      '--config',
      '/config/init.yaml',
      '--rootfs',
      'relative',
    ]);
    expect(status, stderr).toBe(0);
    expect(existsSync(join(folder, 'relative/srv/pki/ca.crt'))).toBe(true);
  });
});

test.each([
  ['that is missing', 'none'],
  ['that is a file', 'file'],
])('a root %s is an error before anything else', (_name, name) => {
  writeFileSync(join(folder, 'file'), '');
  const args = ['init', 'phase', 'certs', 'all', '--rootfs', join(folder, name)];
  expect(run('theirs', args).status).toBe(1);
  const { status, stderr } = run('ours', args);
  expect(status).toBe(1);
  expect(stderr).toContain(
    `Cannot work inside another root as it ${name === 'none' ? 'does not exist' : 'is not a directory'}`,
  );
  expect(stderr).not.toContain('    at ');
});
