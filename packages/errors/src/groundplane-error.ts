import type { Finding } from './finding.ts';

/**
 * What kind of failure it is; the CLI derives its exit code from it.
 * `usage`: the request makes no sense · `conflict`: the world contradicts the request, nothing was written ·
 * `refused`: a rule forbids it · `timeout`: a wait ended without success · `unavailable`: a peer does not answer ·
 * `internal`: our own mistake.
 */
export type ErrorKind = 'usage' | 'conflict' | 'refused' | 'timeout' | 'unavailable' | 'internal';

/** One row of a package's error-code table. */
export interface ErrorCode {
  readonly kind: ErrorKind;
  /** When this code is raised, for the reference documentation. */
  readonly description: string;
}

export interface GroundplaneErrorOptions {
  readonly kind: ErrorKind;
  readonly hint?: string;
  /** Facts for programs: plain data without secret bytes. */
  readonly details?: Readonly<Record<string, unknown>>;
  /** The findings that made it impossible to go on, if that is the reason. */
  readonly findings?: readonly Finding[];
  readonly cause?: unknown;
}

const mark = Symbol.for('groundplane.error');

/** "We cannot go on." Recognised by {@link isGroundplaneError}, also across two copies of this package. */
export class GroundplaneError extends Error {
  override readonly name = 'GroundplaneError';
  readonly code: string;
  readonly kind: ErrorKind;
  readonly hint: string | undefined;
  readonly details: Readonly<Record<string, unknown>>;
  readonly findings: readonly Finding[];

  constructor(code: string, message: string, options: GroundplaneErrorOptions) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause });
    this.code = code;
    this.kind = options.kind;
    this.hint = options.hint;
    this.details = options.details ?? {};
    this.findings = options.findings ?? [];
    Object.defineProperty(this, mark, { value: true });
  }
}

/** True for every GroundplaneError, whichever copy of the package made it. */
export function isGroundplaneError(value: unknown): value is GroundplaneError {
  return typeof value === 'object' && value !== null && (value as Record<symbol, unknown>)[mark] === true;
}

/**
 * Makes the error constructor of one package from its code table, so that a code and its kind are written once.
 *
 * @param table code → kind and description
 * @returns a function that builds the error of one of these codes
 */
export function errorFactory<const T extends Readonly<Record<string, ErrorCode>>>(
  table: T,
): (code: keyof T & string, message: string, options?: Omit<GroundplaneErrorOptions, 'kind'>) => GroundplaneError {
  return (code, message, options = {}) => {
    const row = table[code];
    if (row === undefined) throw new TypeError(`Cannot raise an error of code '${code}' as the table does not list it`);
    return new GroundplaneError(code, message, { ...options, kind: row.kind });
  };
}

/** The text of anything that was thrown, without a stack. */
export function messageOf(thrown: unknown): string {
  return thrown instanceof Error ? thrown.message : String(thrown);
}
