import { execFileSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { parse } from 'yaml';
import { caseFolder, type NodeEntries, onSandboxNode } from './sandbox-node.ts';

const example = join(import.meta.dirname, '../examples/cloud-init');
const kubeadm = process.env.GROUNDPLANE_KUBEADM ?? '';
/** Of those that kubeadm looks for, what the node of the sandbox has: it is this host's. */
const certificateFolders = [
  '/etc/ca-certificates',
  '/etc/pki/ca-trust',
  '/etc/pki/tls/certs',
  '/usr/local/share/ca-certificates',
  '/usr/share/ca-certificates',
].filter((path) => existsSync(path));

interface UserData {
  readonly write_files: readonly { readonly path: string; readonly content: string; readonly permissions: string }[];
}

function render(): UserData {
  const folder = mkdtempSync(join(tmpdir(), 'groundplane-cloud-init-'));
  try {
    const options = [`--config=${example}/cluster.yaml`, '--name=node-a', '--address=192.0.2.10', `--output=${folder}`];
    const image = certificateFolders.map((path) => `--certificate-folder=${path}`);
    execFileSync(process.execPath, [join(example, 'src/main.ts'), ...options, ...image]);
    return parse(readFileSync(join(folder, 'control-plane.yaml'), 'utf8')) as UserData;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Everything but times. */
function contents(entries: NodeEntries | undefined): Readonly<Record<string, string>> {
  return Object.fromEntries([...(entries ?? [])].map(([path, { stat, text = '' }]) => [path, `${stat}\n${text}`]));
}

test('the real kubeadm takes the certificates and kubeconfigs, and writes the same static pods', () => {
  const { write_files: files } = render();
  const unpack = files.map(
    ({ path, permissions }, index) => `install -D --mode=${permissions} ${caseFolder}/${index} ${path}`,
  );
  const phases = [
    ['certs', 'all'],
    ['kubeconfig', 'all'],
    ['etcd', 'local'],
    ['control-plane', 'all'],
  ];
  const { entries, outputs } = onSandboxNode({
    files: Object.fromEntries(files.map(({ content }, index) => [String(index), content])),
    steps: [
      ['sh', '-ec', [...unpack, 'install --directory --mode=0700 /var/lib/etcd'].join('\n')],
      ...phases.map((words) => [kubeadm, 'init', 'phase', ...words, '--config=/etc/groundplane/init.yaml']),
    ],
  });
  const before = contents(entries[0]);
  expect(Object.keys(before).length).toBeGreaterThan(30);
  expect(contents(entries.at(-1))).toEqual(before);
  expect(outputs[1]?.match(/Using existing|Using the existing/g)?.length).toBe(11);
  expect(outputs[2]?.match(/Using existing kubeconfig file/g)?.length).toBe(5);
});
