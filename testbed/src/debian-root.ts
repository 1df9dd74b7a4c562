import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, renameSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { cacheDirectory } from './cache-directory.ts';
import { withExclusiveLock } from './exclusive-lock.ts';
import { ensureHostPrograms, requireRoot } from './host-programs.ts';
import { type Report, reportToStderr, withProgress } from './progress.ts';
import { mustRun } from './run-command.ts';

const debianSuite = 'trixie';

/** What a machine has beside Debian's minimal base. */
export const debianPackages: readonly string[] = [
  'ca-certificates',
  'conntrack',
  'curl',
  'dbus',
  'ethtool',
  'iproute2',
  'iptables',
  'iputils-ping',
  'jq',
  'kmod',
  'mount',
  'nftables',
  'openssl',
  'procps',
  'runc',
  'socat',
  'strace',
  'systemd',
  'systemd-sysv',
  'util-linux',
];

/** Units that wait for hardware, mounts or a console that such a machine does not have. */
const maskedUnits: readonly string[] = [
  'apt-daily-upgrade.timer',
  'apt-daily.timer',
  'console-getty.service',
  'dev-hugepages.mount',
  'dev-mqueue.mount',
  'getty.target',
  'nftables.service',
  'sys-fs-fuse-connections.mount',
  'sys-kernel-config.mount',
  'sys-kernel-debug.mount',
  'sys-kernel-tracing.mount',
  'systemd-logind.service',
  'systemd-networkd.service',
  'systemd-resolved.service',
  'systemd-sysctl.service',
  'systemd-timesyncd.service',
  'systemd-udevd.service',
  'systemd-udev-trigger.service',
];

function rootDirectory(): string {
  const recipe = JSON.stringify([debianSuite, debianPackages, maskedUnits]);
  const digest = createHash('sha256').update(recipe).digest('hex').slice(0, 16);
  return join(cacheDirectory(), 'debian', `${debianSuite}-${digest}`);
}

/**
 * Makes the Debian root that all machines are overlays of, unless the cache has it
 * (about 40 s), and returns its folder. Nothing may ever write to it.
 *
 * @throws Error when not root, or debootstrap fails.
 */
export async function ensureDebianRoot(report: Report = reportToStderr): Promise<string> {
  const root = rootDirectory();
  if (existsSync(root)) return root;
  requireRoot('make the machines’ Debian root');
  await ensureHostPrograms(['machines'], report);
  const parent = join(cacheDirectory(), 'debian');
  const make = async () => {
    if (existsSync(root)) return;
    for (const name of readdirSync(parent)) {
      if (name.startsWith('.unfinished')) rmSync(join(parent, name), { recursive: true, force: true });
    }
    const unfinished = join(parent, `.unfinished-${process.pid}`);
    await withProgress(`making a Debian ${debianSuite} root`, report, () => bootstrap(unfinished));
    renameSync(unfinished, root);
  };
  mkdirSync(parent, { recursive: true });
  const waiting = (holder: string) => report(`waiting for ${holder}, which makes the Debian root`);
  await withExclusiveLock(join(cacheDirectory(), 'debian.lock'), make, waiting);
  return root;
}

async function bootstrap(target: string): Promise<void> {
  const packages = `--include=${debianPackages.join(',')}`;
  // In a mount namespace of its own: a killed debootstrap would leave /proc mounted in the target.
  const isolated = ['unshare', '--mount', '--propagation', 'private'];
  await mustRun([...isolated, 'debootstrap', '--variant=minbase', packages, debianSuite, target], {
    env: { ...process.env, DEBIAN_FRONTEND: 'noninteractive', LC_ALL: 'C' },
  });
  for (const folder of ['var/cache/apt', 'var/lib/apt/lists', 'var/log', 'usr/share/doc', 'usr/share/man']) {
    rmSync(join(target, folder), { recursive: true, force: true });
    mkdirSync(join(target, folder), { recursive: true });
  }
  for (const file of ['etc/hostname', 'etc/resolv.conf', 'etc/machine-id', 'var/lib/dbus/machine-id']) {
    rmSync(join(target, file), { force: true });
  }
  // Empty means: systemd makes one at the first boot, so each machine has its own.
  writeFileSync(join(target, 'etc/machine-id'), '');
  for (const unit of maskedUnits) {
    const link = join(target, 'etc/systemd/system', unit);
    rmSync(link, { force: true });
    symlinkSync('/dev/null', link);
  }
}
