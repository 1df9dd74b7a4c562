import { type Finding, isGroundplaneError } from '@groundplane/errors';
import type { Event } from '../events.ts';
import { type Plan, planWorkflow } from '../plan.ts';
import { runWorkflow } from '../run.ts';
import type { Selection } from '../selection.ts';
import { type PhaseVerdict, verifyWorkflow } from '../verify.ts';
import type { Workflow } from '../workflow.ts';
import { ContractViolation, demand, described, listed } from './contract-violation.ts';
import { type Output, outputsOfWorkflow, readArtifact } from './contract-world.ts';
import type { MemoryPorts, MemorySnapshot } from './memory-ports.ts';
import type { WriteRecord } from './memory-state.ts';

export interface ContractSubject<C> {
  readonly workflow: Workflow<C>;
  /** Complete and resolved. */
  readonly config: C;
  /** A fresh world in which the workflow can run to its end. The number tells worlds apart: keys of different numbers should differ. */
  readonly world: (number: number) => MemoryPorts;
  /** Texts that must be shown nowhere, beside what secret artifacts hold: a token, a certificate key. */
  readonly secrets?: readonly string[];
}

/** One change that the complete run made, and the world before it. */
export interface Step {
  readonly phase: string;
  readonly record: WriteRecord;
  readonly before: MemorySnapshot;
}

export interface RecordedOutput extends Output {
  readonly bytes: Uint8Array;
}

/** A complete run in a fresh world. */
export interface Recording {
  readonly ports: MemoryPorts;
  readonly final: MemorySnapshot;
  readonly steps: readonly Step[];
  readonly events: readonly Event[];
  /** Outputs that are there at the end, with their bytes. */
  readonly outputs: readonly RecordedOutput[];
  /** Those that were there on the way and are gone at the end, as they were last. */
  readonly passing: readonly RecordedOutput[];
}

export const journalPath = '/var/log/contract-journal.jsonl';

/** What the cases of one suite share: two complete runs, made when first needed, and ways to ask the engine. */
export interface Laboratory<C> {
  readonly subject: ContractSubject<C>;
  /** Kind `first` or `second`: two runs in two worlds. */
  record(which: 'first' | 'second'): Promise<Recording>;
  run(ports: MemoryPorts, selection?: Selection): Promise<readonly Event[]>;
  plan(ports: MemoryPorts): Promise<Plan>;
  verify(ports: MemoryPorts): Promise<readonly PhaseVerdict[]>;
  /** True if the plan leaves everything as it is. */
  keepsAll(plan: Plan): boolean;
  /** Demands that a run ends well, and that afterwards everything verifies and is kept. */
  completes(ports: MemoryPorts, what: string, selection?: Selection): Promise<void>;
  /** Demands that a run stops before its first write as the world contradicts it. */
  refuses(ports: MemoryPorts, what: string, selection?: Selection): Promise<void>;
}

