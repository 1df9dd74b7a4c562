import { createHash } from 'node:crypto';
import { lstatSync, readdirSync, readFileSync, readlinkSync } from 'node:fs';
import { join, relative } from 'node:path';

/** Everything below a folder, one line each: path, kind, mode, mtime in nanoseconds, digest or target. */
export function treePicture(folder: string): readonly string[] {
  const paths = readdirSync(folder, { recursive: true, withFileTypes: true }).map((entry) =>
    join(entry.parentPath, entry.name),
  );
  return [folder, ...paths.sort()].map((path) => {
    const status = lstatSync(path, { bigint: true });
    const content = status.isFile()
      ? createHash('sha256').update(readFileSync(path)).digest('hex')
      : status.isSymbolicLink()
        ? readlinkSync(path)
        : 'no file';
    return [relative(folder, path), status.mode.toString(8), status.mtimeNs, content].join(' ');
  });
}
