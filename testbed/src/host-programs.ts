import { accessSync, constants } from 'node:fs';
import { join } from 'node:path';
import { type Report, reportToStderr } from './progress.ts';
import { mustRun, runCommand } from './run-command.ts';

/** What a program of the host is needed for. */
export type HostTask = 'components' | 'images' | 'machines' | 'tests';

/** A program that this host must have, and the Debian package that brings it. */
export interface HostProgram {
  readonly program: string;
  readonly package: string;
  readonly neededFor: readonly HostTask[];
}

/**
 * Every program of the host that the testbed runs. Go is missing on purpose: Debian's
 * is too old to build Kubernetes, so the person has to say which one it shall be.
 */
export const hostPrograms: readonly HostProgram[] = [
  { program: 'flock', package: 'util-linux', neededFor: ['components', 'images', 'machines'] },
  { program: 'tar', package: 'tar', neededFor: ['images', 'machines'] },
  { program: 'debootstrap', package: 'debootstrap', neededFor: ['images', 'machines'] },
  { program: 'runc', package: 'runc', neededFor: ['machines'] },
  { program: 'ip', package: 'iproute2', neededFor: ['machines', 'tests'] },
  { program: 'sysctl', package: 'procps', neededFor: ['machines'] },
  { program: 'nft', package: 'nftables', neededFor: ['machines'] },
  { program: 'strace', package: 'strace', neededFor: ['tests'] },
  { program: 'openssl', package: 'openssl', neededFor: ['tests'] },
  { program: 'jq', package: 'jq', neededFor: ['tests'] },
  { program: 'unshare', package: 'util-linux', neededFor: ['tests'] },
  { program: 'perl', package: 'perl-base', neededFor: ['tests'] },
  { program: 'chromium', package: 'chromium', neededFor: ['tests'] },
];

const programFolders = ['/usr/local/sbin', '/usr/local/bin', '/usr/sbin', '/usr/bin', '/sbin', '/bin'];

/** The programs needed for these tasks that this host does not have. */
export function missingHostPrograms(tasks: readonly HostTask[]): readonly HostProgram[] {
  return hostPrograms.filter(
    ({ program, neededFor }) => neededFor.some((task) => tasks.includes(task)) && !isInstalled(program),
  );
}

function isInstalled(program: string): boolean {
  return programFolders.some((folder) => {
    try {
      accessSync(join(folder, program), constants.X_OK);
      return true;
    } catch {
      return false;
    }
  });
}

/**
 * Installs what these tasks need and this host lacks, by apt-get when we are root.
 *
 * @throws Error that names the missing programs and the command that installs them,
 *   when we may not or cannot install them.
 */
export async function ensureHostPrograms(tasks: readonly HostTask[], report: Report = reportToStderr): Promise<void> {
  const missing = missingHostPrograms(tasks);
  if (missing.length === 0) return;
  const packages = [...new Set(missing.map((one) => one.package))];
  const install = ['apt-get', 'install', '--yes', '--no-install-recommends', ...packages];
  if (process.getuid?.() !== 0 || !isInstalled('apt-get')) {
    const programs = missing.map((one) => one.program).join(', ');
    throw new Error(`this host lacks ${programs}, needed for ${tasks.join(', ')}; run: sudo ${install.join(' ')}`);
  }
  report(`installing ${packages.join(', ')}`);
  const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' };
  if ((await runCommand(install, { env })).code === 0) return;
  // The package lists may be missing or too old.
  await mustRun(['apt-get', 'update'], { env });
  await mustRun(install, { env });
}

/** @throws Error when this process is not root, which machines need. */
export function requireRoot(task: string): void {
  if (process.getuid?.() !== 0) {
    throw new Error(`cannot ${task}: it needs root, and this is user ${process.getuid?.()}; run it with sudo`);
  }
}
