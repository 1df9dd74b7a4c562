import { errorsOf, type Finding, isGroundplaneError, messageOf } from '@groundplane/errors';
import type { ProgramName } from '../invocation.ts';
import { preflightLine } from './kubeadm-lines.ts';
import { findingLines, indented } from './people-lines.ts';

export interface ErrorContext {
  readonly program: ProgramName;
  /** `--v`; from 5 on the stack is shown. */
  readonly verbosity: number;
}

/** What stderr says about something that was thrown: findings first, then the error, then how to mend it. */
export function errorLines(thrown: unknown, { program, verbosity }: ErrorContext): readonly string[] {
  return program === 'kubeadm' ? kubeadmErrorLines(thrown, verbosity) : peopleErrorLines(thrown, verbosity);
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
  const failed = isGroundplaneError(thrown)
    ? errorsOf(thrown.findings).filter(({ code }) => code.startsWith('PREFLIGHT_'))
    : [];
  if (failed.length > 0) {
    return [
      '[preflight] Some fatal errors occurred:',
      ...failed.map(preflightLine),
      '[preflight] If you know what you are doing, you can make a check non-fatal with `--ignore-preflight-errors=...`',
      'error: error execution phase preflight: preflight checks failed',
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

/** Says everything once: an error that quotes its only finding, or all of several, need not be followed by the same texts. */
function explained(thrown: unknown): Explanation {
  const message = messageOf(thrown);
  if (!isGroundplaneError(thrown)) return { headline: message, findings: [], hint: '' };
  const [only, ...more] = thrown.findings;
  if (only !== undefined && more.length === 0 && message.includes(only.message)) {
    return { headline: message, findings: [], hint: thrown.hint ?? only.hint ?? '' };
  }
  const quoted = thrown.findings.map((finding) => finding.message).join('; ');
  const headline =
    more.length === 0 ? message : message.replace(quoted, () => `${thrown.findings.length} findings stand against it:`);
  const said = new Set(thrown.findings.flatMap((finding) => finding.hint ?? []));
  const hint = (thrown.hint ?? '').split('\n').filter((line) => !said.has(line));
  return { headline, findings: thrown.findings, hint: hint.join('\n') };
}

function stackLines(thrown: unknown): readonly string[] {
  if (!(thrown instanceof Error) || thrown.stack === undefined) return [];
  const cause =
    thrown.cause === undefined ? [] : [`caused by: ${messageOf(thrown.cause)}`, ...stackLines(thrown.cause)];
  return [...thrown.stack.split('\n').filter((line) => /^\s+at /.test(line)), ...cause];
}

/** The same as data, for `-o json` and `-o jsonl`. */
export function errorDocument(thrown: unknown): Readonly<Record<string, unknown>> {
  if (!isGroundplaneError(thrown)) return { code: 'INTERNAL', kind: 'internal', message: messageOf(thrown) };
  const { code, kind, message, hint, details, findings } = thrown;
  return { code, kind, message, ...(hint === undefined ? {} : { hint }), details, findings };
}
