import { type Artifact, artifactOf, formatLocation, type ObjectReference } from './artifact.ts';
import { phasesError } from './error-codes.ts';
import type { AnyPhase } from './phase.ts';
import type { Cluster, Files, ObjectQuery, Ports } from './ports.ts';
import { artifactsOf } from './workflow.ts';
import type { World } from './world.ts';

/** The ports that a phase names in `uses`, which refuse every path and object that it does not declare. */
export async function guardedPorts<C>(phase: AnyPhase<C>, world: World): Promise<Partial<Ports>> {
  const ports: { -readonly [K in keyof Ports]?: Ports[K] } = {};
  for (const name of phase.uses) {
    switch (name) {
      case 'host':
        ports.host = {
          ...world.ports.host,
          probe: world.ports.host.probe.bind(world.ports.host),
          files: guardedFiles(phase, world),
        };
        break;
      case 'cluster':
        if (phase.connect === undefined)
          throw new TypeError(`Cannot give '${phase.name}' the cluster as it does not say how to connect`);
        ports.cluster = guardedCluster(phase, await world.cluster(phase.connect), world);
        break;
      case 'clusters': {
        const { clusters } = world.ports;
        ports.clusters = { connect: async (options) => guardedCluster(phase, await clusters.connect(options), world) };
        break;
      }
      default: {
        const port = world.ports[name];
        if (port === undefined)
          throw new TypeError(`Cannot run '${phase.name}' as the port '${name}' was not supplied`);
        Object.assign(ports, { [name]: port });
      }
    }
  }
  return ports;
}

function refuse(phase: string, verb: string, what: string): never {
  throw phasesError('PHASES_UNDECLARED', `Cannot ${verb} ${what} as phase '${phase}' does not declare it`, {
    hint: `Add it to the phase's reads, writes, amends or removes`,
  });
}

function guardedFiles<C>(phase: AnyPhase<C>, world: World): Files {
  const { files } = world.ports.host;
  const pathsOf = (artifacts: readonly Artifact<unknown>[]) =>
    new Set(
      artifacts
        .map((artifact) => world.locate(artifact))
        .filter((location) => location.kind === 'file' || location.kind === 'directory')
        .map(formatLocation),
    );
  const readable = pathsOf(artifactsOf(phase));
  const writable = pathsOf([...Object.values({ ...phase.writes, ...phase.amends }).map(artifactOf), ...phase.removes]);
  const reading = (path: string) => (readable.has(path) ? path : refuse(phase.name, 'read', path));
  const writing = (path: string) => (writable.has(path) ? path : refuse(phase.name, 'write', path));
  return {
    read: async (path) => files.read(reading(path)),
    status: async (path) => files.status(reading(path)),
    list: async (path) => files.list(reading(path)),
    write: async (path, bytes, options) => files.write(writing(path), bytes, options),
    append: async (path, bytes, options) => files.append(writing(path), bytes, options),
    makeDirectory: async (path, options) => files.makeDirectory(writing(path), options),
    remove: async (path) => files.remove(writing(path)),
  };
}

function guardedCluster<C>(phase: AnyPhase<C>, cluster: Cluster, world: World): Cluster {
  const referencesOf = (artifacts: readonly Artifact<unknown>[]): readonly ObjectReference[] =>
    artifacts
      .map((artifact) => world.locate(artifact))
      .flatMap((location) => (location.kind === 'object' ? [location.reference] : []));
  const readable = referencesOf(artifactsOf(phase));
  const writable = referencesOf([
    ...Object.values({ ...phase.writes, ...phase.amends }).map(artifactOf),
    ...phase.removes,
  ]);
  const among = (list: readonly ObjectReference[], verb: string, reference: ObjectReference) => {
    const same = (one: ObjectReference) =>
      one.apiVersion === reference.apiVersion &&
      one.kind === reference.kind &&
      one.name === reference.name &&
      one.namespace === reference.namespace;
    return list.some(same) ? reference : refuse(phase.name, verb, formatLocation({ kind: 'object', reference }));
  };
  const kind = (query: ObjectQuery) =>
    readable.some((one) => one.apiVersion === query.apiVersion && one.kind === query.kind)
      ? query
      : refuse(phase.name, 'list', `${query.kind} objects`);
  const referenceOf = (object: {
    apiVersion: string;
    kind: string;
    metadata: { name: string; namespace?: string };
  }): ObjectReference => ({
    apiVersion: object.apiVersion,
    kind: object.kind,
    name: object.metadata.name,
    ...(object.metadata.namespace === undefined ? {} : { namespace: object.metadata.namespace }),
  });
  return {
    get: async (reference) => cluster.get(among(readable, 'read', reference)),
    list: async (query) => cluster.list(kind(query)),
    create: async (object) => (among(writable, 'create', referenceOf(object)), cluster.create(object)),
    apply: async (object) => (among(writable, 'apply', referenceOf(object)), cluster.apply(object)),
    patch: async (reference, body, options) => cluster.patch(among(writable, 'patch', reference), body, options),
    delete: async (reference) => cluster.delete(among(writable, 'delete', reference)),
    watch: (query, options) => cluster.watch(kind(query), options),
    probe: (path, options) => cluster.probe(path, options),
  };
}
