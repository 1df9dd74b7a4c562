import { execFileSync } from 'node:child_process';
import {
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { programIn } from './program-call.ts';

let folder = '';
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'groundplane-program-'));
});
afterAll(() => rmSync(folder, { recursive: true }));
const call = programIn(() => folder);

describe('--rootfs', () => {
  const version = '--kubernetes-version=v1.37.2';

  it('finds configuration, patches and certificates inside, and leaves files inside only', () => {
    const root = mkdtempSync(join(folder, 'root-'));
    mkdirSync(join(root, 'config/patches'), { recursive: true });
    writeFileSync(
      join(root, 'config/init.yaml'),
      `apiVersion: kubeadm.k8s.io/v1beta4
kind: InitConfiguration
patches: {directory: /config/patches}
localAPIEndpoint: {advertiseAddress: 192.0.2.10}
nodeRegistration: {name: node-a}
---
apiVersion: kubeadm.k8s.io/v1beta4
kind: ClusterConfiguration
kubernetesVersion: v1.37.2
certificatesDir: /pki
encryptionAlgorithm: ECDSA-P256
`,
    );
    writeFileSync(join(root, 'config/patches/kube-scheduler+merge.yaml'), 'metadata: {labels: {patched: "yes"}}\n');
    // An absolute link means what it means inside.
    symlinkSync('/config', join(root, 'link'));
    const run = (...words: readonly string[]) =>
      call('groundplane', ['init', 'phase', ...words, '--config=/link/init.yaml', '--rootfs', root]);
    expect(run('certs', 'ca').stderr).toBe('');
    expect(readdirSync(join(root, 'pki')).toSorted()).toEqual(['ca.crt', 'ca.key']);
    const manifests = run('control-plane', 'all');
    expect(manifests.status, manifests.stderr).toBe(0);
    const scheduler = readFileSync(join(root, 'etc/kubernetes/manifests/kube-scheduler.yaml'), 'utf8');
    expect(scheduler).toContain('patched: "yes"');
    expect(run('certs', 'ca').stdout).toMatch(/certs\/ca\s+kept/);
    const journal = join(root, folder, 'journal.jsonl');
    expect(readFileSync(journal, 'utf8')).toContain('"/pki/ca.crt"');
  });

  it('counts relative paths from the root, and validates what is inside', () => {
    const root = mkdtempSync(join(folder, 'root-'));
    const text = 'apiVersion: kubeadm.k8s.io/v1beta4\nkind: ClusterConfiguration\nkubernetesVersion: v1.37.2\n';
    writeFileSync(join(root, 'inside.yaml'), text);
    expect(call('kubeadm', ['--rootfs', root, 'config', 'validate', '--config=inside.yaml']).stdout).toBe('ok\n');
    const target = ['config', 'migrate', '--old-config=/inside.yaml', '--new-config=/new.yaml', '--rootfs', root];
    expect(call('kubeadm', target)).toMatchObject({ status: 0 });
    expect(readFileSync(join(root, 'new.yaml'), 'utf8')).toContain('kind: ClusterConfiguration');
  });

  it('must be there', () => {
    const { status, stderr } = call('groundplane', ['init', '--dry-run', version, '--rootfs=/nonexistent']);
    expect(status).toBe(2);
    expect(stderr).toContain('/nonexistent');
  });
});

