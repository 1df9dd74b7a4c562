/** The path that is meant by one of a flag or a configuration: relative ones count from the folder that the command was called in. */
export function absolutePath(path: string, workingDirectory: string): string {
  return path.startsWith('/') ? path : `${workingDirectory}/${path}`;
}
