import { type Finding, hasErrors, isGroundplaneError } from '@groundplane/errors';
import { type Artifact, artifactOf, isOptional } from './artifact.ts';
import { excessMode, externalFinding, malformedFinding, statusFindings } from './artifact-findings.ts';
import { noCapabilities } from './capabilities.ts';
import { isObservable, outputsOf } from './declarations.ts';
import type { EvaluateOptions, Evaluation, OutputAction, OutputPlan } from './evaluation.ts';
import type { Decision } from './events.ts';
import { isNoLongerWanted, valuesOf } from './load-artifacts.ts';
import type { AnyPhase, Draft, ErasedState } from './phase.ts';
import { type Loaded, placeOf, type World } from './world.ts';

type OutputsEvaluation = Pick<Evaluation, 'decision' | 'outputs' | 'findings' | 'request'>;

/** One output that the engine can look at, with what is known about it. */
interface Output {
  readonly key: string;
  readonly artifact: Artifact<unknown>;
  readonly existing: Loaded;
  readonly optional: boolean;
  /** It exists and is kept if valid, never replaced. What a phase amends, it means to change. */
  readonly preserved: boolean;
  /** Its lifetime is over. */
  readonly unwanted: boolean;
}

/** Decides about the outputs of a phase, all of whose inputs are there. */
export async function evaluateOutputs<C>(
  phase: AnyPhase<C>,
  state: ErasedState<C>,
  existing: Readonly<Record<string, Loaded>>,
  world: World,
  options: EvaluateOptions,
): Promise<OutputsEvaluation> {
  const outputs = await outputsToDecide(phase, existing, world);
  const row = (output: Output, action: OutputAction, value?: unknown): OutputPlan => ({
    key: output.key,
    artifact: output.artifact,
    location: placeOf(world, output.artifact),
    existing: output.existing,
    action,
    ...(value === undefined ? {} : { value }),
  });
  const all = (action: OutputAction) => outputs.map((output) => row(output, action));
  const conflict = (findings: readonly Finding[]): OutputsEvaluation => ({
    decision: 'conflict',
    outputs: all('conflict'),
    findings,
  });
  const present = (output: Output) => output.existing.state === 'present';
  const current = () => outputs.map((output) => row(output, present(output) ? 'kept' : 'absent'));

  const findings = outputs.flatMap((output) => preservedFindings(output, world));
  if (hasErrors(findings)) return conflict(findings);
  const settled = outputs.every((output) => output.optional || output.unwanted || present(output));
  const complete = settled && outputs.some((output) => present(output) || output.unwanted);
  if (outputs.length === 0) return { decision: 'keep', outputs: [], findings };
  if (complete && outputs.every((output) => output.unwanted && !present(output)))
    return { decision: 'keep', outputs: all('absent'), findings };

  if (complete && phase.kind === 'pure' && outputs.every((output) => output.preserved)) {
    const verdict = await verdictOn(phase, state, outputs, options);
    return hasErrors(verdict)
      ? conflict([...findings, ...verdict])
      : { decision: 'keep', outputs: current(), findings: [...findings, ...verdict] };
  }
  if (phase.render === undefined) {
    // An effect that writes by itself: what is there is judged by its live verify.
    return complete
      ? { decision: 'keep', outputs: current(), findings }
      : { decision: 'act', outputs: all('pending'), findings };
  }

  let draft: Draft;
  try {
    draft = await phase.render(state);
  } catch (error) {
    if (!isGroundplaneError(error) || error.kind !== 'conflict') throw error;
    const refused: Finding = {
      code: error.code,
      severity: 'error',
      artifact: phase.name,
      message: error.message,
      ...(error.hint === undefined ? {} : { hint: error.hint }),
    };
    return conflict([...findings, ...error.findings, refused]);
  }

  if (draft.kind === 'request') {
    const rows = outputs.map((output) => {
      if (output.unwanted && !present(output)) return row(output, 'absent');
      return row(output, present(output) && output.preserved ? 'kept' : 'pending');
    });
    if (!world.ports.signer.canIssue(draft.request)) {
      const { name: signer } = world.ports.signer;
      // The key of a CA that somebody else keeps does not come.
      const isKept = draft.request.certificate?.issuer === 'self' && signer !== undefined;
      const awaited = isKept ? rows.filter((_, index) => outputs[index]?.optional !== true) : rows;
      const places = awaited.map((output) => output.location);
      const finding = externalFinding(draft.request, { places, signer });
      return { decision: 'external', outputs: rows, findings: [...findings, finding] };
    }
    const decision = outputs.some(present) ? 'complete' : 'create';
    return { decision, outputs: rows, findings, request: { request: draft.request, draft } };
  }

  const { values } = draft;
  const rows = outputs.map((output) => {
    const [action, value] = actionFor(output, values[output.key], world);
    return row(output, action, value);
  });
  if (phase.kind === 'effect') return { decision: decisionOf(rows), outputs: rows, findings };
  return held(phase, state, { rows, values, findings, outputs, options });
}

