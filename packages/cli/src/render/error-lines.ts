import { errorsOf, isGroundplaneError, messageOf } from '@groundplane/errors';
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
  const known = isGroundplaneError(thrown);
  const hint = known && thrown.hint !== undefined ? indented(thrown.hint, '  ') : [];
  const findings = known ? thrown.findings.flatMap(findingLines).map((line) => `  ${line}`) : [];
  const stack = verbosity >= 5 || !known ? stackLines(thrown) : [];
  return [`error: ${messageOf(thrown)}`, ...findings, ...hint, ...stack];
}

const stackHint = 'To see the stack trace of this error execute with --v=5 or higher';

/** kubeadm: util/errors/errors.go and preflight/checks.go. */
function kubeadmErrorLines(thrown: unknown, verbosity: number): readonly string[] {
  const known = isGroundplaneError(thrown);
  const findings = known ? errorsOf(thrown.findings) : [];
  const preflight = findings.filter((finding) => finding.code.startsWith('PREFLIGHT'));
  const fatal =
    preflight.length === 0
      ? []
      : [
          '[preflight] Some fatal errors occurred:',
          ...preflight.map(preflightLine),
          '[preflight] If you know what you are doing, you can make a check non-fatal with `--ignore-preflight-errors=...`',
        ];
  const message = preflight.length === 0 ? messageOf(thrown) : 'error execution phase preflight: preflight checks failed';
  const others = findings.filter((finding) => !preflight.includes(finding)).map((finding) => `\t${finding.message}`);
  const hint = known && thrown.hint !== undefined && preflight.length === 0 ? indented(thrown.hint, '\t') : [];
  const stack = verbosity >= 5 ? stackLines(thrown) : [stackHint];
  return [...fatal, `error: ${message}`, ...others, ...hint, ...stack];
}

function stackLines(thrown: unknown): readonly string[] {
  if (!(thrown instanceof Error) || thrown.stack === undefined) return [];
  const cause = thrown.cause === undefined ? [] : [`caused by: ${messageOf(thrown.cause)}`, ...stackLines(thrown.cause)];
  return [...thrown.stack.split('\n').filter((line) => /^\s+at /.test(line)), ...cause];
}

/** The same as data, for `-o json` and `-o jsonl`. */
export function errorDocument(thrown: unknown): Readonly<Record<string, unknown>> {
  if (!isGroundplaneError(thrown)) return { code: 'INTERNAL', kind: 'internal', message: messageOf(thrown) };
  const { code, kind, message, hint, details, findings } = thrown;
  return { code, kind, message, ...(hint === undefined ? {} : { hint }), details, findings };
}
