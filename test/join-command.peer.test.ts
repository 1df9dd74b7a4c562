import { cpSync, mkdirSync, writeFileSync } from 'node:fs';
import { networkInterfaces } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type ApiServer, prepareApiServer } from '../packages/cluster/test/api-server.ts';
import { mustRun, runProgram } from './run-program.ts';

const kubeadm = process.env.GROUNDPLANE_KUBEADM ?? '';
const ours = fileURLToPath(new URL('../packages/cli/dist/bin/kubeadm.js', import.meta.url));
const token = 'abcdef.0123456789abcdef';
const certificateKey = 'ab'.repeat(32);

let api: ApiServer;
/** A root with what `init` has made so far, and a configuration in it. */
let root = '';
let config = '';
beforeAll(async () => {
  api = await prepareApiServer(process.env.GROUNDPLANE_COMPONENTS ?? '');
  root = join(api.directory, 'root');
  const pki = join(root, 'etc/kubernetes/pki');
  mkdirSync(pki, { recursive: true });
  for (const name of ['ca.crt', 'ca.key']) cpSync(join(api.directory, name), join(pki, name));
  config = join(api.directory, 'config.yaml');
  const address = Object.values(networkInterfaces())
    .flatMap((found) => found ?? [])
    .find(({ family, internal }) => family === 'IPv4' && !internal)?.address;
  const text = (certificatesDir: string) => `apiVersion: kubeadm.k8s.io/v1beta4
kind: InitConfiguration
localAPIEndpoint: {advertiseAddress: ${address}, bindPort: ${new URL(api.server).port}}
nodeRegistration: {name: node-a, criSocket: "unix:///run/absent.sock"}
bootstrapTokens: [{token: ${token}}]
certificateKey: ${certificateKey}
---
apiVersion: kubeadm.k8s.io/v1beta4
kind: ClusterConfiguration
kubernetesVersion: v1.37.2
certificatesDir: ${certificatesDir}
apiServer: {certSANs: [127.0.0.1]}
encryptionAlgorithm: ECDSA-P256
`;
  writeFileSync(config, text(pki));
  writeFileSync(join(root, 'config.yaml'), text('/etc/kubernetes/pki'));
  await mustRun(kubeadm, ['init', 'phase', 'certs', 'all', '--config', config], { cwd: root });
  const folder = ['--kubeconfig-dir', join(root, 'etc/kubernetes'), '--config', config];
  for (const name of ['admin', 'super-admin'])
    await mustRun(kubeadm, ['init', 'phase', 'kubeconfig', name, ...folder], { cwd: root });
  api.start(
    '--bind-address=0.0.0.0',
    `--tls-cert-file=${join(pki, 'apiserver.crt')}`,
    `--tls-private-key-file=${join(pki, 'apiserver.key')}`,
  );
  await api.ready();
}, 120_000);
afterAll(async () => api.stop());

const run = (program: 'peer' | 'ours', words: readonly string[]) => {
  const where =
    program === 'peer'
      ? ['--config', config, '--kubeconfig', join(root, 'etc/kubernetes/super-admin.conf')]
      : ['--config=/config.yaml', '--rootfs', root];
  const [executable, first] = program === 'peer' ? [kubeadm, []] : [process.execPath, [ours]];
  return runProgram(executable, [...first, 'init', 'phase', ...words, ...where], {
    cwd: api.directory,
    env: { PATH: process.env.PATH, HOME: root, GROUNDPLANE_STATE_DIR: api.directory },
  });
};

/** Lines that programs look for, and what follows them. */
const wanted = /^\[upload-certs\]|^\[bootstrap-token\] Using token|^[0-9a-f]{64}$/;

describe('what programs read of init', () => {
  it.each([
    ['certificates', ['upload-certs', '--upload-certs']],
    ['certificates whose key is not shown', ['upload-certs', '--upload-certs', '--skip-certificate-key-print']],
    ['certificates that are not asked for', ['upload-certs']],
    ['a token', ['bootstrap-token']],
    ['a token that is not shown', ['bootstrap-token', '--skip-token-print']],
  ])('%s', async (_, words) => {
    const [peer, own] = [await run('peer', words), await run('ours', words)];
    expect(peer.code, peer.stderr).toBe(0);
    expect(own.code, own.stderr).toBe(0);
    const lines = (text: string) => text.split('\n').filter((line) => wanted.test(line));
    expect(lines(own.stdout)).toEqual(lines(peer.stdout));
  });

  it('a join command for workers, of show-join-command alone', async () => {
    const peer = await mustRun(
      kubeadm,
      [
        ...['token', 'create', 'ghijkl.0123456789abcdef', '--print-join-command'],
        ...['--kubeconfig', join(root, 'etc/kubernetes/super-admin.conf')],
      ],
      { cwd: root },
    );
    const { code, stdout, stderr } = await runProgram(
      process.execPath,
      [ours, 'init', 'phase', 'show-join-command', '--config=/config.yaml', '--rootfs', root],
      { cwd: root, env: { PATH: process.env.PATH, HOME: root, GROUNDPLANE_STATE_DIR: root } },
    );
    expect(code, stderr).toBe(0);
    const words = (text: string) => text.replaceAll('\\\n', ' ').trim().split(/\s+/);
    const [, command = ''] = stdout.split('on each as root:\n\n');
    const theirs = words(peer).map((word) =>
      word.startsWith('ghijkl.') ? expect.stringMatching(/^\w{6}\.\w{16}$/) : word,
    );
    expect(words(command)).toEqual(theirs);
  });
});
