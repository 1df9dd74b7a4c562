/** System calls that change a file system, or open something for it, as `strace -e trace=` takes them. */
const tracedCalls = [
  ...['open', 'openat', 'openat2', 'creat', 'mkdir', 'mkdirat', 'mknod', 'mknodat', 'rename', 'renameat', 'renameat2'],
  ...['unlink', 'unlinkat', 'rmdir', 'link', 'linkat', 'symlink', 'symlinkat', 'truncate', 'ftruncate', 'fallocate'],
  ...['chmod', 'fchmod', 'fchmodat', 'fchmodat2', 'chown', 'fchown', 'lchown', 'fchownat', 'utime', 'utimes'],
  ...['utimensat', 'futimesat', 'setxattr', 'lsetxattr', 'fsetxattr', 'removexattr', 'mount', 'umount2'],
].map((name) => `?${name}`);

/** Words before a command by which these calls of it are traced into a file. */
export const tracer = (file: string): readonly string[] => [
  ...['strace', '-f', '-qq', '-s', '256', '-e', `trace=${tracedCalls.join()}`, '-o', file],
];

/** What anybody may write to; and Node.js makes sure of its own folder in the archive, which is there. */
const harmless = /"\/dev\/(?:null|tty|pts\/\d+)"|\/lib\/compile-cache\/[^"/]*", 0777\) += -1 EEXIST/;

/**
 * The lines of a trace by {@link tracer} that change something, or were meant to: an attempt that failed counts as well.
 */
export function changesIn(trace: string): readonly string[] {
  return trace.split('\n').filter((line) => {
    const call = /^(?:\d+\s+)?([a-z0-9]+)\((.*)$/.exec(line);
    if (call === null) return false;
    const [, name = '', rest = ''] = call;
    const isOpen = name.startsWith('open');
    return (!isOpen || /\bO_(?:WRONLY|RDWR|CREAT|TRUNC|APPEND)\b/.test(rest)) && !harmless.test(rest);
  });
}
