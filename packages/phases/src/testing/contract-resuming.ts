import { isGroundplaneError } from '@groundplane/errors';
import type { Laboratory } from './contract-laboratory.ts';
import type { Recording } from './contract-recording.ts';
import { ContractViolation, demand, described } from './contract-violation.ts';
import { type Output, outputsOfWorkflow, readArtifact, removeArtifact, sameBytes } from './contract-world.ts';
import type { Memory } from './memory-ports.ts';

/** What makes a half-done run complete, and leave what was there. */
export function resumingCases<C>(lab: Laboratory<C>, phase: string) {
  const declared = outputsOfWorkflow(lab.subject.workflow, lab.subject.config);
  const stopped = {
    name: `${phase}: a run that stopped before any of its changes is completed by the next`,
    run: async () => {
      const { ports, steps } = await lab.record('first');
      for (const [index, step] of steps.entries()) {
        if (step.phase !== phase) continue;
        ports.memory.restore(step.before);
        const preserved = preservedIn(lab, ports.memory);
        const what = `Stopped before change ${index + 1} (${step.record.action} ${step.record.location})`;
        await lab.completes(ports, what);
        demandUnchanged(ports.memory, preserved, what);
      }
    },
  };
  const incomplete = {
    name: `${phase}: with one output missing, a run completes it or stops before its first write`,
    run: async () => {
      const { ports, final, outputs } = await lab.record('first');
      for (const output of outputs.filter((output) => output.phase === phase)) {
        ports.memory.restore(final);
        removeArtifact(ports.memory, output.location);
        await completesOrRefuses(lab, ports, output);
      }
    },
  };
  return declared.some((output) => output.phase === phase) ? [stopped, incomplete] : [stopped];
}

async function completesOrRefuses<C>(lab: Laboratory<C>, ports: Recording['ports'], output: Output): Promise<void> {
  const { memory } = ports;
  const what = `Without ${output.place}`;
  const preserved = preservedIn(lab, memory);
  const before = memory.writes.length;
  const error = await lab.run(ports).then(
    () => undefined,
    (thrown: unknown) => thrown,
  );
  if (error === undefined) {
    await lab.demandKept(ports, what);
  } else {
    // Only what cannot be made again may stop a run: a leaf is lost with its CA, a key with its certificate.
    if (error instanceof ContractViolation) throw error;
    const mayRefuse = output.artifact.policy === 'preserve' && isGroundplaneError(error) && error.kind === 'conflict';
    demand(mayRefuse, () => `${what}: the run does not complete: ${described(error)}`);
    const written = memory.writes.slice(before);
    demand(written.length === 0, () => `${what}: the run wrote ${written[0]?.location} before it stopped`);
  }
  demandUnchanged(memory, preserved, what);
}

type Preserved = ReadonlyMap<Output, Uint8Array>;

function preservedIn<C>({ subject }: Laboratory<C>, memory: Memory): Preserved {
  // An amendment is meant to change what it amends.
  const amended = new Set(
    subject.workflow.phases.flatMap((phase) =>
      Object.values(phase.amends).map((entry) => ('optional' in entry ? entry.optional.id : entry.id)),
    ),
  );
  const found = outputsOfWorkflow(subject.workflow, subject.config)
    .filter(({ artifact }) => artifact.policy === 'preserve' && !amended.has(artifact.id))
    .flatMap((output) => {
      const bytes = readArtifact(memory, output.location);
      return bytes === undefined ? [] : [[output, bytes] as const];
    });
  return new Map(found);
}

function demandUnchanged(memory: Memory, preserved: Preserved, what: string): void {
  for (const [output, bytes] of preserved) {
    demand(
      sameBytes(readArtifact(memory, output.location), bytes),
      `${what}: ${output.place} was there already, and the run changed it`,
    );
  }
}
