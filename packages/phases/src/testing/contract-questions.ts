import { type Finding, isGroundplaneError } from '@groundplane/errors';
import type { Event } from '../events.ts';
import { isReport, type Plan, planWorkflow } from '../plan.ts';
import { runWorkflow } from '../run.ts';
import type { Selection } from '../selection.ts';
import { type PhaseVerdict, verifyWorkflow } from '../verify.ts';
import type { Workflow } from '../workflow.ts';
import { ContractViolation, demand, described } from './contract-violation.ts';
import type { MemoryPorts } from './memory-ports.ts';

export const journalPath = '/var/log/contract-journal.jsonl';

/** Ways to ask the engine. All of them look for secrets in what it answers. */
export interface Questions {
  run(ports: MemoryPorts, selection?: Selection, onEvent?: (event: Event) => void): Promise<void>;
  plan(ports: MemoryPorts): Promise<Plan>;
  verify(ports: MemoryPorts): Promise<readonly PhaseVerdict[]>;
  /** True if the plan leaves everything as it is. */
  keepsAll(plan: Plan): boolean;
  /** Demands that the next plan would leave everything as it is, which says that everything verifies. */
  demandKept(ports: MemoryPorts, what: string): Promise<void>;
  /** Demands that a run ends well, and that everything is kept afterwards. */
  completes(ports: MemoryPorts, what: string, selection?: Selection): Promise<void>;
  /** Demands that a run stops before its first write as the world contradicts it. */
  refuses(ports: MemoryPorts, what: string, selection?: Selection): Promise<void>;
}

/** @param lookFor throws if the text shows a secret */
export function questionsFor<C>(
  workflow: Workflow<C>,
  config: C,
  lookFor: (text: string, where: string) => void,
): Questions {
  const atTurn = new Set(workflow.phases.filter((phase) => phase.verifyOnlyAtTurn).map((phase) => phase.name));
  const reports = new Set(workflow.phases.filter((phase) => isReport(phase, config)).map((phase) => phase.name));
  const notKept = (made: Plan) =>
    made.phases.filter(
      ({ phase, decision }) =>
        !['keep', 'inapplicable'].includes(decision) &&
        !(decision === 'deferred' && atTurn.has(phase)) &&
        !(decision === 'act' && reports.has(phase)),
    );
  const questions: Questions = {
    async run(ports, selection, onEvent) {
      const events: Event[] = [];
      const report = (event: Event) => {
        events.push(event);
        onEvent?.(event);
      };
      const request = { workflow, config, ports, report, actor: 'contract suite', journal: journalPath };
      try {
        await runWorkflow({ ...request, ...(selection === undefined ? {} : { selection }) });
      } catch (error) {
        if (isGroundplaneError(error)) lookFor(described(error), 'the error of the run');
        throw error;
      } finally {
        lookFor(JSON.stringify(events.filter(isForEverybody)), 'an event');
        lookFor(ports.memory.text(journalPath) ?? '', 'the journal');
      }
    },
    async plan(ports) {
      const made = await planWorkflow({ workflow, config, ports });
      lookFor(JSON.stringify(made), 'the plan');
      return made;
    },
    async verify(ports) {
      const verdicts = await verifyWorkflow({ workflow, config, ports });
      lookFor(JSON.stringify(verdicts), 'a verdict');
      return verdicts;
    },
    keepsAll: (made) => notKept(made).length === 0,
    async demandKept(ports, what) {
      const open = notKept(await questions.plan(ports));
      demand(
        open.length === 0,
        () => `${what}: the next plan would not leave it: ${open.map((p) => `${p.phase} ${p.decision}`).join(', ')}`,
      );
    },
    async completes(ports, what, selection) {
      try {
        await questions.run(ports, selection);
      } catch (error) {
        if (error instanceof ContractViolation) throw error;
        throw new ContractViolation(`${what}: the run does not complete: ${described(error)}`, { cause: error });
      }
      await questions.demandKept(ports, what);
    },
    async refuses(ports, what, selection) {
      const before = ports.memory.writes.length;
      const error = await questions.run(ports, selection).then(
        () => undefined,
        (thrown: unknown) => thrown,
      );
      if (error instanceof ContractViolation) throw error;
      demand(error !== undefined, `${what}: the run accepts it`);
      demand(
        isGroundplaneError(error) && error.kind === 'conflict',
        () => `${what}: the run fails otherwise: ${described(error)}`,
      );
      const written = ports.memory.writes.slice(before);
      demand(written.length === 0, () => `${what}: the run wrote before it stopped: ${written[0]?.location}`);
    },
  };
  return questions;
}

/** False for a secret that was asked for: it goes to stdout and nowhere else. */
export function isForEverybody(event: Event): boolean {
  return event.type !== 'result' || event.secret !== true;
}

export function errorsIn(verdicts: readonly PhaseVerdict[]): readonly Finding[] {
  return verdicts.flatMap(({ findings }) => findings.filter(({ severity }) => severity === 'error'));
}
