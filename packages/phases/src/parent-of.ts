/** The directory that holds an absolute path; that of `/` is `/` itself. */
export function parentOf(path: string): string {
  return path.slice(0, path.lastIndexOf('/')) || '/';
}