async function outputsToDecide<C>(
  phase: AnyPhase<C>,
  existing: Readonly<Record<string, Loaded>>,
  world: World,
): Promise<readonly Output[]> {
  const observable = Object.entries(outputsOf(phase)).filter(([, entry]) =>
    isObservable(phase, artifactOf(entry), world.layout),
  );
  return Promise.all(
    observable.map(async ([key, entry]): Promise<Output> => {
      const artifact = artifactOf(entry);
      return {
        key,
        artifact,
        existing: existing[key] ?? { state: 'absent' },
        optional: isOptional(entry),
        preserved: artifact.policy === 'preserve' && !(key in phase.amends),
        unwanted: await isNoLongerWanted(artifact, phase, world),
      };
    }),
  );
}

/** What is not replaced must be in order as it is: it parses. That it is open to others is remarked on. */
function preservedFindings(output: Output, world: World): readonly Finding[] {
  const { artifact, existing } = output;
  if (artifact.policy !== 'preserve') return [];
  const place = placeOf(world, artifact);
  return [
    ...(existing.state === 'malformed' ? [malformedFinding(artifact, existing.reason, place)] : []),
    ...statusFindings(artifact, existing, place),
  ];
}

function actionFor(output: Output, value: unknown, world: World): readonly [OutputAction, unknown?] {
  const { artifact, existing } = output;
  const present = existing.state === 'present';
  if (value === undefined && world.locate(artifact).kind !== 'directory') return [present ? 'kept' : 'absent'];
  if (existing.state === 'absent') return output.unwanted ? ['absent'] : ['created', value];
  if (!present) return ['replaced', value];
  if (output.preserved || isSatisfied(artifact, value, existing)) return ['kept'];
  return [artifact.policy === 'extend' ? 'extended' : 'replaced', value];
}

/** True if what exists says all that is desired, with the mode that is demanded. */
export function isSatisfied(
  artifact: Artifact<unknown>,
  value: unknown,
  existing: Extract<Loaded, { state: 'present' }>,
): boolean {
  if (excessMode(artifact, existing) !== 0) return false;
  if (existing.status?.kind === 'directory') return true;
  if (artifact.format.satisfied !== undefined) return artifact.format.satisfied(value, existing.value);
  const desired = artifact.format.serialize(value);
  const actual = artifact.format.serialize(existing.value);
  return desired.length === actual.length && desired.every((byte, index) => byte === actual[index]);
}

interface Held {
  readonly rows: readonly OutputPlan[];
  readonly values: Readonly<Record<string, unknown>>;
  readonly findings: readonly Finding[];
  readonly outputs: readonly Output[];
  readonly options: EvaluateOptions;
}

/** Holds what will be there after the run to the phase's own verify, so that nothing is written that would not pass. */
async function held<C>(phase: AnyPhase<C>, state: ErasedState<C>, plan: Held): Promise<OutputsEvaluation> {
  const { rows, values, findings, outputs, options } = plan;
  const verdictAfter = (after: readonly OutputPlan[]) =>
    verdictOn(
      phase,
      state,
      outputs.map((output, index) => afterwards(output, after[index])),
      options,
    );
  const verdict = await verdictAfter(rows);
  if (!hasErrors(verdict)) return { decision: decisionOf(rows), outputs: rows, findings: [...findings, ...verdict] };
  // What exists seemed to say all that is desired and yet is wrong: write what is desired.
  const mended = rows.map((row, index): OutputPlan => {
    const value = values[row.key];
    return row.action === 'kept' && value !== undefined && outputs[index]?.preserved === false
      ? { ...row, action: 'replaced', value }
      : row;
  });
  const again = await verdictAfter(mended);
  if (!hasErrors(again)) return { decision: decisionOf(mended), outputs: mended, findings: [...findings, ...again] };
  return {
    decision: 'conflict',
    outputs: rows.map((row): OutputPlan => ({ ...row, action: 'conflict' })),
    findings: [...findings, ...again],
  };
}

/** The output as a later reader would find it. */
function afterwards(output: Output, row: OutputPlan | undefined): Output {
  if (row === undefined || row.value === undefined) return output;
  const { format } = output.artifact;
  return { ...output, existing: { state: 'present', value: format.parse(format.serialize(row.value)) } };
}

/** The verdict of a pure phase on its outputs; none if one that its types promise is absent as its lifetime is over. */
async function verdictOn<C>(
  phase: AnyPhase<C>,
  state: ErasedState<C>,
  outputs: readonly Output[],
  options: EvaluateOptions,
): Promise<readonly Finding[]> {
  if (outputs.some((output) => output.unwanted && !output.optional && output.existing.state === 'absent')) return [];
  const values = valuesOf(Object.fromEntries(outputs.map((output) => [output.key, output.existing])));
  return phase.verify({ ...state, outputs: values }, noCapabilities(options));
}

function decisionOf(outputs: readonly OutputPlan[]): Decision {
  const actions = new Set(outputs.map((output) => output.action).filter((action) => action !== 'absent'));
  if (actions.has('replaced') || actions.has('extended')) return 'replace';
  if (actions.has('created')) return actions.has('kept') ? 'complete' : 'create';
  return 'keep';
}
