import type { Problem } from './decode-document.ts';
import { any, duration, type Field, list, map, string, struct } from './field-schema.ts';
import { parseGoDuration } from './go-duration.ts';

/** Who is asked for certificates where the keys of the CAs are not on the node: a command, or the signer of a plugin. */
export interface SignerSettings {
  /** The program, an absolute path or a name that PATH finds, and its arguments, as words. */
  readonly command?: readonly string[];
  /** How long the command may take for one certificate: `5m0s`, which is what it is by itself. */
  readonly timeout?: string;
  /** Name of the signer. */
  readonly plugin?: string;
  /** What it is told. */
  readonly parameters?: Readonly<Record<string, unknown>>;
}

export const signerSettingsSchema: Field<SignerSettings> = struct<SignerSettings>(
  {
    command: list(string(), { optional: true }),
    timeout: duration({ optional: true }),
    plugin: string({ optional: true }),
    parameters: map(any(), { optional: true }),
  },
  { optional: true },
);

/** Values that cannot be used. */
export function validateSignerSettings({ command, timeout, plugin, parameters }: SignerSettings): readonly Problem[] {
  if ((command === undefined) === (plugin === undefined)) {
    const value = command === undefined ? 'none of them' : 'both';
    return [{ path: 'signer', reason: 'it needs either a command or a plugin', value }];
  }
  const problems: Problem[] = [];
  const reason = command && reasonAgainstCommand(command);
  if (reason !== undefined) problems.push({ path: 'signer.command', reason });
  if (plugin === '') problems.push({ path: 'signer.plugin', reason: 'it must name a signer', value: plugin });
  if (parameters !== undefined && plugin === undefined)
    problems.push({
      path: 'signer.parameters',
      reason: 'a command is told its arguments, and plugins alone parameters',
    });
  if (timeout !== undefined && command === undefined)
    problems.push({ path: 'signer.timeout', reason: 'plugins have time limits of their own', value: timeout });
  if (timeout !== undefined && !((parseGoDuration(timeout) ?? 0n) >= 1_000_000n))
    problems.push({ path: 'signer.timeout', reason: 'there must be some time', value: timeout });
  return problems;
}

/**
 * Why a command cannot be run.
 *
 * @returns undefined if it may be one
 */
export function reasonAgainstCommand([program = '', ...args]: readonly string[]): string | undefined {
  if (program === '') return 'its first word must name a program';
  if (program.includes('/') && !program.startsWith('/'))
    return 'its program must be an absolute path, or a name that PATH finds';
  if ([program, ...args].some((word) => word.includes('\0'))) return 'a word of it holds a zero byte';
  return undefined;
}
