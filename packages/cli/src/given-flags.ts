import { type Finding, GroundplaneError, isGroundplaneError } from '@groundplane/errors';
import type { Invocation } from './invocation.ts';

/** Flags by which all commands about the certificates of a node have to mean the same node. */
const commonFlags = ['config', 'cert-dir', 'kubeconfig-dir', 'workflow', 'rootfs'];
const defaults: Readonly<Record<string, string>> = { 'kubeconfig-dir': '/etc/kubernetes', workflow: 'init' };

/** Those that were given, as words of a shell with a blank in front, for whoever is told which command comes next. */
export function givenFlags(invocation: Pick<Invocation, 'flags'>): string {
  return commonFlags
    .map((name) => ({ name, text: invocation.flags[name] }))
    .map(({ name, text }) =>
      text === undefined || text === defaults[name] ? '' : ` --${name} ${quoted(String(text))}`,
    )
    .join('');
}

function quoted(word: string): string {
  return /^[\w./:@%+=-]+$/.test(word) ? word : `'${word.replaceAll("'", `'\\''`)}'`;
}

/** Commands that hints name without flags, and that would be about another node than the one that was asked about. */
const namedExchange = /groundplane certs (?:requests|import)\b(?! -)/g;

/** The finding, with a hint whose commands are about the node that the given flags mean. */
export function withGivenFlags(finding: Finding, invocation: Pick<Invocation, 'flags'>): Finding {
  const flags = givenFlags(invocation);
  if (finding.hint === undefined || flags === '') return finding;
  return { ...finding, hint: finding.hint.replaceAll(namedExchange, (command) => `${command}${flags}`) };
}

/** The same of an error and its findings; what else was thrown is returned as it is. */
export function errorWithGivenFlags(thrown: unknown, invocation: Pick<Invocation, 'flags'>): unknown {
  if (!isGroundplaneError(thrown)) return thrown;
  const { code, message, kind, details, hint } = thrown;
  const findings = thrown.findings.map((finding) => withGivenFlags(finding, invocation));
  const advice = hint?.replaceAll(namedExchange, (command) => `${command}${givenFlags(invocation)}`);
  const isSame = advice === hint && findings.every(({ hint: told }, index) => told === thrown.findings[index]?.hint);
  if (isSame) return thrown;
  return new GroundplaneError(code, message, {
    kind,
    details,
    findings,
    cause: thrown,
    ...(advice === undefined ? {} : { hint: advice }),
  });
}
