import { messageOf } from '@groundplane/errors';
import { cliError } from './error-codes.ts';
import type { NodeHost } from './node-host.ts';

/**
 * Reads a file that the command line names.
 *
 * @param path as given
 * @param failure how the message begins: `Cannot read admin.crt`
 * @throws GroundplaneError CLI_FILE_UNREADABLE of kind usage, whatever the reason
 */
export async function readNamedFile({ host, absolute }: NodeHost, path: string, failure: string): Promise<Uint8Array> {
  const refused = (reason: string, cause?: unknown) =>
    cliError('CLI_FILE_UNREADABLE', `${failure}: ${reason}`, { details: { path }, cause });
  let file: Awaited<ReturnType<typeof host.files.read>>;
  try {
    file = await host.files.read(absolute(path));
  } catch (thrown) {
    throw refused(messageOf(thrown), thrown);
  }
  if (file === undefined) throw refused('there is no such file');
  return file.bytes;
}
