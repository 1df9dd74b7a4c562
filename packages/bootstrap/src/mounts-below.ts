import { type MountLine, parseMountTable } from '@groundplane/phases';

/**
 * What is mounted strictly below a directory: neither at the directory itself nor at one whose name only begins alike
 * (kubeadm: cmd/phases/reset/unmount_linux.go).
 *
 * @param table text in the form of /proc/mounts (fstab(5))
 * @param directory absolute path without symbolic links
 * @returns in the order of the table, in which what was mounted later comes later
 */
export function mountsBelow(table: string, directory: string): readonly MountLine[] {
  const prefix = `${directory.replace(/\/+$/, '')}/`;
  return parseMountTable(table).filter(({ mountPoint }) => mountPoint.startsWith(prefix));
}
