import type { Workflow } from '../workflow.ts';
import { isForEverybody, journalPath, type Questions, questionsFor } from './contract-questions.ts';
import { type Recording, recordRun, secretsIn } from './contract-recording.ts';
import { demand } from './contract-violation.ts';
import type { MemoryPorts } from './memory-ports.ts';
import { withRememberedVerdicts } from './remembered-verdicts.ts';

export interface ContractSubject<C> {
  readonly workflow: Workflow<C>;
  /** Complete and resolved. */
  readonly config: C;
  /** A fresh world in which the workflow can run to its end. The number tells worlds apart: keys of different numbers should differ. */
  readonly world: (number: number) => MemoryPorts;
  /** Texts that must be shown nowhere, beside what secret artifacts hold: a token, a certificate key. */
  readonly secrets?: readonly string[];
}

/** What the cases of one suite share: two complete runs, made when first needed, and ways to ask the engine. */
export interface Laboratory<C> extends Questions {
  readonly subject: ContractSubject<C>;
  /** Two runs in two worlds. */
  record(which: 'first' | 'second'): Promise<Recording>;
  /** Asks the workflow as it is; the questions beside it remember what pure phases answered. */
  readonly plain: Questions;
}

export function laboratory<C>(subject: ContractSubject<C>): Laboratory<C> {
  const { workflow, config } = subject;
  const secrets = new Set<string>(subject.secrets ?? []);
  const lookFor = (text: string, where: string) => {
    for (const secret of secrets)
      demand(!text.includes(secret), `${where} shows secret bytes (they begin with ${secret.slice(0, 4)}…)`);
  };
  const plain = questionsFor(workflow, config, lookFor);
  const recordings = new Map<string, Promise<Recording>>();
  const recordNow = async (number: number): Promise<Recording> => {
    const events: string[] = [];
    const listening: Questions = {
      ...plain,
      run: (ports, selection, onEvent) =>
        plain.run(ports, selection, (event) => {
          if (isForEverybody(event)) events.push(JSON.stringify(event));
          onEvent?.(event);
        }),
    };
    const recording = await recordRun(workflow, config, subject.world(number), listening);
    // Only now is it known what must not have been shown.
    for (const secret of secretsIn(recording)) secrets.add(secret);
    for (const event of events) lookFor(event, 'an event');
    lookFor(recording.ports.memory.text(journalPath) ?? '', 'the journal');
    return recording;
  };
  return {
    ...questionsFor(withRememberedVerdicts(workflow), config, lookFor),
    subject,
    plain,
    record(which) {
      const known = recordings.get(which) ?? recordNow(which === 'first' ? 1 : 2);
      recordings.set(which, known);
      return known;
    },
  };
}
