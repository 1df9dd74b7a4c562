import { randomToken } from '@groundplane/bootstrap';
import { discoveryFilesOf, migrateConfiguration as migrate } from '@groundplane/config';
import { systemEntropy } from '@groundplane/host';
import { parseDocuments } from '@groundplane/manifest';
import { type Invocation, textFlag } from '../invocation.ts';
import { nodeHost } from '../node-host.ts';
import { namingFile, readConfigFile } from '../read-config-file.ts';
import { printDocument, wantsDocument } from '../render/print-document.ts';
import { shownText } from '../render/shown-text.ts';
import { printWarnings } from '../render/warning-lines.ts';
import { writeNamedFile } from '../write-named-file.ts';
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
  if (target !== '') await writeNamedFile(node, target, { text, what: 'the new configuration' });
  printWarnings(invocation, warnings);
  for (const { message } of remarks) invocation.output.stderr(`${shownText(message, { quotesInput: true })}\n`);
  if (wantsDocument(invocation)) {
    const written = target === '' ? { documents: parseDocuments(text).map(({ value }) => value) } : { file: target };
    printDocument(invocation, { ...written, remarks, warnings });
  } else if (target === '') invocation.output.stdout(text);
}
