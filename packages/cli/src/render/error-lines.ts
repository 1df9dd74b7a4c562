import {
  errorsOf,
  type Finding,
  GroundplaneError,
  isGroundplaneError,
  messageOf,
  withholdSecrets,
  withholdTokens,
} from '@groundplane/errors';
import type { ProgramName } from '../invocation.ts';
import { findingLines, indented, isPreflight, namedMessage, preflightText } from './people-lines.ts';
import { shownText, withheldData } from './shown-text.ts';

export interface ErrorContext {
  readonly program: ProgramName;
  /** `--v`; from 5 on the stack is shown. */
  readonly verbosity: number;
}

/**
 * What stderr says about something that was thrown: findings first, then the error, then how to mend it. Every text of an
 * error comes through here or through {@link errorDocument}: what looks like a secret is withheld, control characters are escaped.
 */
export function errorLines(thrown: unknown, { program, verbosity }: ErrorContext): readonly string[] {
  const lines =
    program === 'kubeadm'
      ? kubeadmErrorLines(thrown, verbosity).map((line) => line.replaceAll(commandOfBoth, 'kubeadm'))
      : peopleErrorLines(thrown, verbosity);
  return lines.map((line) => shownText(line, { quotesInput: quotesInput(thrown) }));
}

/** Commands that are advised and that kubeadm has: whoever calls us by its name is told them by it. */
const commandOfBoth =
  /\bgroundplane(?= (?:init|join|reset|token|config|version|kubeconfig user|certs (?:check-expiration|certificate-key|generate-csr))\b)/g;

/** An error about what was asked for quotes it, and in it a key may stand where none belongs; elsewhere such digits are names. */
function quotesInput(thrown: unknown): boolean {
  return isGroundplaneError(thrown) && thrown.kind === 'usage';
}

function peopleErrorLines(thrown: unknown, verbosity: number): readonly string[] {
  const { headline, findings, hint } = explained(thrown);
  const stack = verbosity >= 5 || !isGroundplaneError(thrown) ? stackLines(thrown) : [];
  return [
    `error: ${headline}`,
    ...findings.flatMap(findingLines).map((line) => `  ${line}`),
    ...indented(hint, '  '),
    ...stack,
  ];
}

const stackHint = 'To see the stack trace of this error execute with --v=5 or higher';

/** kubeadm: util/errors/errors.go and preflight/checks.go. */
function kubeadmErrorLines(thrown: unknown, verbosity: number): readonly string[] {
  const stack = verbosity >= 5 ? stackLines(thrown) : [stackHint];
  const errors = isGroundplaneError(thrown) ? errorsOf(thrown.findings) : [];
  const failed = errors.filter(isPreflight);
  if (failed.length > 0) {
    const others = errors.filter((finding) => !isPreflight(finding));
    return [
      '[preflight] Some fatal errors occurred:',
      ...failed.map((finding) => `\t${preflightText(finding)}`),
      '[preflight] If you know what you are doing, you can make a check non-fatal with `--ignore-preflight-errors=...`',
      'error: error execution phase preflight: preflight checks failed',
      ...others.flatMap(findingLines).map((line) => `\t${line}`),
      ...stack,
    ];
  }
  const { headline, findings, hint } = explained(thrown);
  return [
    `error: ${headline}`,
    ...findings.flatMap(findingLines).map((line) => `\t${line}`),
    ...indented(hint, '\t'),
    ...stack,
  ];
}

interface Explanation {
  readonly headline: string;
  readonly findings: readonly Finding[];
  readonly hint: string;
}

/** Says everything once: a message that quotes its findings is cut down to a headline, and the findings follow. */
function explained(thrown: unknown): Explanation {
  if (!isGroundplaneError(thrown)) return { headline: messageOf(thrown), findings: [], hint: '' };
  const { message, findings } = thrown;
  const [only, ...more] = findings;
  const blocked = blockedCodes.has(thrown.code);
  if (only !== undefined && more.length === 0 && !blocked && message.includes(only.message)) {
    const headline = message.includes(only.artifact)
      ? message
      : message.replace(only.message, () => namedMessage(only));
    return { headline, findings: [], hint: thrown.hint ?? only.hint ?? '' };
  }
  const said = new Set(findings.flatMap((finding) => finding.hint?.split('\n') ?? []));
  const hint = (thrown.hint ?? '').split('\n').filter((line) => !said.has(line));
  return { headline: headlineOf(thrown), findings, hint: hint.join('\n') };
}

/** Errors whose findings are what stands in the way of a run. */
const blockedCodes: ReadonlySet<string> = new Set(['PHASES_CONFLICT', 'PHASES_EXTERNAL']);

function headlineOf({ code, message, findings }: GroundplaneError): string {
  const at = message.indexOf(findings.map((finding) => finding.message).join('; '));
  if (findings.length === 0 || at <= 0) return message;
  const before = message.slice(0, at).replace(/(?: as)?:? *$/, '');
  return blockedCodes.has(code) ? `${before}: ${standing(findings.length)}` : before;
}

/** `2 things stand in the way` */
export function standing(count: number): string {
  return count === 1 ? '1 thing stands in the way' : `${count} things stand in the way`;
}

/** An error that ended a run before its first phase began: the headline says so. Any other is returned as it is. */
export function beforeFirstPhase(thrown: unknown): unknown {
  if (!isGroundplaneError(thrown) || !blockedCodes.has(thrown.code) || thrown.findings.length === 0) return thrown;
  return withMessage(thrown, `${headlineOf(thrown)}, nothing was changed`);
}

/** The same error with another message. */
export function withMessage(error: GroundplaneError, message: string): GroundplaneError {
  const { code, kind, hint, details, findings } = error;
  const options = { kind, details, findings, cause: error };
  return new GroundplaneError(code, message, hint === undefined ? options : { ...options, hint });
}

function stackLines(thrown: unknown): readonly string[] {
  if (!(thrown instanceof Error) || thrown.stack === undefined) return [];
  const cause =
    thrown.cause === undefined ? [] : [`caused by: ${messageOf(thrown.cause)}`, ...stackLines(thrown.cause)];
  return [...thrown.stack.split('\n').filter((line) => /^\s+at /.test(line)), ...cause];
}

/** The same as data, for `-o json` and `-o jsonl`. */
export function errorDocument(thrown: unknown): Readonly<Record<string, unknown>> {
  return withheldData(errorData(thrown), quotesInput(thrown) ? withholdSecrets : withholdTokens);
}

function errorData(thrown: unknown): Readonly<Record<string, unknown>> {
  if (!isGroundplaneError(thrown)) {
    return { code: 'INTERNAL', kind: 'internal', message: messageOf(thrown), details: {}, findings: [] };
  }
  const { code, kind, message, hint, details, findings } = thrown;
  return { code, kind, message, ...(hint === undefined ? {} : { hint }), details, findings };
}
