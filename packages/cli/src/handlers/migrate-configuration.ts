import { writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import { randomToken } from '@groundplane/bootstrap';
import { discoveryFilesOf, migrateConfiguration as migrate } from '@groundplane/config';
import { messageOf } from '@groundplane/errors';
import { systemEntropy } from '@groundplane/host';
import { parseDocuments } from '@groundplane/manifest';
import { cliError } from '../error-codes.ts';
import { type Invocation, textFlag } from '../invocation.ts';
import { type NodeHost, nodeHost } from '../node-host.ts';
import { namingFile, readConfigFile } from '../read-config-file.ts';
import { printDocument, wantsDocument } from '../render/print-document.ts';
import { shownText } from '../render/shown-text.ts';
import { printWarnings } from '../render/warning-lines.ts';
import { hostFacts, mandatoryFlag, missingFiles } from './config-command.ts';

/**
 * `config migrate`: the file in the API version of this release, on stdout or in the file `--new-config`. What was changed on the
 * way is said on stderr. With `-o json` one document: the documents, what was changed, warnings.
 *
 * @throws GroundplaneError of the configuration; CLI_FILE_UNREADABLE, CLI_FILE_UNWRITABLE, CLI_FLAG_MANDATORY
 */
export async function migrateConfiguration(invocation: Invocation): Promise<void> {
  const path = mandatoryFlag(invocation, 'old-config');
  const node = await nodeHost(invocation);
  const old = await readConfigFile(node, path);
  const [host, missing] = await Promise.all([
    hostFacts(node, { sockets: true }),
    missingFiles(node, discoveryFilesOf(old)),
  ]);
  const entropy = systemEntropy();
  const { text, remarks, warnings } = await namingFile(path, () =>
    migrate(old, {
      host,
      missingFiles: missing,
      allowExperimentalApi: invocation.flags['allow-experimental-api'] === true,
      randomToken: () => randomToken(entropy),
    }),
  );
  const target = textFlag(invocation, 'new-config') ?? '';
  if (target !== '') await writeWhole(node, target, text);
  printWarnings(invocation, warnings);
  for (const { message } of remarks) invocation.output.stderr(`${shownText(message, { quotesInput: true })}\n`);
  if (wantsDocument(invocation)) {
    const written = target === '' ? { documents: parseDocuments(text).map(({ value }) => value) } : { file: target };
    printDocument(invocation, { ...written, remarks, warnings });
  } else if (target === '') invocation.output.stdout(text);
}

/** Puts the text into a file in one step; what is no regular file (a pipe, a terminal) is written to as it is. */
async function writeWhole({ host: { files }, absolute, locate }: NodeHost, path: string, text: string): Promise<void> {
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
      `failed to write the new configuration to the file ${JSON.stringify(path)}: ${messageOf(thrown)}`,
      { details: { path }, cause: thrown },
    );
  }
}