describe('a dry run', () => {
  const flags = ['--kubernetes-version=v1.37.2', '--dry-run'];
  const tree = (directory: string) => readdirSync(directory, { recursive: true }).map(String).toSorted();

  it('writes what would be written into the folder that the environment names, and nothing else', () => {
    const own = mkdtempSync(join(folder, 'dry-'));
    const directory = join(own, 'files');
    const words = ['init', 'phase', 'certs', 'all', `--cert-dir=${own}/pki`, ...flags];
    const { status, stdout } = call('kubeadm', words, { env: { KUBEADM_INIT_DRYRUN_DIR: directory } });
    expect(status).toBe(0);
    expect(stdout).toContain(`[dryrun] Wrote what would be written to the "${directory}" directory`);
    expect(tree(own).filter((name) => !name.startsWith('files'))).toEqual([]);
    expect(tree(directory)).toEqual(
      expect.arrayContaining(['ca.crt', 'ca.key', 'apiserver.crt', 'etcd/ca.crt', 'sa.pub']),
    );
    const verify = ['verify', '-CAfile', join(directory, 'ca.crt'), join(directory, 'apiserver.crt')];
    expect(execFileSync('openssl', verify, { encoding: 'utf8' })).toMatch(/: OK\n$/);

    const document = JSON.parse(
      call('groundplane', [...words, '-o', 'json'], { env: { KUBEADM_INIT_DRYRUN_DIR: directory } }).stdout,
    );
    expect(document.dryRun.directory).toBe(directory);
    expect(document.dryRun.files).toContainEqual({ location: `${own}/pki/ca.key`, file: join(directory, 'ca.key') });
  });

  it('leaves an existing tree as it is', () => {
    const own = mkdtempSync(join(folder, 'dry-'));
    const pki = `--cert-dir=${own}/pki`;
    expect(call('groundplane', ['init', 'phase', 'certs', 'ca', pki, '--kubernetes-version=v1.37.2']).status).toBe(0);
    const before = tree(own).map((name) => [name, statSync(join(own, name)).mtimeMs]);
    const directory = join(folder, 'dry-elsewhere');
    const env = { KUBEADM_INIT_DRYRUN_DIR: directory };
    const { status } = call('groundplane', ['init', 'phase', 'certs', 'apiserver', pki, ...flags], { env });
    expect(status).toBe(0);
    expect(tree(own).map((name) => [name, statSync(join(own, name)).mtimeMs])).toEqual(before);
    expect(tree(directory)).toEqual(['apiserver.crt', 'apiserver.key']);
  });
});

describe('--print-manifest', () => {
  const flags = ['--kubernetes-version=v1.37.2', '--apiserver-advertise-address=192.0.2.10'];
  const print = (...words: readonly string[]) => call('groundplane', ['init', 'phase', ...words, '--print-manifest']);

  it('prints the patched static pods as YAML documents', () => {
    const patches = mkdtempSync(join(folder, 'patches-'));
    writeFileSync(join(patches, 'kube-scheduler+merge.yaml'), 'metadata: {labels: {patched: "yes"}}\n');
    const { status, stdout, stderr } = print('control-plane', 'all', ...flags, `--patches=${patches}`);
    expect({ status, stderr }).toEqual({ status: 0, stderr: '' });
    const documents = stdout.split('---\n');
    expect(documents.map((text) => /^ {2}name: (.*)$/m.exec(text)?.[1])).toEqual([
      'kube-apiserver',
      'kube-controller-manager',
      'kube-scheduler',
    ]);
    expect(documents.map((text) => text.includes('patched: "yes"'))).toEqual([false, false, true]);
    expect(documents[0]).toContain('    - --advertise-address=192.0.2.10\n');
  });

  it('prints one, and data', () => {
    const config = join(folder, 'print.yaml');
    writeFileSync(
      config,
      'apiVersion: kubeadm.k8s.io/v1beta4\nkind: ClusterConfiguration\nkubernetesVersion: v1.37.2\n',
    );
    const { manifests } = JSON.parse(print('etcd', 'local', `--config=${config}`, '-o', 'json').stdout);
    expect(manifests).toMatchObject([{ kind: 'Pod', metadata: { name: 'etcd' } }]);
    expect(print('control-plane', 'scheduler', '--kubernetes-version=v1.37.2').stdout).not.toContain('---');
  });

  it.each([
    ['kube-proxy', ['ServiceAccount', 'ClusterRoleBinding', 'Role', 'RoleBinding', 'ConfigMap', 'DaemonSet']],
    ['coredns', ['Deployment', 'ConfigMap', 'Service', 'ClusterRole', 'ClusterRoleBinding', 'ServiceAccount']],
  ])('prints the objects of %s in the order of kubeadm, each behind a separator', (addon, kinds) => {
    const { status, stdout, stderr } = print('addon', addon, '--kubernetes-version=v1.37.2');
    expect({ status, stderr }).toEqual({ status: 0, stderr: '' });
    const [before, ...documents] = stdout.split('---\n');
    expect(before).toBe('');
    expect(documents.map((text) => /^kind: (.*)$/m.exec(text)?.[1])).toEqual(kinds);
    expect(print('addon', 'all', '--kubernetes-version=v1.37.2').stdout).toContain(stdout);
  });
});
