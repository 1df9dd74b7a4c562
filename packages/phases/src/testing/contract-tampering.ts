import { isBlocked } from '../plan.ts';
import type { ClusterObject } from '../ports.ts';
import type { Laboratory } from './contract-laboratory.ts';
import { errorsIn } from './contract-questions.ts';
import type { RecordedOutput, Recording } from './contract-recording.ts';
import { demand } from './contract-violation.ts';
import { type Output, outputsOfWorkflow, removeArtifact, sameBytes, writeArtifact } from './contract-world.ts';
import { withoutServerFields } from './memory-cluster.ts';
import type { MemoryPorts } from './memory-ports.ts';
import { sameJson } from './server-side-apply.ts';

/** How an output is spoiled in a finished world. */
interface Spoiling {
  readonly what: string;
  /** True if what is put there may serve as well, a superuser's kubeconfig for an administrator's: then a warning will do. */
  readonly mayServe?: true;
  /** @returns the bytes to put in its place; nothing if this cannot be done to this output */
  readonly bytes: (output: RecordedOutput, first: Recording, second: Recording) => readonly Uint8Array[];
}

const spoilings: readonly Spoiling[] = [
  { what: 'cut short', bytes: (output) => cutShort(output) },
  {
    what: 'swapped for an output of another phase',
    mayServe: true,
    bytes: (output, first) => otherPhases(output, first),
  },
  {
    what: 'swapped for the same output of another run',
    bytes: (output, _, second) =>
      second.outputs.filter(({ place }) => place === output.place).map(({ bytes }) => bytes),
  },
];

/** What makes a phase's deleted, cut or swapped outputs be noticed. One case for each phase and way. */
export function tamperingCases<C>(lab: Laboratory<C>, phase: string) {
  const outputsOfPhase = async () => (await lab.record('first')).outputs.filter((output) => output.phase === phase);
  const deleted = {
    name: `${phase}: an output that is deleted is noticed`,
    run: async () => {
      const { ports, final } = await lab.record('first');
      for (const output of (await outputsOfPhase()).filter(({ optional }) => !optional)) {
        ports.memory.restore(final);
        removeArtifact(ports.memory, output.location);
        demand(await isNoticed(lab, ports), `${output.place} was deleted, and neither plan nor verify says so`);
      }
    },
  };
  const spoiled = spoilings.map((spoiling) => ({
    name: `${phase}: an output that is ${spoiling.what} is noticed`,
    run: async () => {
      const first = await lab.record('first');
      const second = await lab.record('second');
      for (const output of (await outputsOfPhase()).filter(isOurs)) {
        for (const bytes of spoiling.bytes(output, first, second).filter((bytes) => isDifferent(output, bytes))) {
          first.ports.memory.restore(first.final);
          writeArtifact(first.ports.memory, output.location, bytes);
          await demandNotice(lab, first.ports, output, spoiling);
        }
      }
    },
  }));
  const declared = outputsOfWorkflow(lab.subject.workflow, lab.subject.config).filter(
    (output) => output.phase === phase,
  );
  return [...(declared.some(({ optional }) => !optional) ? [deleted] : []), ...(declared.some(isOurs) ? spoiled : [])];
}

/** Somebody else writes what is observed, and most of what is extended: its bytes are their affair. */
function isOurs({ artifact, location }: Output): boolean {
  return location.kind !== 'directory' && artifact.policy !== 'observe' && artifact.policy !== 'extend';
}

async function demandNotice<C>(
  lab: Laboratory<C>,
  ports: MemoryPorts,
  output: RecordedOutput,
  { what, mayServe }: Spoiling,
): Promise<void> {
  if (output.artifact.policy !== 'preserve') {
    demand(await isNoticed(lab, ports), `${output.place} was ${what}, and neither plan nor verify says so`);
    return;
  }
  const plan = await lab.plan(ports);
  const isWarned = plan.phases.some(({ phase, findings }) => phase === output.phase && findings.length > 0);
  demand(isBlocked(plan) || (mayServe === true && isWarned), () => {
    const decisions = plan.phases.filter(({ decision }) => decision !== 'keep');
    const found = decisions.map(({ phase, decision }) => `${phase} ${decision}`).join(', ');
    return `${output.place} was ${what}, and a run would not stop for it (decisions beside keep: ${found || 'none'})`;
  });
}

async function isNoticed<C>(lab: Laboratory<C>, ports: MemoryPorts): Promise<boolean> {
  return !lab.keepsAll(await lab.plan(ports)) || errorsIn(await lab.verify(ports)).length > 0;
}

/** Half of a file and an empty one; an object without its first field that is not metadata. */
function cutShort({ location, bytes }: RecordedOutput): readonly Uint8Array[] {
  if (location.kind === 'file') return [bytes.slice(0, bytes.length >> 1), new Uint8Array()];
  const object = JSON.parse(new TextDecoder().decode(bytes)) as Record<string, unknown>;
  const field = Object.keys(object).find((key) => !['apiVersion', 'kind', 'metadata', 'type'].includes(key));
  if (field === undefined) return [];
  delete object[field];
  return [new TextEncoder().encode(JSON.stringify(object))];
}

/** The next and the previous output of the same format, which are the likeliest to be taken for this one. */
function otherPhases(output: RecordedOutput, { outputs }: Recording): readonly Uint8Array[] {
  if (output.location.kind !== 'file') return [];
  const alike = outputs.filter(
    ({ artifact, location }) => location.kind === 'file' && artifact.format.name === output.artifact.format.name,
  );
  const at = alike.findIndex(({ place }) => place === output.place);
  const neighbours = [alike[(at + 1) % alike.length], alike.at(at - 1)];
  return neighbours.flatMap((other) => (other === undefined || other.phase === output.phase ? [] : [other.bytes]));
}

/** False for bytes that say the same: two runs may well make equal manifests, and equal objects but for what the server adds. */
function isDifferent({ location, bytes }: RecordedOutput, others: Uint8Array): boolean {
  if (location.kind !== 'object') return !sameBytes(bytes, others);
  return !sameJson(withoutServerFields(objectIn(bytes)), withoutServerFields(objectIn(others)));
}

function objectIn(bytes: Uint8Array): ClusterObject {
  return JSON.parse(new TextDecoder().decode(bytes)) as ClusterObject;
}
