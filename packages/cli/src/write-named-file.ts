import { writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import { messageOf } from '@groundplane/errors';
import { cliError } from './error-codes.ts';
import type { NodeHost } from './node-host.ts';

/**
 * Puts a text into a file that the command line names, in one step; what is no regular file (a pipe, a terminal) is written to as it is.
 *
 * @param path as given
 * @param options.what is written, for messages: `the new configuration`
 * @throws GroundplaneError CLI_FILE_UNWRITABLE
 */
export async function writeNamedFile(
  { host: { files }, absolute, locate }: NodeHost,
  path: string,
  { text, what }: { readonly text: string; readonly what: string },
): Promise<void> {
  const place = absolute(path);
  try {
    const existing = await files.status(place);
    // A folder that is missing is more likely a typing mistake than wanted.
    if (existing === undefined && (await files.status(dirname(place))) === undefined) {
      throw new Error(`there is no folder ${dirname(place)}`);
    }
    if (existing !== undefined && existing.kind !== 'file') await writeFile(await locate(place), text);
    else await files.write(place, new TextEncoder().encode(text), { mode: 0o644 });
  } catch (thrown) {
    throw cliError(
      'CLI_FILE_UNWRITABLE',
      `failed to write ${what} to the file ${JSON.stringify(path)}: ${messageOf(thrown)}`,
      { details: { path }, cause: thrown },
    );
  }
}
