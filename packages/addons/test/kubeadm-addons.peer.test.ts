import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseYaml, stringifyYaml } from '@groundplane/manifest';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { type AddonRow, addonRows, goldenFile } from './addon-rows.ts';

const kubeadm = process.env.GROUNDPLANE_KUBEADM ?? '';
let folder: string;

function run(...words: readonly string[]): string {
  const env = { PATH: process.env.PATH ?? '', KUBEADM_INIT_DRYRUN_DIR: folder };
  return execFileSync(kubeadm, words, { env, encoding: 'utf8', stdio: 'pipe' });
}

function configurationOf({ advertiseAddress, cluster }: AddonRow): string {
  const apiVersion = 'kubeadm.k8s.io/v1beta4';
  const node = { name: 'node-a', criSocket: 'unix:///var/run/containerd/containerd.sock' };
  const documents = [
    { apiVersion, kind: 'InitConfiguration', localAPIEndpoint: { advertiseAddress }, nodeRegistration: node },
    {
      ...{ apiVersion, kind: 'ClusterConfiguration', kubernetesVersion: 'v1.37.2' },
      ...{ certificatesDir: join(folder, 'pki'), encryptionAlgorithm: 'ECDSA-P256', ...cluster },
    },
  ];
  return documents.map((document) => stringifyYaml(document)).join('---\n');
}

/** What kubeadm would send to the API server: a dry run reads admin.conf from the folder and does without the server. */
function objectsOf(row: AddonRow, addon: string): string {
  const path = join(folder, `${row.name}.yaml`);
  writeFileSync(path, configurationOf(row));
  const output = run('init', 'phase', 'addon', addon, '--dry-run', '--config', path);
  return [...output.matchAll(/Attached object:\n([\s\S]*?\n)\n/g)]
    .map(([, text = '']) => stringifyYaml(parseYaml(text)))
    .join('---\n');
}

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'groundplane-addons-'));
  const [row] = addonRows;
  if (row === undefined) throw new Error('there are no rows');
  const path = join(folder, 'first.yaml');
  writeFileSync(path, configurationOf({ ...row, cluster: { controlPlaneEndpoint: '127.0.0.1:1' } }));
  run('init', 'phase', 'certs', 'ca', '--config', path);
  run('init', 'phase', 'kubeconfig', 'admin', '--kubeconfig-dir', folder, '--config', path);
});
afterAll(() => rmSync(folder, { recursive: true }));

const cases = addonRows.flatMap((row) => (['kube-proxy', 'coredns'] as const).map((addon) => ({ row, addon })));

it.each(cases)('kubeadm still deploys what the golden file says: $row.name $addon', ({ row, addon }) => {
  const objects = objectsOf(row, addon);
  const golden = goldenFile(row, addon);
  if (process.env.GROUNDPLANE_UPDATE_GOLDENS === '1') {
    mkdirSync(new URL('.', golden), { recursive: true });
    writeFileSync(golden, objects);
  }
  expect(objects.split('---\n')).toHaveLength(6);
  expect(readFileSync(golden, 'utf8')).toBe(objects);
});
