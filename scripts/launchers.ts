import { chmodSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** The names that the program is started by. */
export const programs = ['groundplane', 'kubeadm'];

/**
 * Writes `bin/groundplane` and `bin/kubeadm`, which start the application beside them with the Node.js beside them.
 *
 * @param root folder of the repository
 * @param stage folder of the archive
 */
export function writeLaunchers(root: string, stage: string): void {
  const template = readFileSync(join(root, 'scripts/launcher.sh'), 'utf8');
  mkdirSync(join(stage, 'bin'), { recursive: true });
  for (const program of programs) {
    const launcher = join(stage, 'bin', program);
    writeFileSync(launcher, template.replaceAll('PROGRAM', program));
    chmodSync(launcher, 0o755);
  }
}
