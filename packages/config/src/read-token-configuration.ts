import { errorsOf, type Finding } from '@groundplane/errors';
import { documentsOfFlags } from './apply-flags.ts';
import type { BootstrapToken } from './configuration-types.ts';
import { decodeDocument } from './decode-document.ts';
import { invalidConfiguration, problemFinding } from './findings.ts';
import type { FlagValues } from './flag.ts';
import { initConfiguration } from './init-configuration-schema.ts';
import { ignoredFlag } from './join-document-of-flags.ts';
import { refuseMixedFlags } from './mixed-flags.ts';
import { readInitConfiguration } from './read-configuration.ts';
import { tokenFlags } from './token-flag-table.ts';
import { validateToken } from './validate-configuration.ts';
import { valueRules } from './value-rules.ts';

/** The bootstrap tokens that `token create` was asked for; one without a value wants a random one. */
export interface ReadTokenConfiguration {
  readonly tokens: readonly BootstrapToken[];
  readonly warnings: readonly Finding[];
}

export interface ReadTokenOptions {
  /** Flags given on the command line, without those that were not given. */
  readonly flags?: FlagValues;
  /** `id.secret`: the argument of the command, if there is one. Secret. */
  readonly token?: string | undefined;
}

/**
 * Reads the `bootstrapTokens` of an InitConfiguration, or what flags and the argument make of one (kubeadm, cmd/token.go).
 *
 * @param text the file's content, YAML or JSON; undefined if flags alone decide
 * @throws as `readInitConfiguration`
 */
export function readTokenConfiguration(
  text: string | undefined,
  { flags = {}, token = '' }: ReadTokenOptions = {},
): ReadTokenConfiguration {
  refuseMixedFlags(flags, text);
  if (text !== undefined) {
    const { init, warnings } = readInitConfiguration(text);
    return { tokens: init.bootstrapTokens, warnings: token === '' ? warnings : [...warnings, unusedArgument] };
  }
  const reason = token === '' ? undefined : valueRules.bootstrapToken(token);
  if (reason !== undefined) throw invalidConfiguration('the token', [problemFinding({ path: 'the token', reason })]);
  const { init, problems } = documentsOfFlags(flags, tokenFlags);
  const [byFlags = {}] = (init.bootstrapTokens ?? []) as readonly object[];
  const given = { ...byFlags, ...(token !== '' && { token }) };
  const decoded = decodeDocument(initConfiguration, { bootstrapTokens: [given] });
  const tokens = decoded.value.bootstrapTokens;
  const findings = [...problems, ...decoded.problems, ...tokens.flatMap(validateToken)].map(problemFinding);
  const errors = errorsOf(findings);
  if (errors.length > 0) throw invalidConfiguration('the bootstrap token', errors);
  return { tokens, warnings: findings };
}

const unusedArgument = ignoredFlag(
  'config',
  'The token that was given has no effect beside --config: the tokens of the file are created',
  'Leave the argument out',
);
