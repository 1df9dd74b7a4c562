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

/** What a program and all that it started opened and made. */
export interface FilesInTrace {
  /** Opened or made, under the names that they have at the end. */
  readonly opened: ReadonlySet<string>;
  /** Made and removed again, so that nobody can look into them any more. */
  readonly removed: ReadonlySet<string>;
}

/** @param trace written by `strace -f -y -e trace=%file -o FILE` */
export function filesInTrace(trace: string): FilesInTrace {
  const [opened, made, removed] = [new Set<string>(), new Set<string>(), new Set<string>()];
  for (const call of wholeCalls(trace)) {
    const [, name = '', rest = ''] = /^(\w+)\((.*)$/s.exec(call) ?? [];
    const [path, target] = pathsIn(rest);
    const descriptor = / = \d+<(\/[^>]*)>/.exec(rest)?.[1];
    if (descriptor !== undefined) {
      opened.add(descriptor);
      if (rest.includes('O_CREAT') || name === 'creat') made.add(descriptor);
    }
    if (path === undefined || !/ = 0$/.test(rest)) continue;
    if (/^(rename|link)/.test(name) && target !== undefined) {
      opened.add(target);
      made.add(target);
      if (name.startsWith('rename')) for (const set of [opened, made]) set.delete(path);
    }
    if (name.startsWith('unlink') && made.delete(path)) removed.add(path);
  }
  return { opened, removed };
}

/** Calls with what came back; those that another thread came between are put together. */
export function wholeCalls(trace: string): readonly string[] {
  const begun = new Map<string, string>();
  return trace.split('\n').flatMap((line) => {
    const [, process = '', text = ''] = /^(\d+) +(.*)$/.exec(line) ?? [];
    const [, begin] = /^(.*) <unfinished \.\.\.>$/.exec(text) ?? [];
    if (begin !== undefined) {
      begun.set(process, begin);
      return [];
    }
    const [, end] = /^<\.\.\. \w+ resumed>(.*)$/.exec(text) ?? [];
    return [end === undefined ? text : `${begun.get(process) ?? ''}${end}`];
  });
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
