import type { Finding } from '@groundplane/errors';
import type { Problem } from './decode-document.ts';
import { configError } from './error-codes.ts';

const longestValue = 120;

/** A problem as an error finding whose artifact is the field path. */
export function problemFinding({ path, reason, value }: Problem): Finding {
  const shown = value === undefined ? '' : `: ${shorten(JSON.stringify(value))}`;
  return {
    code: 'CONFIG_VALUE_INVALID',
    severity: 'error',
    artifact: path,
    message: `Cannot use ${path === '' ? 'the document' : path} as ${reason}${shown}`,
  };
}

function shorten(text: string): string {
  return text.length <= longestValue ? text : `${text.slice(0, longestValue)}…`;
}

/**
 * The error for findings that make it impossible to go on.
 *
 * @param subject what they are about, for instance `the configuration`
 */
export function invalidConfiguration(subject: string, findings: readonly Finding[]): Error {
  const lines = findings.map((finding) => finding.message);
  const message =
    lines.length === 1
      ? (lines[0] ?? '')
      : `Cannot use ${subject} as it has ${lines.length} errors: ${lines.join('; ')}`;
  return configError('CONFIG_INVALID', message, {
    findings,
    hint: 'Correct the fields named above; they are those of kubeadm.k8s.io/v1beta4',
  });
}
