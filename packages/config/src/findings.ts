import { type Finding, withholdSecrets } from '@groundplane/errors';
import type { Problem } from './decode-document.ts';
import { configError } from './error-codes.ts';

const longestValue = 120;

/** A problem as an error finding whose artifact is the field path. A secret that stands where none belongs is not shown. */
export function problemFinding({ path, reason, value, hint }: Problem): Finding {
  const shown = value === undefined ? '' : `: ${shorten(withholdSecrets(JSON.stringify(value)))}`;
  return {
    code: 'CONFIG_VALUE_INVALID',
    severity: 'error',
    artifact: path,
    message: `Cannot use ${path === '' ? 'the document' : path} as ${withholdSecrets(reason)}${shown}`,
    ...(hint === undefined ? {} : { hint }),
  };
}

function shorten(text: string): string {
  return text.length <= longestValue ? text : `${text.slice(0, longestValue)}…`;
}

/**
 * The error for findings that make it impossible to go on.
 *
 * @param subject what they are about, for instance `the configuration`
 * @param apiVersions those of the documents whose fields the findings name. @default that of kubeadm
 */
export function invalidConfiguration(
  subject: string,
  findings: readonly Finding[],
  apiVersions: readonly string[] = [],
): Error {
  const lines = findings.map((finding) => finding.message);
  const message =
    lines.length === 1
      ? (lines[0] ?? '')
      : `Cannot use ${subject} as it has ${lines.length} errors: ${lines.join('; ')}`;
  const [only, ...more] = findings;
  const hint = more.length === 0 ? only?.hint : undefined;
  const named = apiVersions.length === 0 ? ['kubeadm.k8s.io/v1beta4'] : apiVersions;
  return configError('CONFIG_INVALID', message, {
    findings,
    hint: hint ?? `Correct the fields named above; they are those of ${[...new Set(named)].join(', ')}`,
  });
}