export function laboratory<C>(subject: ContractSubject<C>): Laboratory<C> {
  const { workflow, config } = subject;
  const recordings = new Map<string, Promise<Recording>>();
  const guarded = new Set<string>(subject.secrets ?? []);
  const lookFor = (text: string, where: string) => {
    for (const secret of guarded)
      demand(!text.includes(secret), `${where} shows secret bytes (they begin with ${secret.slice(0, 4)}…)`);
  };
  const run: Laboratory<C>['run'] = async (ports, selection) => {
    const events: Event[] = [];
    const report = (event: Event) => void events.push(event);
    try {
      await runWorkflow({
        workflow,
        config,
        ports,
        report,
        actor: 'contract suite',
        journal: journalPath,
        ...(selection === undefined ? {} : { selection }),
      });
    } catch (error) {
      if (isGroundplaneError(error)) lookFor(described(error), 'the error of the run');
      throw error;
    } finally {
      lookFor(JSON.stringify(events), 'an event');
      lookFor(ports.memory.text(journalPath) ?? '', 'the journal');
    }
    return events;
  };
  const plan: Laboratory<C>['plan'] = async (ports) => {
    const made = await planWorkflow({ workflow, config, ports });
    lookFor(JSON.stringify(made), 'the plan');
    return made;
  };
  const verify: Laboratory<C>['verify'] = async (ports) => {
    const verdicts = await verifyWorkflow({ workflow, config, ports });
    lookFor(JSON.stringify(verdicts), 'a verdict');
    return verdicts;
  };
  const keepsAll = (made: Plan): boolean => notKept(made).length === 0;
  const notKept = (made: Plan) => {
    const atTurn = new Set(workflow.phases.filter((phase) => phase.verifyOnlyAtTurn).map((phase) => phase.name));
    return made.phases.filter(
      ({ phase, decision }) =>
        !['keep', 'inapplicable'].includes(decision) && !(decision === 'deferred' && atTurn.has(phase)),
    );
  };

  const recordNow = async (number: number): Promise<Recording> => {
    const ports = subject.world(number);
    const { memory } = ports;
    const steps: Step[] = [];
    let phase = '';
    memory.beforeWrite = (record) => {
      if (record.location !== journalPath) steps.push({ phase, record, before: memory.snapshot() });
    };
    const events: Event[] = [];
    try {
      await runWorkflow({
        workflow,
        config,
        ports,
        actor: 'contract suite',
        journal: journalPath,
        report(event) {
          events.push(event);
          if (event.type === 'phase-started') phase = event.phase;
        },
      });
    } catch (error) {
      throw new ContractViolation(`The workflow does not run in a fresh world: ${described(error)}`, { cause: error });
    }
    memory.beforeWrite = undefined;
    const outputs = outputsOfWorkflow(workflow, config).flatMap((output) => {
      const bytes = readArtifact(memory, output.location);
      return bytes === undefined ? [] : [{ ...output, bytes }];
    });
    const final = memory.snapshot();
    const passing = outputsOfWorkflow(workflow, config)
      .filter(({ place }) => !outputs.some((output) => output.place === place))
      .flatMap((output) => {
        for (const { before } of steps.toReversed()) {
          memory.restore(before);
          const bytes = readArtifact(memory, output.location);
          if (bytes !== undefined) return [{ ...output, bytes }];
        }
        return [];
      });
    memory.restore(final);
    for (const secret of secretsIn([...outputs, ...passing])) guarded.add(secret);
    lookFor(JSON.stringify(events), 'an event');
    lookFor(memory.text(journalPath) ?? '', 'the journal');
    return { ports, final, steps, events, outputs, passing };
  };

  const completes: Laboratory<C>['completes'] = async (ports, what, selection) => {
    try {
      await run(ports, selection);
    } catch (error) {
      throw new ContractViolation(`${what}: the run does not complete: ${described(error)}`, { cause: error });
    }
    const errors = errorsIn(await verify(ports));
    demand(errors.length === 0, () => `${what}: what the run left does not verify:${listed(errors)}`);
    const open = notKept(await plan(ports));
    demand(
      open.length === 0,
      () => `${what}: the next plan would not leave it: ${open.map((p) => `${p.phase} ${p.decision}`).join(', ')}`,
    );
  };
  const refuses: Laboratory<C>['refuses'] = async (ports, what, selection) => {
    const before = ports.memory.writes.length;
    const error = await run(ports, selection).then(
      () => undefined,
      (thrown: unknown) => thrown,
    );
    demand(error !== undefined, `${what}: the run accepts it`);
    demand(
      isGroundplaneError(error) && error.kind === 'conflict',
      () => `${what}: the run fails otherwise: ${described(error)}`,
    );
    const written = ports.memory.writes.slice(before);
    demand(written.length === 0, () => `${what}: the run wrote before it stopped: ${written[0]?.location}`);
  };

  return {
    subject,
    run,
    plan,
    verify,
    keepsAll,
    completes,
    refuses,
    record(which) {
      const known = recordings.get(which) ?? recordNow(which === 'first' ? 1 : 2);
      recordings.set(which, known);
      return known;
    },
  };
}

export function errorsIn(verdicts: readonly PhaseVerdict[]): readonly Finding[] {
  return verdicts.flatMap(({ findings }) => findings.filter(({ severity }) => severity === 'error'));
}

/** Runs of characters as keys and tokens have them, in secret artifacts and in none that is public. */
function secretsIn(outputs: readonly RecordedOutput[]): readonly string[] {
  const textOf = ({ bytes }: { readonly bytes: Uint8Array }) => new TextDecoder().decode(bytes);
  const isPublic = outputs
    .filter(({ artifact }) => !artifact.secret)
    .map(textOf)
    .join('\n');
  return outputs
    .filter(({ artifact }) => artifact.secret)
    .flatMap((output) => textOf(output).match(/[A-Za-z0-9+=_-][A-Za-z0-9+/=_-]{23,}/g) ?? [])
    .filter((run) => !isPublic.includes(run));
}
