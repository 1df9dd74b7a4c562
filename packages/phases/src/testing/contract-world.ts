import { type Artifact, artifactOf, formatLocation, isOptional, type Location } from '../artifact.ts';
import type { AnyPhase } from '../phase.ts';
import type { ClusterObject } from '../ports.ts';
import type { Workflow } from '../workflow.ts';
import type { Memory } from './memory-ports.ts';

/** One output of one phase, where it is. */
export interface Output {
  readonly phase: string;
  readonly artifact: Artifact<unknown>;
  readonly location: Location;
  readonly place: string;
  readonly optional: boolean;
}

/** What the phases create for this configuration; states and families, which no place holds, left out. */
export function outputsOfWorkflow<C>(workflow: Workflow<C>, config: C): readonly Output[] {
  const layout = workflow.layout(config);
  return workflow.phases
    .filter((phase) => phase.inapplicable(config) === undefined)
    .flatMap((phase: AnyPhase<C>) =>
      Object.values(phase.writes).map((entry): Output => {
        const artifact = artifactOf(entry);
        const location = artifact.where(layout);
        return { phase: phase.name, artifact, location, place: formatLocation(location), optional: isOptional(entry) };
      }),
    )
    .filter(({ location }) => location.kind !== 'state' && location.kind !== 'objects');
}

/** The bytes of an artifact in a world; empty for a directory, `undefined` if it is not there. */
export function readArtifact(memory: Memory, location: Location): Uint8Array | undefined {
  switch (location.kind) {
    case 'file':
      return memory.bytes(location.path);
    case 'directory':
      return memory.mode(location.path) === undefined ? undefined : new Uint8Array();
    case 'object': {
      const object = memory.object(location.reference);
      return object && new TextEncoder().encode(JSON.stringify(object));
    }
    case 'list':
    case 'objects':
    case 'state':
      return undefined;
  }
}

/** Puts an artifact there, or replaces its bytes; a file keeps its mode unless one is given. */
export function writeArtifact(memory: Memory, location: Location, bytes: Uint8Array, mode?: number): void {
  if (location.kind === 'file')
    memory.put(location.path, { content: bytes, mode: mode ?? memory.mode(location.path) ?? 0o644 });
  if (location.kind === 'directory') memory.putDirectory(location.path, mode ?? 0o755);
  if (location.kind === 'object') {
    memory.removeObject(location.reference);
    memory.putObject(JSON.parse(new TextDecoder().decode(bytes)) as ClusterObject);
  }
}

export function removeArtifact(memory: Memory, location: Location): void {
  if (location.kind === 'file' || location.kind === 'directory') memory.remove(location.path);
  if (location.kind === 'object') memory.removeObject(location.reference);
}

export function sameBytes(one: Uint8Array | undefined, other: Uint8Array | undefined): boolean {
  if (one === undefined || other === undefined) return one === other;
  return one.length === other.length && one.every((byte, index) => byte === other[index]);
}
