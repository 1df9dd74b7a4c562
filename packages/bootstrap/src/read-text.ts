import type { Host } from '@groundplane/phases';

/** The text of a file; `undefined` if it is not there. */
export async function readText({ files }: Host, path: string): Promise<string | undefined> {
  const content = await files.read(path);
  return content && new TextDecoder().decode(content.bytes);
}
