/** Directories that are never emptied, nor is anything that contains one of them (Filesystem Hierarchy Standard 3.0). */
const systemDirectories = [
  '/bin',
  '/boot',
  '/dev',
  '/etc',
  '/etc/pki',
  '/etc/ssl',
  '/etc/ssl/certs',
  '/home',
  '/lib',
  '/lib64',
  '/media',
  '/mnt',
  '/opt',
  '/proc',
  '/root',
  '/run',
  '/sbin',
  '/srv',
  '/sys',
  '/tmp',
  '/usr',
  '/usr/bin',
  '/usr/lib',
  '/usr/local',
  '/usr/sbin',
  '/usr/share',
  '/var',
  '/var/cache',
  '/var/lib',
  '/var/lib/containerd',
  '/var/log',
  '/var/run',
  '/var/spool',
  '/var/tmp',
] as const;

/** @param path absolute, without symbolic links */
export function isSystemDirectory(path: string): boolean {
  return contains(path, systemDirectories);
}

/** True if emptying a directory would take one of these with it. */
export function contains(path: string, others: readonly string[]): boolean {
  const directory = path.replace(/\/+$/, '');
  return others.some((other) => other === directory || other.startsWith(`${directory}/`));
}

/**
 * The one guard of everything that reset empties.
 *
 * @param path absolute, without symbolic links
 * @param kept paths of what must not go with it
 * @returns why it must not be emptied, as the end of a sentence; undefined if nothing speaks against it
 */
export function refusalToEmpty(path: string, kept: readonly string[]): string | undefined {
  if (isSystemDirectory(path)) return 'it is a directory of the system';
  const other = kept.find((one) => contains(path, [one]));
  if (other === undefined) return undefined;
  return other === path ? 'other files of Kubernetes are in it' : `${other} is in it`;
}
