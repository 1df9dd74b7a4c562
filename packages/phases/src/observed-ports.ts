import { type Artifact, artifactOf, belongsTo, formatLocation, type ObjectReference } from './artifact.ts';
import { outputsOf } from './declarations.ts';
import type { ArtifactAction } from './events.ts';
import type { AnyPhase } from './phase.ts';
import type { Cluster, ClusterObject, Files, Ports } from './ports.ts';
import { referenceOf } from './reference-of.ts';
import type { World } from './world.ts';

/** Something that an effect changed by itself. */
export interface Change {
  /** Of the phase's declaration. */
  readonly artifact: Artifact<unknown>;
  /** The one place of those that the artifact stands for. */
  readonly location: string;
  readonly action: ArtifactAction;
  /** What was written, where it was the whole of it. */
  readonly bytes?: Uint8Array;
}

export interface ObservedOptions<C> {
  readonly phase: AnyPhase<C>;
  readonly world: World;
  /** When the run began: an object that is not older was made by it. */
  readonly since: Date;
  /** Told after each change. */
  readonly note: (change: Change) => Promise<void>;
}

/** The ports of an effect, which tell what it changes by itself: objects, and files that the engine does not write for it. */
export function observedPorts<C>(ports: Partial<Ports>, options: ObservedOptions<C>): Partial<Ports> {
  const { host, cluster, clusters } = ports;
  return {
    ...ports,
    ...(host === undefined ? {} : { host: { ...host, files: observedFiles(host.files, options) } }),
    ...(cluster === undefined ? {} : { cluster: observedCluster(cluster, options) }),
    ...(clusters === undefined
      ? {}
      : { clusters: { connect: async (to) => observedCluster(await clusters.connect(to), options) } }),
  };
}

function observedFiles<C>(files: Files, { phase, world, note }: ObservedOptions<C>): Files {
  // What is declared may be looked at; anything else is refused by the ports themselves.
  const look = world.ports.host.files;
  const at = (path: string) =>
    changedBy(phase).find((one) => {
      const location = world.locate(one);
      return (location.kind === 'file' || location.kind === 'directory') && location.path === path;
    });
  const isThere = async (path: string) => (await look.status(path, { followLinks: false })) !== undefined;
  const removed = async (path: string, remove: () => Promise<void>) => {
    const artifact = at(path);
    const was = artifact !== undefined && (await isThere(path));
    await remove();
    if (was) await note({ artifact, location: path, action: 'removed' });
  };
  return {
    ...files,
    async write(path, bytes, options) {
      const artifact = at(path);
      const action = artifact !== undefined && (await isThere(path)) ? 'replaced' : 'created';
      await files.write(path, bytes, options);
      if (artifact !== undefined) await note({ artifact, location: path, action, bytes });
    },
    async append(path, bytes, options) {
      await files.append(path, bytes, options);
      const artifact = at(path);
      if (artifact !== undefined) await note({ artifact, location: path, action: 'extended' });
    },
    remove: (path) => removed(path, () => files.remove(path)),
    removeDirectory: (path) => removed(path, () => files.removeDirectory(path)),
    async empty(path) {
      const artifact = at(path);
      const names = artifact === undefined ? [] : ((await look.list(path)) ?? []);
      const leftovers = await files.empty(path);
      if (artifact !== undefined && names.length > 0 && leftovers.length === 0)
        await note({ artifact, location: path, action: 'removed' });
      return leftovers;
    },
  };
}

function observedCluster<C>(cluster: Cluster, { phase, world, since, note }: ObservedOptions<C>): Cluster {
  const noteObject = async (reference: ObjectReference, action: ArtifactAction, body?: unknown) => {
    const artifact = changedBy(phase).find((one) => {
      const location = world.locate(one);
      if (location.kind === 'objects') return belongsTo(location.family, reference);
      return location.kind === 'object' && formatLocation(location) === formatLocation({ kind: 'object', reference });
    });
    if (artifact === undefined) return;
    const location = formatLocation({ kind: 'object', reference });
    const bytes = body === undefined ? {} : { bytes: new TextEncoder().encode(JSON.stringify(body)) };
    await note({ artifact, location, action, ...bytes });
  };
  return {
    ...cluster,
    async create(object) {
      const made = await cluster.create(object);
      await noteObject(referenceOf(object), 'created', object);
      return made;
    },
    async apply(object) {
      const applied = await cluster.apply(object);
      await noteObject(referenceOf(object), isNew(applied, since) ? 'created' : 'replaced', object);
      return applied;
    },
    async patch(reference, body, options) {
      const patched = await cluster.patch(reference, body, options);
      await noteObject(reference, 'extended');
      return patched;
    },
    async delete(reference) {
      await cluster.delete(reference);
      await noteObject(reference, 'removed');
    },
  };
}

function changedBy(phase: AnyPhase<never>): readonly Artifact<unknown>[] {
  return [...Object.values(outputsOf(phase)).map(artifactOf), ...phase.removes];
}

/** The API keeps whole seconds. */
function isNew({ metadata }: ClusterObject, since: Date): boolean {
  const { creationTimestamp } = metadata;
  return typeof creationTimestamp !== 'string' || Date.parse(creationTimestamp) + 1000 > since.getTime();
}
