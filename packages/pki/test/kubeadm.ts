import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** Runs the real kubeadm, whose path is in GROUNDPLANE_KUBEADM, and returns what it prints. */
export function kubeadm(...args: readonly string[]): string {
  const binary = process.env.GROUNDPLANE_KUBEADM;
  if (binary === undefined)
    throw new Error('Cannot compare with kubeadm as GROUNDPLANE_KUBEADM does not say where it is');
  return execFileSync(binary, args, { encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] });
}

/** A folder with a kubeadm configuration whose certificates live in it. */
export function kubeadmFolder(cluster: Readonly<Record<string, unknown>>) {
  const folder = mkdtempSync(join(tmpdir(), 'kubeadm-'));
  const certificatesDir = join(folder, 'pki');
  const documents = [
    {
      apiVersion: 'kubeadm.k8s.io/v1beta4',
      kind: 'InitConfiguration',
      localAPIEndpoint: { advertiseAddress: '192.0.2.10', bindPort: 6443 },
      nodeRegistration: { name: 'node-a', criSocket: 'unix:///run/none.sock' },
    },
    {
      apiVersion: 'kubeadm.k8s.io/v1beta4',
      kind: 'ClusterConfiguration',
      kubernetesVersion: 'v1.37.2',
      certificatesDir,
      ...cluster,
    },
  ];
  const configuration = join(folder, 'config.yaml');
  writeFileSync(configuration, documents.map((document) => JSON.stringify(document)).join('\n---\n'));
  return {
    folder,
    configuration,
    certificatesDir,
    read: (path: string) => readFileSync(join(folder, path), 'utf8'),
  };
}
