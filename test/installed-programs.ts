import { chmodSync, existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { mustRun } from './run-program.ts';

export interface InstalledPrograms {
  /** Path of the real kubeadm. */
  readonly kubeadm: string;
  /** Path of our program under the name kubeadm. */
  readonly ours: string;
  /** The same under its own name. */
  readonly groundplane: string;
  remove(): void;
}

/**
 * The real kubeadm, and ours as people get it: from the archive that GROUNDPLANE_ARCHIVE names, or as the packages' build made it.
 *
 * @throws Error if GROUNDPLANE_KUBEADM does not say where kubeadm is
 */
export async function installPrograms(): Promise<InstalledPrograms> {
  const { GROUNDPLANE_KUBEADM: kubeadm, GROUNDPLANE_ARCHIVE: archive } = process.env;
  if (kubeadm === undefined || !existsSync(kubeadm))
    throw new Error('Cannot compare with kubeadm as GROUNDPLANE_KUBEADM does not say where it is');
  const folder = mkdtempSync(join(tmpdir(), 'installed-programs-'));
  // Ordinary users call them as well.
  chmodSync(folder, 0o755);
  const remove = () => rmSync(folder, { recursive: true, force: true });
  if (archive !== undefined) {
    await mustRun('tar', ['-xzf', archive, '-C', folder], { cwd: folder });
    return {
      kubeadm,
      ours: join(folder, 'groundplane/bin/kubeadm'),
      groundplane: join(folder, 'groundplane/bin/groundplane'),
      remove,
    };
  }
  const launcher = (name: string) => {
    const path = join(folder, name);
    const program = fileURLToPath(new URL(`../packages/cli/dist/bin/${name}.js`, import.meta.url));
    writeFileSync(path, `#!/bin/sh\nexec '${process.execPath}' '${program}' "$@"\n`);
    chmodSync(path, 0o755);
    return path;
  };
  return { kubeadm, ours: launcher('kubeadm'), groundplane: launcher('groundplane'), remove };
}
