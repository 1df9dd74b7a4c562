/** What a program did to a path. */
export type FileDeed = 'open' | 'look' | 'change';

export interface FileAccess {
  readonly deed: FileDeed;
  /** Absolute. */
  readonly path: string;
}

/** Calls of `strace -e trace=%file`, by what they do; the rest is neither here nor there. */
const deeds: Readonly<Record<string, FileDeed>> = {
  ...Object.fromEntries(['open', 'openat', 'openat2'].map((call) => [call, 'open' as const])),
  ...Object.fromEntries(
    [
      'stat',
      'lstat',
      'newfstatat',
      'statx',
      'access',
      'faccessat',
      'faccessat2',
      'readlink',
      'readlinkat',
      'statfs',
    ].map((call) => [call, 'look' as const]),
  ),
  ...Object.fromEntries(
    [
      ...['creat', 'rename', 'renameat', 'renameat2', 'unlink', 'unlinkat', 'rmdir', 'mkdir', 'mkdirat', 'link'],
      ...['linkat', 'symlink', 'symlinkat', 'chmod', 'fchmodat', 'fchmodat2', 'chown', 'lchown', 'fchownat'],
      ...['truncate', 'utimensat', 'mknod', 'mknodat', 'mount', 'umount2', 'setxattr', 'removexattr'],
    ].map((call) => [call, 'change' as const]),
  ),
};

const writing = /O_WRONLY|O_RDWR|O_CREAT|O_TRUNC/;

/**
 * The files that a program opened, looked at or changed. Programs that it started are left out: what they read is their own affair.
 *
 * @param trace written by `strace -f -y -e trace=%file -o FILE`
 */
export function fileAccesses(trace: string): readonly FileAccess[] {
  const others = new Set<string>();
  let own: string | undefined;
  const accesses: FileAccess[] = [];
  for (const line of trace.split('\n')) {
    const call = /^(\d+) +(\w+)\((.*)$/.exec(line);
    if (call === null) continue;
    const [, process = '', name = '', rest = ''] = call;
    own ??= process;
    if (name === 'execve' && process !== own) others.add(process);
    const deed = deeds[name];
    if (deed === undefined || others.has(process)) continue;
    for (const path of pathsIn(rest)) {
      accesses.push({ path, deed: deed === 'open' && writing.test(rest) ? 'change' : deed });
    }
  }
  return accesses;
}

/** Absolute paths among the arguments; relative ones count from the directory that is named before them. */
function pathsIn(text: string): readonly string[] {
  return [...text.matchAll(/(?:(?:AT_FDCWD|\d+)<([^>]*)>, )?"((?:[^"\\]|\\.)*)"/g)].flatMap(
    ([, folder = '', path = '']) => {
      if (path.startsWith('/')) return [path];
      return folder === '' || path === '' ? [] : [`${folder.replace(/\/$/, '')}/${path}`];
    },
  );
}
