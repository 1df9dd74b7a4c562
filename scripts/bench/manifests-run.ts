import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Measurement, Side } from './benchmark.ts';
import { measureOnHost } from './measured-run.ts';
import { phaseConfiguration } from './phase-configuration.ts';
import type { Programs } from './programs.ts';

const expectedFiles = ['kube-apiserver.yaml', 'kube-controller-manager.yaml', 'kube-scheduler.yaml'];

/** `init phase control-plane all` on this host, with an /etc/kubernetes of its own. */
export async function runManifests(programs: Programs, side: Side, scratch: string): Promise<Measurement> {
  const folder = mkdtempSync(join(scratch, 'manifests-'));
  try {
    const config = join(folder, 'config.yaml');
    const certificatesDir = '/etc/kubernetes/pki';
    writeFileSync(config, phaseConfiguration({ ...programs, certificatesDir, algorithm: 'RSA-2048' }));
    const argv = [programs.paths[side], 'init', 'phase', 'control-plane', 'all', '--config', config];
    const measurement = await measureOnHost(argv, folder);
    const found = readdirSync(join(folder, 'etc/kubernetes/manifests')).toSorted();
    if (found.join() !== expectedFiles.join()) {
      throw new Error(`cannot compare as ${side} wrote other manifests than ${expectedFiles.join()}: ${found.join()}`);
    }
    return measurement;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
