/** How much a finding matters: an `error` stops a run, a `warning` is reported and the run goes on. */
export type Severity = 'error' | 'warning';

/** A verdict about the world, returned as data and never thrown. */
export interface Finding {
  /** Stable identifier that callers switch on, for instance `PKI_CERTIFICATE_EXPIRED`. Texts may change, codes do not. */
  readonly code: string;
  readonly severity: Severity;
  /** What the verdict is about: an artifact id, a file path, an object reference or a configuration field path. */
  readonly artifact: string;
  /** What is wrong, why, and the current value. One sentence without a full stop. Never contains secret bytes. */
  readonly message: string;
  /** How to mend it, with the command to run where there is one. */
  readonly hint?: string;
}

/** True if at least one finding is an error. */
export function hasErrors(findings: readonly Finding[]): boolean {
  return findings.some((finding) => finding.severity === 'error');
}

/** The findings that stop a run, in their order. */
export function errorsOf(findings: readonly Finding[]): readonly Finding[] {
  return findings.filter((finding) => finding.severity === 'error');
}

/** The findings that are only reported, in their order. */
export function warningsOf(findings: readonly Finding[]): readonly Finding[] {
  return findings.filter((finding) => finding.severity === 'warning');
}
