import { discoveryFilesOf, validateConfigurationFile } from '@groundplane/config';
import { errorsOf, warningsOf } from '@groundplane/errors';
import { cliError } from '../error-codes.ts';
import type { Invocation } from '../invocation.ts';
import { nodeHost } from '../node-host.ts';
import { readConfigFile } from '../read-config-file.ts';
import { failedDocument, printDocument, wantsDocument } from '../render/print-document.ts';
import { printWarnings } from '../render/warning-lines.ts';
import { hostFacts, mandatoryFlag, missingFiles } from './config-command.ts';

/**
 * `config validate`: `ok`, or all that is wrong with the file; with `-o json` one document with the findings either way.
 *
 * @throws GroundplaneError CLI_CONFIGURATION_INVALID with the findings that are errors, CLI_FILE_UNREADABLE, CLI_FLAG_MANDATORY
 */
export async function validateConfiguration(invocation: Invocation): Promise<void> {
  const path = mandatoryFlag(invocation, 'config');
  const node = await nodeHost(invocation);
  const text = await readConfigFile(node, path);
  const [host, missing] = await Promise.all([hostFacts(node), missingFiles(node, discoveryFilesOf(text))]);
  const { valid, findings } = validateConfigurationFile(text, {
    host,
    missingFiles: missing,
    allowExperimentalApi: invocation.flags['allow-experimental-api'] === true,
  });
  printWarnings(invocation, warningsOf(findings));
  const document = { file: path, valid, findings };
  if (valid && wantsDocument(invocation)) return printDocument(invocation, document);
  if (valid) return invocation.output.stdout('ok\n');
  const errors = errorsOf(findings);
  const count = errors.length === 1 ? '1 thing in it is wrong' : `${errors.length} things in it are wrong`;
  const failure = cliError('CLI_CONFIGURATION_INVALID', `Cannot use ${path} as a configuration as ${count}`, {
    findings: errors,
    details: { path },
  });
  throw failedDocument(invocation, document, failure);
}
