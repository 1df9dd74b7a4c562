import { copyFileSync, existsSync, mkdirSync } from 'node:fs';
import { basename, join } from 'node:path';
import { componentPath, defaultKubernetesVersion, ensureComponents, type Report } from '@groundplane/testbed';
import type { Side } from './benchmark.ts';
import { capture } from './measured-run.ts';

export interface Programs {
  /** A copy of the archive with our program, which a build meanwhile does not change. */
  readonly archive: string;
  /** The program of a side, on this host. */
  readonly paths: Readonly<Record<Side, string>>;
  /** What each says about its version. */
  readonly versions: Readonly<Record<Side, string>>;
  /** Without `v`. */
  readonly kubernetesVersion: string;
}

/**
 * Puts both programs into a folder: ours from the archive, as people get it.
 *
 * @throws Error if the archive has not been made
 */
export async function ensurePrograms(scratch: string, archive: string, report: Report): Promise<Programs> {
  if (!existsSync(archive)) throw new Error(`cannot measure Groundplane as there is no ${archive}; run: ./dev pack`);
  await ensureComponents({ groups: [`kubernetes-${defaultKubernetesVersion}`] }, report);
  const folder = join(scratch, 'programs');
  mkdirSync(folder, { recursive: true });
  const paths = { kubeadm: join(folder, 'kubeadm'), groundplane: join(folder, 'groundplane/bin/groundplane') };
  copyFileSync(componentPath('kubeadm'), paths.kubeadm);
  const copy = join(folder, basename(archive));
  copyFileSync(archive, copy);
  await textOf(['tar', '-xzf', copy, '-C', folder]);
  return {
    archive: copy,
    paths,
    versions: {
      kubeadm: await textOf([paths.kubeadm, 'version', '-o', 'short']),
      groundplane: await textOf([paths.groundplane, 'version']),
    },
    kubernetesVersion: defaultKubernetesVersion,
  };
}

async function textOf(argv: readonly string[]): Promise<string> {
  const { code, stdout, stderr } = await capture(argv);
  if (code !== 0) throw new Error(`${argv.join(' ')} failed with exit code ${code}: ${stderr}`);
  return stdout.trim();
}
