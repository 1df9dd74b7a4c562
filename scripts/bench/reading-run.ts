import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Measurement, Side } from './benchmark.ts';
import { measureOnHost } from './measured-run.ts';
import { phaseConfiguration } from './phase-configuration.ts';
import type { Programs } from './programs.ts';

/** `version` on this host. */
export function runVersion(programs: Programs, side: Side, scratch: string): Promise<Measurement> {
  return inFolder(scratch, (folder) => measureOnHost([programs.paths[side], 'version'], folder));
}

/** `config validate` on this host, of a file that both sides accept. */
export function runValidation(programs: Programs, side: Side, scratch: string): Promise<Measurement> {
  return inFolder(scratch, (folder) => {
    const config = join(folder, 'config.yaml');
    const certificatesDir = '/etc/kubernetes/pki';
    writeFileSync(config, phaseConfiguration({ ...programs, certificatesDir, algorithm: 'RSA-2048' }));
    return measureOnHost([programs.paths[side], 'config', 'validate', '--config', config], folder);
  });
}

async function inFolder<T>(scratch: string, run: (folder: string) => Promise<T>): Promise<T> {
  const folder = mkdtempSync(join(scratch, 'reading-'));
  try {
    return await run(folder);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
