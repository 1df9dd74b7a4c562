import { isGroundplaneError } from '@groundplane/errors';
import { decodeText } from '@groundplane/manifest';
import { type Invocation, textFlag } from './invocation.ts';
import type { NodeHost } from './node-host.ts';
import { readNamedFile } from './read-named-file.ts';
import { withMessage } from './render/error-lines.ts';

/**
 * Reads a configuration file that the command line names.
 *
 * @param path as given
 * @throws GroundplaneError CLI_FILE_UNREADABLE of kind usage, whatever the reason
 */
export async function readConfigFile(node: NodeHost, path: string): Promise<string> {
  const bytes = await readNamedFile(node, path, `unable to read config from ${path}`);
  return namingFile(path, () => decodeText(bytes));
}

/** The file that `--config` names, as given, and its text; both undefined without the flag or where it is empty. */
export interface GivenConfig {
  readonly path: string | undefined;
  readonly text: string | undefined;
}

/**
 * Reads the configuration file that a command was given.
 *
 * @throws GroundplaneError CLI_FILE_UNREADABLE
 */
export async function givenConfig(invocation: Invocation, node: NodeHost): Promise<GivenConfig> {
  const path = textFlag(invocation, 'config') || undefined;
  return { path, text: path === undefined ? undefined : await readConfigFile(node, path) };
}

/** What is wrong with a whole file, and does not say which one. */
const aboutTheFile: ReadonlySet<string> = new Set([
  'MANIFEST_ENCODING_INVALID',
  'MANIFEST_TOO_LARGE',
  'CONFIG_UNREADABLE',
  'CONFIG_DOCUMENT_MISSING',
  'CONFIG_API_VERSION_UNSUPPORTED',
  'CONFIG_KIND_UNKNOWN',
]);

/**
 * Does something with the text of a configuration file; what is wrong with the text is said with the file's name.
 *
 * @param path as given; undefined where there is no file
 */
export async function namingFile<T>(path: string | undefined, action: () => T | Promise<T>): Promise<T> {
  try {
    return await action();
  } catch (thrown) {
    if (path === undefined || !isGroundplaneError(thrown) || !aboutTheFile.has(thrown.code)) throw thrown;
    if (thrown.message.includes(path)) throw thrown;
    throw withMessage(thrown, `${path}: ${thrown.message}`);
  }
}
