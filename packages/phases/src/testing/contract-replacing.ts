import { artifactOf, isOptional } from '../artifact.ts';
import { creatorsOf, needsOf } from '../declarations.ts';
import type { AnyPhase } from '../phase.ts';
import type { Laboratory } from './contract-laboratory.ts';
import type { RecordedOutput, Recording } from './contract-recording.ts';
import { demand } from './contract-violation.ts';
import { readArtifact, removeArtifact, sameBytes, writeArtifact } from './contract-world.ts';
import type { MemoryPorts } from './memory-ports.ts';

/**
 * What makes a phase replaceable: skipped, with outputs from elsewhere that are in order, a run goes through and leaves them; with
 * outputs that are not, it stops first. Only for phases whose outputs are files that pure phases make, from the root on.
 */
export function replacingCases<C>(lab: Laboratory<C>, phase: AnyPhase<C>) {
  const { workflow, config } = lab.subject;
  const stoodIn = upstreamOf(workflow.phases, phase);
  const replaceable = stoodIn.every(({ kind, connect }) => kind === 'pure' && connect === undefined);
  const running = workflow.phases.filter((other) => !stoodIn.includes(other));
  const needed = new Map<string, boolean>();
  for (const need of running.filter((other) => other.inapplicable(config) === undefined).flatMap(needsOf)) {
    const { id } = artifactOf(need);
    needed.set(id, (needed.get(id) ?? false) || !isOptional(need) || need.whereApplicable === true);
  }
  const isNeeded = Object.values(phase.writes).some((entry) => needed.has(artifactOf(entry).id));
  if (!replaceable || !isNeeded) return [];

  const names = stoodIn.map(({ name }) => name);
  const layout = workflow.layout(config);
  // What the stood-in phases look at and nobody in the workflow makes comes from where their outputs come from.
  const external = [...new Set(stoodIn.flatMap(needsOf).map(artifactOf))].filter((artifact) => artifact.external);
  const broughtAlong = ({ ports: { memory }, final }: Recording) => {
    memory.restore(final);
    return external.flatMap((artifact) => {
      const location = artifact.where(layout);
      const bytes = readArtifact(memory, location);
      if (location.kind !== 'file' || bytes === undefined) return [];
      return [{ location, bytes, mode: memory.mode(location.path) }];
    });
  };
  const selection = { skip: names };
  const foreign = async () => {
    const first = await lab.record('first');
    const ports = lab.subject.world(3);
    for (const { location, bytes, mode } of broughtAlong(first)) writeArtifact(ports.memory, location, bytes, mode);
    const outputs = [...first.outputs, ...first.passing].filter((output) => names.includes(output.phase));
    for (const { location, bytes, artifact } of outputs) writeArtifact(ports.memory, location, bytes, artifact.mode);
    return { ports, outputs, own: outputs.filter((output) => output.phase === phase.name) };
  };
  return [
    {
      name: `${phase.name}: skipped, with valid outputs from elsewhere, a run goes through and leaves them`,
      run: async () => {
        const { ports, outputs } = await foreign();
        await lab.completes(ports, `With ${names.join(', ')} skipped`, selection);
        for (const { location, place, bytes, artifact } of outputs) {
          const left = readArtifact(ports.memory, location);
          const changed = !sameBytes(left, bytes) && !(left === undefined && artifact.policy === 'ephemeral');
          demand(!changed, `${place} came from elsewhere, and the run changed it`);
        }
      },
    },
    {
      name: `${phase.name}: skipped, with invalid outputs from elsewhere, a run stops before its first write`,
      run: async () => {
        const { own } = await foreign();
        for (const output of own.filter(({ artifact }) => needed.has(artifact.id))) {
          for (const { what, spoil } of waysToSpoil(output, needed.get(output.artifact.id) ?? false)) {
            const { ports } = await foreign();
            spoil(ports);
            await lab.refuses(ports, `With ${names.join(', ')} skipped and ${output.place} ${what}`, selection);
          }
        }
      },
    },
  ];
}

interface Way {
  readonly what: string;
  readonly spoil: (ports: MemoryPorts) => void;
}

function waysToSpoil({ artifact, location, bytes, optional }: RecordedOutput, required: boolean): readonly Way[] {
  const put = (content: Uint8Array) => (ports: MemoryPorts) =>
    writeArtifact(ports.memory, location, content, artifact.mode);
  const ways: Way[] = [];
  if (required && !optional) ways.push({ what: 'missing', spoil: ({ memory }) => removeArtifact(memory, location) });
  if (location.kind !== 'file') return ways;
  ways.push({ what: 'empty', spoil: put(new Uint8Array()) });
  if (artifact.policy === 'preserve') ways.push({ what: 'cut short', spoil: put(bytes.slice(0, bytes.length >> 1)) });
  return ways;
}

/** The phase and all that its outputs are made from. */
function upstreamOf<C>(phases: readonly AnyPhase<C>[], phase: AnyPhase<C>): readonly AnyPhase<C>[] {
  const creators = creatorsOf(phases);
  const found = new Set<AnyPhase<C>>();
  const follow = (one: AnyPhase<C>): void => {
    if (found.has(one)) return;
    found.add(one);
    for (const need of needsOf(one)) {
      const creator = phases.find(({ name }) => name === creators.get(artifactOf(need).id));
      if (creator !== undefined) follow(creator);
    }
  };
  follow(phase);
  return phases.filter((one) => found.has(one));
}
