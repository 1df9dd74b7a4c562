/** Joins a folder and names below it, with `.`, `..` and doubled slashes resolved (Go: filepath.Join). */
export function joinPath(...parts: readonly string[]): string {
  return cleanPath(parts.filter((part) => part !== '').join('/'));
}

/** The folder of a file; `.` for the empty path (Go: filepath.Dir). */
export function directoryOf(path: string): string {
  return cleanPath(path.slice(0, path.lastIndexOf('/') + 1));
}

function cleanPath(path: string): string {
  const rooted = path.startsWith('/');
  const kept: string[] = [];
  for (const part of path.split('/')) {
    if (part === '' || part === '.') continue;
    if (part !== '..') kept.push(part);
    else if (kept.length > 0 && kept.at(-1) !== '..') kept.pop();
    else if (!rooted) kept.push('..');
  }
  const joined = kept.join('/');
  if (rooted) return `/${joined}`;
  return joined === '' ? '.' : joined;
}
