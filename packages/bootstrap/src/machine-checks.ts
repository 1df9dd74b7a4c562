import { errorsOf, type Finding } from '@groundplane/errors';
import {
  type PreflightCheck,
  type PreflightConfiguration,
  preflightCatalogRow,
  requiredFacts,
  runPreflight,
} from '@groundplane/kubelet';
import type { Clock, Host, Runtime, Survey, Unseen } from '@groundplane/phases';
import { bootstrapError } from './error-codes.ts';
import { asksForAbsence } from './first-run-hints.ts';
import type { InitContext } from './init-context.ts';
import { gatherPreflightFacts } from './preflight-facts.ts';

export interface MachineChecks {
  readonly checks: readonly PreflightCheck[];
  readonly configuration: PreflightConfiguration;
  /** Names of checks that are content with what is ours already. */
  readonly satisfied: ReadonlySet<string>;
  readonly ports: { readonly host: Host; readonly runtime: Runtime; readonly clock: Clock };
  /** How often external etcd is asked for its version. */
  readonly etcdAttempts?: number;
  /** Whether a path is an artifact that the phase reads; the machine is asked for others like for any fact. */
  readonly isArtifact: (path: string) => boolean;
  readonly pullImages?: () => Promise<readonly string[]>;
}

/** Asks the machine what the checks want to know, and gives their verdicts. */
export async function checkMachine(
  { ignorePreflightErrors }: InitContext,
  { checks, configuration, satisfied, ports, etcdAttempts = 1, isArtifact, pullImages }: MachineChecks,
): Promise<readonly Finding[]> {
  const { host, runtime, clock } = ports;
  const options = { ignore: ignorePreflightErrors, satisfied };
  const facts = await gatherPreflightFacts(requiredFacts(checks, configuration, options), {
    host,
    runtime,
    clock,
    etcdAttempts,
    exists: async (path) =>
      isArtifact(path)
        ? (await host.files.status(path)) !== undefined
        : (await host.facts.kernelFile(path)) !== undefined,
    list: (path) => host.files.list(path),
    pullImages: pullImages ?? (async () => []),
  });
  return runPreflight(checks, configuration, facts, options);
}

/**
 * Reports warnings, and stops if there are errors.
 *
 * @param failure what happened to how many, after a number: `of its pre-flight checks failed`
 * @throws BOOTSTRAP_PREFLIGHT_FAILED with all errors
 */
export function stopForErrors(
  findings: readonly Finding[],
  { failure, finding }: { readonly failure: string; readonly finding: (warning: Finding) => void },
): void {
  for (const warning of findings.filter(({ severity }) => severity === 'warning')) finding(warning);
  const errors = errorsOf(findings);
  if (errors.length === 0) return;
  throw bootstrapError('BOOTSTRAP_PREFLIGHT_FAILED', `Cannot use this machine as ${errors.length} ${failure}`, {
    findings: errors,
    hint: 'If you know what you are doing, you can make a check non-fatal with --ignore-preflight-errors=NAME',
  });
}

/** How messages say that somebody may not look. */
const isDenied = /\b(?:EACCES|EPERM)\b|permission(?: is)? denied/i;

/** How they say that nobody gets to look. */
const isBarred = /\b(?:ENOTDIR|EIO|ESTALE)\b/;

/**
 * What the checks come to for somebody who only wants to know: what cannot be looked at, or not with his rights, is not known, and does
 * not speak against the machine.
 *
 * @param phase the name of the phase that makes the checks
 * @param check makes the checks, without those whose names are given
 */
export async function surveyedChecks(
  { host: { facts }, phase }: { readonly host: Host; readonly phase: string },
  check: (ignored: readonly string[]) => Promise<readonly Finding[]>,
): Promise<Survey> {
  const isRoot = facts.uid() === 0;
  const findings: Finding[] = [];
  const unseen: Unseen[] = [];
  for (const finding of await check(isRoot ? [] : [rootCheck.toLowerCase()])) {
    const reason = unknownReason(finding, isRoot);
    if (reason === undefined) findings.push(finding);
    else unseen.push({ artifact: phase, location: finding.artifact, reason });
  }
  return { findings, unseen };
}

/**
 * The same on a machine whose kubelet is configured, which nobody does beforehand: whoever made a node of it took the machine as it is,
 * and what is there is judged by the phases that made it.
 */
export function afterTheirTurn({ findings, unseen }: Survey): Survey {
  const warnings = findings
    .filter(({ artifact }) => !asksForAbsence.test(artifact))
    .map((finding): Finding => {
      if (finding.severity !== 'error') return finding;
      return { ...finding, severity: 'warning', message: `${finding.message} (the node was made nevertheless)` };
    });
  return { findings: warnings, unseen };
}

/** The same for predictions: what is not known is a warning. */
export async function foreseenChecks(
  { facts }: Host,
  check: (ignored: readonly string[]) => Promise<readonly Finding[]>,
): Promise<readonly Finding[]> {
  const isRoot = facts.uid() === 0;
  const findings = await check(isRoot ? [] : [rootCheck.toLowerCase()]);
  return findings.map((finding): Finding => {
    const reason = unknownReason(finding, isRoot);
    return reason === undefined ? finding : { ...finding, severity: 'warning', message: reason };
  });
}

const rootCheck = 'IsPrivilegedUser';

/** Why somebody who only looks cannot know what a finding says; nothing if he can. */
function unknownReason({ artifact, message }: Finding, isRoot: boolean): string | undefined {
  if (isBarred.test(message)) return `not known: ${message}`;
  if (isRoot) return undefined;
  if (artifact === rootCheck) return 'the run itself needs root';
  return isDenied.test(message) ? `not known without root: ${message}` : undefined;
}

/** The configuration with more checks whose errors are none. */
export function ignoring<C extends InitContext>(config: C, names: readonly string[]): C {
  return { ...config, ignorePreflightErrors: [...config.ignorePreflightErrors, ...names] };
}

/** A name that no check has ignores nothing, which is mostly a typing mistake. */
export function unknownCheckNames({ ignorePreflightErrors }: InitContext): readonly Finding[] {
  return ignorePreflightErrors
    .filter((name) => name !== 'all' && preflightCatalogRow(name) === undefined)
    .map((name) => ({
      code: 'PREFLIGHT_NAME_UNKNOWN',
      severity: 'warning',
      artifact: 'ignore-preflight-errors',
      message: `no pre-flight check is called ${JSON.stringify(name)}, so nothing is ignored by that name`,
    }));
}
