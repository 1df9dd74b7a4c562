import { dataFormat } from '../arguments/data-format.ts';
import { errorWithGivenFlags } from '../given-flags.ts';
import type { Invocation, Output } from '../invocation.ts';
import { ReportedError } from '../reported-error.ts';
import { errorDocument } from './error-lines.ts';
import { jsonText, shownText } from './shown-text.ts';

/** A result as plain data. */
export type ResultDocument = Readonly<Record<string, unknown>>;

/** One line of `-o jsonl`. */
export interface ResultLine {
  readonly type: string;
}

type Printing = Pick<Invocation, 'output' | 'flags' | 'path'>;

/** Whether the result is wanted as data. */
export function wantsDocument({ flags }: Pick<Invocation, 'flags'>): boolean {
  return dataFormat(flags.output) !== undefined;
}

/**
 * Prints the one result of a command: indented for `json`; for `jsonl` one line, which says what it is.
 *
 * @param type of the line. @default the command, `config-validate`, which is also the name of its schema
 */
export function printDocument(invocation: Printing, document: ResultDocument, type = lineType(invocation.path)): void {
  const { output, flags } = invocation;
  if (dataFormat(flags.output) === 'jsonl') printLines(output, [{ type, ...document }]);
  else output.stdout(`${jsonText(document, 2)}\n`);
}

/** Prints lines of `-o jsonl` that tell of no event, but of things that are. */
export function printLines<L extends ResultLine>(output: Output, lines: readonly L[]): void {
  output.stdout(lines.map((line) => `${jsonText(line)}\n`).join(''));
}

/**
 * Prints lines for people.
 *
 * @param shown how a line is made safe for a terminal; what cannot quote a token need not be searched for one
 */
export function printText(output: Output, lines: readonly string[], shown: (line: string) => string = shownText): void {
  output.stdout(lines.map((line) => `${shown(line)}\n`).join(''));
}

/** Prints an event of `-o jsonl`, with the time at which it is told; that of the engine tells at once. */
export function printEvent<L extends ResultLine>(output: Output, { type, ...event }: L): void {
  printLines(output, [{ type, time: new Date().toISOString(), ...event }]);
}

/** Prints why a command failed, as the whole document or the last line; nothing where no data is wanted. */
export function printError({ output, flags }: Pick<Invocation, 'output' | 'flags'>, thrown: unknown): void {
  const format = dataFormat(flags.output);
  if (format === 'json') output.stdout(`${jsonText({ error: errorDocument(thrown) }, 2)}\n`);
  if (format === 'jsonl') printEvent(output, { type: 'error', ...errorDocument(thrown) });
}

/**
 * Prints what a command that failed came to nevertheless: with the error in the same document, or as a line before it.
 *
 * @returns what is to be thrown
 */
export function failedDocument(invocation: Printing, document: ResultDocument, failure: unknown): unknown {
  const format = dataFormat(invocation.flags.output);
  if (format === 'jsonl') printDocument(invocation, document);
  if (format !== 'json') return failure;
  printDocument(invocation, { ...document, error: errorDocument(errorWithGivenFlags(failure, invocation)) });
  return new ReportedError(failure);
}

function lineType(path: readonly string[]): string {
  return path.join('-');
}
