import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, expect, it } from 'vitest';

const kubeadm = process.env.GROUNDPLANE_KUBEADM;
const ours = fileURLToPath(new URL('../dist/bin/kubeadm.js', import.meta.url));
const folder = mkdtempSync(join(tmpdir(), 'groundplane-written-'));
afterAll(() => rmSync(folder, { recursive: true }));

const configuration = `apiVersion: kubeadm.k8s.io/v1beta4
kind: InitConfiguration
localAPIEndpoint: {advertiseAddress: 192.0.2.10}
nodeRegistration: {name: node-a, criSocket: unix:///run/containerd/containerd.sock}
---
apiVersion: kubeadm.k8s.io/v1beta4
kind: ClusterConfiguration
kubernetesVersion: v1.37.2
encryptionAlgorithm: ECDSA-P256
`;

type Program = 'peer' | 'ours';
function run(program: Program, words: readonly string[], env: Readonly<Record<string, string>> = {}): void {
  const [executable = '', ...first] = program === 'peer' ? [kubeadm ?? ''] : [process.execPath, ours];
  const { status, stderr } = spawnSync(executable, [...first, ...words], {
    encoding: 'utf8',
    env: { PATH: process.env.PATH, HOME: folder, GROUNDPLANE_STATE_DIR: '/state', ...env },
  });
  expect(status, stderr).toBe(0);
}

/** Paths and modes of all files below a folder; ours keeps a journal beside. */
function files(directory: string): readonly string[] {
  return readdirSync(directory, { recursive: true })
    .map(String)
    .filter((name) => !name.startsWith('state') && statSync(join(directory, name)).isFile())
    .map((name) => `${name} ${(statSync(join(directory, name)).mode & 0o7777).toString(8)}`)
    .toSorted();
}

it('--rootfs: both find the configuration inside, and leave the same files with the same modes inside', () => {
  const written = (program: Program) => {
    const root = join(folder, `root-${program}`);
    mkdirSync(join(root, 'srv'), { recursive: true });
    writeFileSync(join(root, 'srv/init.yaml'), configuration);
    for (const phase of ['certs', 'kubeconfig', 'control-plane']) {
      run(program, ['init', 'phase', phase, 'all', '--config=srv/init.yaml', '--rootfs', root]);
    }
    run(program, ['init', 'phase', 'etcd', 'local', '--config=/srv/init.yaml', '--rootfs', root]);
    run(program, ['config', 'migrate', '--old-config=/srv/init.yaml', '--new-config=new.yaml', '--rootfs', root]);
    return files(root);
  };
  const peer = written('peer');
  expect(peer).toContain('etc/kubernetes/manifests/etcd.yaml 600');
  expect(written('ours')).toEqual(peer);
});

it('KUBEADM_INIT_DRYRUN_DIR: both put the same files with the same modes there', () => {
  const config = join(folder, 'init.yaml');
  writeFileSync(config, configuration.replace('kind: ClusterConfiguration', `$&\ncertificatesDir: ${folder}/pki`));
  const state = { GROUNDPLANE_STATE_DIR: join(folder, 'state') };
  const written = (program: Program) => {
    const directory = join(folder, `dry-run-${program}`);
    mkdirSync(directory);
    for (const phase of ['certs', 'control-plane']) {
      const words = ['init', 'phase', phase, 'all', '--dry-run', '--config', config];
      run(program, words, { ...state, KUBEADM_INIT_DRYRUN_DIR: directory });
    }
    return files(directory);
  };
  const peer = written('peer');
  expect(peer).toContain('etcd/healthcheck-client.key 600');
  expect(written('ours')).toEqual(peer);
});
