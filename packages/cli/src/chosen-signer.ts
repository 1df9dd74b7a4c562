import { requestingSigner, webCryptoSigner } from '@groundplane/bootstrap';
import {
  goDurationMilliseconds,
  readGroundplaneConfiguration,
  reasonAgainstCommand,
  type SignerSettings,
} from '@groundplane/config';
import { isGroundplaneError } from '@groundplane/errors';
import { commandSigner } from '@groundplane/linux';
import type { Signer } from '@groundplane/phases';
import { shellWords } from './arguments/shell-words.ts';
import { cliError } from './error-codes.ts';
import type { Invocation } from './invocation.ts';

export interface SignerChoice {
  /** Text of the file that `--config` names. */
  readonly text: string | undefined;
  /** Name of the node, once it is known. */
  readonly node: () => string | undefined;
}

/**
 * The signer that the command line or else the file names; the keys of the CAs on the node where nobody names one. What the cluster keeps
 * does not count: nobody's machine runs a command as somebody has changed a ConfigMap.
 *
 * @throws GroundplaneError CLI_FLAG_VALUE, and those of `signerOfPlugin`
 */
export async function chosenSigner(
  { flags, signal }: Pick<Invocation, 'flags' | 'signal'>,
  { text, node }: SignerChoice,
): Promise<Signer> {
  const flag = flags['signer-command'];
  const settings = flagSettings(flag === undefined ? undefined : String(flag)) ?? settingsIn(text);
  if (settings === undefined) return webCryptoSigner();
  const { command, timeout, plugin = '', parameters } = settings;
  if (command === undefined) return (await import('./plugins/signer-of-plugin.ts')).signerOfPlugin(plugin, parameters);
  const timeoutMs = timeout === undefined ? undefined : goDurationMilliseconds(timeout);
  return requestingSigner(command[0] ?? '', commandSigner({ command, timeoutMs, node, signal }));
}

/** @throws GroundplaneError CLI_FLAG_VALUE */
function flagSettings(value: string | undefined): SignerSettings | undefined {
  if (value === undefined) return undefined;
  const split = shellWords(value);
  const reason = 'reason' in split ? split.reason : reasonAgainstCommand(split.words);
  if (reason !== undefined)
    throw cliError('CLI_FLAG_VALUE', `Cannot use --signer-command as ${reason}`, {
      hint: "Give the program and its arguments as words: --signer-command '/usr/local/bin/sign --ca main'; or put them into signer.command of the GroundplaneConfiguration",
    });
  return 'words' in split ? { command: split.words } : undefined;
}

/** What is wrong with the file is said by whoever reads all of it. */
function settingsIn(text = ''): SignerSettings | undefined {
  if (!text.includes('GroundplaneConfiguration')) return undefined;
  try {
    return readGroundplaneConfiguration(text)?.signer;
  } catch (error) {
    if (!isGroundplaneError(error) || error.kind === 'internal') throw error;
    return undefined;
  }
}
