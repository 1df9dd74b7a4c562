import { type Finding, hasErrors } from '@groundplane/errors';
import { kubeletError } from './error-codes.ts';
import { type CheckInstance, type PreflightCheck, preflightBatches } from './preflight-check.ts';
import type { PreflightConfiguration } from './preflight-configuration.ts';
import { type FactRequest, isAnswered, type PreflightFacts, requestKey } from './preflight-facts.ts';

export interface PreflightOptions {
  /** Lower-case names of checks whose errors count as warnings; `all` for every check. */
  readonly ignore?: readonly string[];
  /** Names of checks to leave out as what they find is ours already; only rows that are for a first run heed it. */
  readonly satisfied?: ReadonlySet<string>;
}

interface Due {
  readonly row: PreflightCheck;
  readonly instance: CheckInstance;
}

function dueChecks(
  checks: readonly PreflightCheck[],
  configuration: PreflightConfiguration,
  satisfied: ReadonlySet<string> = new Set(),
): readonly Due[] {
  return checks.flatMap((row) =>
    row
      .instances(configuration)
      .filter((instance) => row.firstRunOnly !== true || !satisfied.has(instance.name))
      .map((instance) => ({ row, instance })),
  );
}

/**
 * What the checks want to know of the host, each thing once: ports to try, files to look for, programs, services and so
 * on. The caller gathers the answers into {@link PreflightFacts}.
 */
export function requiredFacts(
  checks: readonly PreflightCheck[],
  configuration: PreflightConfiguration,
  options: PreflightOptions = {},
): readonly FactRequest[] {
  const requests = dueChecks(checks, configuration, options.satisfied).flatMap(({ instance }) => instance.needs);
  return [...new Map(requests.map((request) => [`${request.fact} ${requestKey(request)}`, request])).values()];
}

/** The names of the checks, in their order, as `--ignore-preflight-errors` takes them. */
export function preflightNames(
  checks: readonly PreflightCheck[],
  configuration: PreflightConfiguration,
): readonly string[] {
  return dueChecks(checks, configuration).map(({ instance }) => instance.name);
}

/**
 * Evaluates checks over gathered facts (kubeadm, preflight.RunChecks). The root batch runs first, and alone if it has
 * errors; within a batch every check runs.
 *
 * @returns findings in the order of the checks; the artifact is kubeadm's name, for instance `Port-6443`
 * @throws PREFLIGHT_FACT_MISSING if a fact of {@link requiredFacts} is not answered
 */
export function runPreflight(
  checks: readonly PreflightCheck[],
  configuration: PreflightConfiguration,
  facts: PreflightFacts,
  options: PreflightOptions = {},
): readonly Finding[] {
  const ignored = new Set((options.ignore ?? []).map((name) => name.toLowerCase()));
  const due = dueChecks(checks, configuration, options.satisfied);
  const findings: Finding[] = [];
  for (const batch of preflightBatches) {
    for (const { row, instance } of due.filter((one) => one.row.batch === batch)) {
      findings.push(...evaluate(row, instance, facts, ignored));
    }
    if (hasErrors(findings)) break;
  }
  return findings;
}

function evaluate(
  row: PreflightCheck,
  instance: CheckInstance,
  facts: PreflightFacts,
  ignored: ReadonlySet<string>,
): readonly Finding[] {
  const missing = instance.needs.find((request) => !isAnswered(facts, request));
  if (missing !== undefined) {
    throw kubeletError(
      'PREFLIGHT_FACT_MISSING',
      `Cannot evaluate the check ${instance.name} as a fact was not gathered: ${missing.fact} ${requestKey(missing)}`.trim(),
    );
  }
  const { warnings = [], errors = [] } = instance.evaluate(facts);
  const isIgnored = ignored.has('all') || ignored.has(instance.name.toLowerCase());
  const finding = (severity: Finding['severity']) => (message: string) => ({
    code: row.code,
    severity,
    artifact: instance.name,
    message,
    ...(row.hint !== undefined && { hint: row.hint }),
  });
  return [...warnings.map(finding('warning')), ...errors.map(finding(isIgnored ? 'warning' : 'error'))];
}
