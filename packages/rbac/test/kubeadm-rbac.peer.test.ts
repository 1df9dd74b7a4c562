import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { stringifyYaml } from '@groundplane/manifest';
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { RbacWriter } from '../src/bootstrap-role.ts';
import { rbacObjects } from '../src/rbac-objects.ts';
import { kubeadmPhases, rbacObjectsOf, withDefaults } from './kubeadm-rbac.ts';

const kubeadm = process.env.GROUNDPLANE_KUBEADM ?? '';
const goldens = new URL('../testdata/1.37/', import.meta.url);
let folder: string;

/** Runs a kubeadm phase; a dry run reads admin.conf from the folder and does without the server that it names. */
function runPhase(...phase: readonly string[]): string {
  const env = { PATH: process.env.PATH ?? '', KUBEADM_INIT_DRYRUN_DIR: folder };
  const words = ['init', 'phase', ...phase, '--config', join(folder, 'configuration.yaml')];
  return execFileSync(kubeadm, words, { env, encoding: 'utf8', stdio: 'pipe' });
}

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'groundplane-rbac-'));
  const apiVersion = 'kubeadm.k8s.io/v1beta4';
  const cluster = {
    apiVersion,
    kind: 'ClusterConfiguration',
    kubernetesVersion: 'v1.37.2',
    controlPlaneEndpoint: '127.0.0.1:1',
    certificatesDir: join(folder, 'pki'),
    encryptionAlgorithm: 'ECDSA-P256',
  };
  const init = {
    apiVersion,
    kind: 'InitConfiguration',
    localAPIEndpoint: { advertiseAddress: '192.0.2.10' },
    nodeRegistration: { name: 'node-a', criSocket: 'unix:///var/run/containerd/containerd.sock' },
  };
  writeFileSync(join(folder, 'configuration.yaml'), `${stringifyYaml(cluster)}---\n${stringifyYaml(init)}`);
  runPhase('certs', 'ca');
  runPhase('kubeconfig', 'admin', '--kubeconfig-dir', folder);
});
afterAll(() => rmSync(folder, { recursive: true }));

it.each(Object.entries(kubeadmPhases))('kubeadm writes the same objects: %s', (writer, phase) => {
  const real = rbacObjectsOf(runPhase(...phase, '--dry-run'));
  expect(rbacObjects(writer as RbacWriter)).toEqual(real.map(withDefaults));
  const golden = new URL(`${writer.replace('/', '-')}.yaml`, goldens);
  const text = real.map((object) => stringifyYaml(object)).join('---\n');
  if (process.env.GROUNDPLANE_UPDATE_GOLDENS === '1') {
    mkdirSync(goldens, { recursive: true });
    writeFileSync(golden, text);
  }
  expect(readFileSync(golden, 'utf8')).toBe(text);
});
