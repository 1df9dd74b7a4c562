import type { Finding } from '@groundplane/errors';
import type { Output, ProgramName } from '../invocation.ts';
import { findingLines, namedMessage } from './people-lines.ts';

/** What is said on stderr about findings that stop nothing. Under `kubeadm` a line each, as programs count them. */
export function warningLines(program: ProgramName, findings: readonly Finding[]): readonly string[] {
  if (program === 'kubeadm') return findings.map((finding) => `WARNING: ${namedMessage(finding)}`);
  return findings.flatMap(findingLines);
}

/** Prints them. */
export function printWarnings(
  { program, output }: { readonly program: ProgramName; readonly output: Output },
  findings: readonly Finding[],
): void {
  for (const line of warningLines(program, findings)) output.stderr(`${line}\n`);
}
