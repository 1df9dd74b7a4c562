import { type Finding, isGroundplaneError, messageOf } from '@groundplane/errors';

/** A promise of the phase contract that was not kept. */
export class ContractViolation extends Error {
  override readonly name = 'ContractViolation';
}

/** @throws ContractViolation unless the condition holds */
export function demand(condition: boolean, message: string | (() => string)): asserts condition {
  if (!condition) throw new ContractViolation(typeof message === 'string' ? message : message());
}

/** Findings as lines, for messages. */
export function listed(findings: readonly Finding[]): string {
  return findings.map(({ code, artifact, message }) => `\n  ${code} ${artifact}: ${message}`).join('');
}

/** What was thrown, with what a GroundplaneError says beyond its message. */
export function described(thrown: unknown): string {
  const details = isGroundplaneError(thrown) ? ` [${thrown.code}]${listed(thrown.findings)}` : '';
  const cause = thrown instanceof Error && thrown.cause instanceof Error ? `\n  as ${thrown.cause.stack}` : '';
  return `${messageOf(thrown)}${details}${cause}`;
}
