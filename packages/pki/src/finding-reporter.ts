import type { Finding, Severity } from '@groundplane/errors';
import type { PkiFindingCode } from './error-codes.ts';

/** Makes findings about one artifact. */
export type Report = (code: PkiFindingCode, severity: Severity, message: string, hint?: string) => Finding;

export function reporter(artifact: string): Report {
  return (code, severity, message, hint) => ({
    code,
    severity,
    artifact,
    message,
    ...(hint === undefined ? {} : { hint }),
  });
}
