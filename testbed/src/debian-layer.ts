import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, renameSync, rmSync } from 'node:fs';
import { basename, join } from 'node:path';
import { cacheDirectory } from './cache-directory.ts';
import { withExclusiveLock } from './exclusive-lock.ts';
import { requireRoot } from './host-programs.ts';
import { type Report, reportToStderr, withProgress } from './progress.ts';
import { mustRun } from './run-command.ts';

/** What installing leaves behind and no machine needs. */
const leftovers: readonly string[] = [
  'etc/resolv.conf',
  'run',
  'tmp',
  'usr/share/doc',
  'usr/share/man',
  'var/cache/apt',
  'var/lib/apt/lists',
  'var/log',
];

/** `$1` the Debian root, `$2` the folder of the layer, `$3` the overlay's own, `$4` where it is put together; then the packages. */
const installScript = [
  'set -e',
  'mount -t overlay -o "lowerdir=$1,upperdir=$2,workdir=$3" layer "$4"',
  'mount -t proc proc "$4/proc"',
  'mount --bind /dev "$4/dev"',
  'cp /etc/resolv.conf "$4/etc/resolv.conf"',
  'root=$4',
  'shift 4',
  'chroot "$root" apt-get --quiet update',
  // What a crash leaves half-made is thrown away, so nothing has to be made durable on the way.
  'chroot "$root" apt-get --quiet --option=Dpkg::Options::=--force-unsafe-io install --yes --no-install-recommends "$@"',
].join('\n');

/**
 * Makes the read-only layer with Debian packages beyond those that every machine has, unless the cache has it (about
 * 40 s), and returns its folder. It lies above the Debian root that it was made on.
 *
 * @param debian folder of the Debian root
 * @throws Error when not root, or a package cannot be installed (with apt's last lines)
 */
export async function ensureDebianLayer(
  packages: readonly string[],
  debian: string,
  report: Report = reportToStderr,
): Promise<string> {
  const recipe = JSON.stringify([basename(debian), [...packages].sort()]);
  const parent = join(cacheDirectory(), 'debian-layers');
  const layer = join(parent, createHash('sha256').update(recipe).digest('hex').slice(0, 16));
  if (existsSync(layer)) return layer;
  requireRoot('install Debian packages for machines');
  mkdirSync(parent, { recursive: true });
  const make = async () => {
    if (existsSync(layer)) return;
    for (const name of readdirSync(parent)) {
      if (name.startsWith('.unfinished')) rmSync(join(parent, name), { recursive: true, force: true });
    }
    const title = `installing ${packages.join(', ')} for machines`;
    const unfinished = join(parent, `.unfinished-${process.pid}`);
    await withProgress(title, report, () => install(packages, debian, unfinished));
    renameSync(join(unfinished, 'layer'), layer);
    rmSync(unfinished, { recursive: true, force: true });
  };
  const waiting = (holder: string) => report(`waiting for ${holder}, which installs Debian packages`);
  await withExclusiveLock(join(cacheDirectory(), 'debian-layers.lock'), make, waiting);
  return layer;
}

async function install(packages: readonly string[], debian: string, unfinished: string): Promise<void> {
  const [layer, work, root] = ['layer', 'work', 'root'].map((name) => join(unfinished, name)) as [
    string,
    string,
    string,
  ];
  for (const folder of [layer, work, root]) mkdirSync(folder, { recursive: true });
  // In a mount namespace of its own, which takes the mounts with it however this ends.
  const isolated = ['unshare', '--mount', '--propagation', 'private'];
  await mustRun([...isolated, 'sh', '-c', installScript, 'sh', debian, layer, work, root, ...packages], {
    env: { ...process.env, DEBIAN_FRONTEND: 'noninteractive', LC_ALL: 'C' },
  });
  for (const name of leftovers) rmSync(join(layer, name), { recursive: true, force: true });
}
