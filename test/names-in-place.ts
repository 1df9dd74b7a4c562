import { basename, dirname } from 'node:path';

export interface NamesInPlace {
  /** Files that appeared under their names whole: something beside them was renamed to them. */
  readonly whole: readonly string[];
  /** Calls that write under a name that others read, or may do so. */
  readonly partial: readonly string[];
}

/** Calls after which a name may be there whose file is not whole. */
const writing =
  /^(?:open|openat|openat2|creat|truncate|link|linkat|symlink|symlinkat|mknod|mknodat|rename|renameat|renameat2)$/;
const forWriting = /O_WRONLY|O_RDWR|O_CREAT|O_TRUNC/;
/** A name that nobody but its writer looks for. */
const temporary = /^\.(.+)\.groundplane-[0-9a-f]+$/;

/**
 * How files below some folders got their names, in one or several traces of `strace -f -y -e trace=%file`. Programs that were started are
 * looked at as well; calls that failed are left out, those cut short by a kill are not.
 *
 * @param folders absolute
 */
export function namesInPlace(trace: string, folders: readonly string[]): NamesInPlace {
  const whole: string[] = [];
  const partial: string[] = [];
  const isBelow = (path: string) => folders.some((folder) => path.startsWith(`${folder}/`));
  for (const line of trace.split('\n')) {
    const call = /^(?:\d+ +)?(\w+)\((.*)$/.exec(line);
    if (call === null) continue;
    const [, name = '', rest = ''] = call;
    if (!writing.test(name) || / = -1 E/.test(rest)) continue;
    if (name.startsWith('open') && !forWriting.test(rest)) continue;
    const paths = [...rest.matchAll(/"((?:[^"\\]|\\.)*)"/g)].map(([, path = '']) => path);
    const target = name.startsWith('open') || paths.length < 2 ? (paths[0] ?? '') : (paths[1] ?? '');
    const path = target.startsWith('/') ? target : `${folderIn(rest)}/${target}`;
    if (!isBelow(path)) continue;
    if (temporary.test(basename(path)) && !name.startsWith('rename')) continue;
    const [from = ''] = paths;
    const isOwn = dirname(from) === dirname(path) && temporary.exec(basename(from))?.[1] === basename(path);
    if (name.startsWith('rename') && isOwn) whole.push(path);
    else partial.push(line);
  }
  return { whole, partial };
}

/** What a relative path counts from, as `-y` shows it. */
function folderIn(rest: string): string {
  return /<([^>]*)>, "[^"]*"[^"]*$/.exec(rest)?.[1] ?? '';
}
