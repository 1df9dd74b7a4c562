import type { Decision } from '../events.ts';
import type { Workflow } from '../workflow.ts';
import { journalPath, type Questions } from './contract-questions.ts';
import { ContractViolation, described } from './contract-violation.ts';
import { type Output, outputsOfWorkflow, readArtifact } from './contract-world.ts';
import type { Memory, MemoryPorts, MemorySnapshot } from './memory-ports.ts';
import type { WriteRecord } from './memory-state.ts';

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
  /** Phase → what was decided at its turn. */
  readonly decisions: ReadonlyMap<string, Decision>;
  /** Outputs that are there at the end, with their bytes. */
  readonly outputs: readonly RecordedOutput[];
  /** Those that were there on the way and are gone at the end, as they were last. */
  readonly passing: readonly RecordedOutput[];
}

/** @throws ContractViolation if the workflow does not run to its end in this world */
export async function recordRun<C>(
  workflow: Workflow<C>,
  config: C,
  ports: MemoryPorts,
  questions: Questions,
): Promise<Recording> {
  const { memory } = ports;
  const steps: Step[] = [];
  const decisions = new Map<string, Decision>();
  let phase = '';
  memory.beforeWrite = (record) => {
    if (record.location !== journalPath) steps.push({ phase, record, before: memory.snapshot() });
  };
  try {
    await questions.run(ports, undefined, (event) => {
      if (event.type === 'phase-started') phase = event.phase;
      if (event.type === 'phase-finished') decisions.set(event.phase, event.decision);
    });
  } catch (error) {
    if (error instanceof ContractViolation) throw error;
    throw new ContractViolation(`The workflow does not run in a fresh world: ${described(error)}`, { cause: error });
  } finally {
    memory.beforeWrite = undefined;
  }
  const final = memory.snapshot();
  const all = outputsOfWorkflow(workflow, config);
  const outputs = all.flatMap((output) => recorded(memory, output));
  const passing = all
    .filter(({ place }) => !outputs.some((output) => output.place === place))
    .flatMap((output) => {
      for (const { before } of steps.toReversed()) {
        memory.restore(before);
        const found = recorded(memory, output);
        if (found.length > 0) return found;
      }
      return [];
    });
  memory.restore(final);
  return { ports, final, steps, decisions, outputs, passing };
}

function recorded(memory: Memory, output: Output): readonly RecordedOutput[] {
  const bytes = readArtifact(memory, output.location);
  return bytes === undefined ? [] : [{ ...output, bytes }];
}

/** Runs of characters as keys and tokens have them, in secret artifacts and in none that is public; paths of files are no secrets. */
export function secretsIn({ ports, outputs, passing }: Recording): readonly string[] {
  const textOf = ({ bytes }: RecordedOutput) => new TextDecoder().decode(bytes);
  const everything = [...outputs, ...passing];
  const open = everything.filter(({ artifact }) => !artifact.secret).map(textOf);
  const known = [...open, ...ports.memory.paths()].join('\n');
  return everything
    .filter(({ artifact }) => artifact.secret)
    .flatMap((output) => textOf(output).match(/[A-Za-z0-9+=_-][A-Za-z0-9+/=_-]{23,}/g) ?? [])
    .filter((run) => !known.includes(run));
}
