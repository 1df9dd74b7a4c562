import {
  type Artifact,
  artifactOf,
  belongsTo,
  formatLocation,
  type Location,
  type ObjectReference,
} from './artifact.ts';
import { artifactsOf, outputsOf } from './declarations.ts';
import { phasesError } from './error-codes.ts';
import type { AnyPhase } from './phase.ts';
import type {
  Cluster,
  ClusterObject,
  Etcd,
  Files,
  Mounts,
  ObjectQuery,
  Ports,
  Runtime,
  Services,
  Signer,
} from './ports.ts';
import { referenceOf } from './reference-of.ts';
import type { World } from './world.ts';

/** `read-only` is for verify: everything that would change the world is refused. */
export type Access = 'read-only' | 'read-write';

/** The ports that a phase names in `uses`, which refuse every path and object that it does not declare. */
export async function guardedPorts<C>(phase: AnyPhase<C>, world: World, access: Access): Promise<Partial<Ports>> {
  const { host, clusters } = world.ports;
  const ports: { -readonly [K in keyof Ports]?: Ports[K] } = {};
  const guard = guardOf(phase, access);
  for (const name of phase.uses) {
    switch (name) {
      case 'host':
        ports.host = {
          files: guardedFiles(phase, world, guard),
          services: guardedServices(host.services, guard),
          facts: host.facts,
          mounts: guardedMounts(phase, world, guard),
          probe: (url, options) => host.probe(url, options),
        };
        break;
      case 'cluster':
        if (phase.connect === undefined)
          throw new TypeError(`Cannot give '${phase.name}' the cluster as it does not say how to connect`);
        ports.cluster = guardedCluster(phase, await world.cluster(phase.connect), world, guard);
        break;
      case 'clusters':
        ports.clusters = {
          connect: async (options) => guardedCluster(phase, await clusters.connect(options), world, guard),
        };
        break;
      default: {
        const port = world.ports[name];
        if (port === undefined)
          throw new TypeError(`Cannot run '${phase.name}' as the port '${name}' was not supplied`);
        Object.assign(ports, { [name]: access === 'read-only' ? readOnly(name, port, guard) : port });
      }
    }
  }
  return ports;
}

interface Guard {
  /** @throws GroundplaneError PHASES_UNDECLARED always: the phase does not declare it */
  undeclared(verb: string, what: string): never;
  /** @throws GroundplaneError PHASES_UNDECLARED while verifying */
  changes(verb: string, what: string): void;
}

function guardOf(phase: AnyPhase<never>, access: Access): Guard {
  return {
    undeclared(verb, what) {
      throw phasesError('PHASES_UNDECLARED', `Cannot ${verb} ${what} as phase '${phase.name}' does not declare it`, {
        hint: `Add it to the phase's reads, writes, amends or removes`,
      });
    },
    changes(verb, what) {
      if (access === 'read-write') return;
      throw phasesError('PHASES_UNDECLARED', `Cannot ${verb} ${what} as phase '${phase.name}' is only verifying`, {
        hint: `Let the phase's run do it`,
      });
    },
  };
}

function writesOf(phase: AnyPhase<never>): readonly Artifact<unknown>[] {
  return [...Object.values(outputsOf(phase)).map(artifactOf), ...phase.removes];
}

function guardedFiles<C>(phase: AnyPhase<C>, world: World, guard: Guard): Files {
  const { files } = world.ports.host;
  const pathsOf = (artifacts: readonly Artifact<unknown>[]) =>
    new Set(
      artifacts
        .map((artifact) => world.locate(artifact))
        .filter((location) => location.kind === 'file' || location.kind === 'directory')
        .map(formatLocation),
    );
  const readable = pathsOf(artifactsOf(phase));
  const writable = pathsOf(writesOf(phase));
  const reading = (path: string) => (readable.has(path) ? path : guard.undeclared('read', path));
  const writing = (path: string) => {
    guard.changes('write', path);
    return writable.has(path) ? path : guard.undeclared('write', path);
  };
  return {
    read: async (path) => files.read(reading(path)),
    status: async (path, options) => files.status(reading(path), options),
    list: async (path) => files.list(reading(path)),
    write: async (path, bytes, options) => files.write(writing(path), bytes, options),
    append: async (path, bytes, options) => files.append(writing(path), bytes, options),
    makeDirectory: async (path, options) => files.makeDirectory(writing(path), options),
    remove: async (path) => files.remove(writing(path)),
    realPath: async (path) => files.realPath(reading(path)),
    removeDirectory: async (path) => files.removeDirectory(writing(path)),
    empty: async (path) => files.empty(writing(path)),
  };
}

/** File systems may be unmounted where they are mounted below a directory that the phase may change. */
function guardedMounts<C>(phase: AnyPhase<C>, world: World, guard: Guard): Mounts {
  const { mounts } = world.ports.host;
  const directories = writesOf(phase)
    .map((artifact) => world.locate(artifact))
    .flatMap((location) => (location.kind === 'directory' ? [`${location.path}/`] : []));
  return {
    table: () => mounts.table(),
    async unmount(path, options) {
      guard.changes('unmount', path);
      if (!directories.some((directory) => path.startsWith(directory))) guard.undeclared('unmount', path);
      return mounts.unmount(path, options);
    },
  };
}

function guardedServices(services: Services, guard: Guard): Services {
  const changing = (verb: string, unit: string) => {
    guard.changes(verb, unit);
    return unit;
  };
  return {
    status: (unit) => services.status(unit),
    log: (unit, lines) => services.log(unit, lines),
    restart: async (unit) => services.restart(changing('restart', unit)),
    stop: async (unit) => services.stop(changing('stop', unit)),
  };
}

function guardedCluster<C>(phase: AnyPhase<C>, cluster: Cluster, world: World, guard: Guard): Cluster {
  const placesOf = (artifacts: readonly Artifact<unknown>[]): readonly Location[] =>
    artifacts.map((artifact) => world.locate(artifact));
  const readable = placesOf(artifactsOf(phase));
  const writable = placesOf(writesOf(phase));
  const among = (places: readonly Location[], verb: string, reference: ObjectReference) =>
    places.some((place) => holds(place, reference))
      ? reference
      : guard.undeclared(verb, formatLocation({ kind: 'object', reference }));
  const changing = (verb: string, reference: ObjectReference) => {
    guard.changes(verb, formatLocation({ kind: 'object', reference }));
    return among(writable, verb, reference);
  };
  const whole = (verb: string, object: ClusterObject) => {
    changing(verb, referenceOf(object));
    return object;
  };
  const kind = (query: ObjectQuery) =>
    readable.some((place) => isOfKind(place, query)) ? query : guard.undeclared('list', `${query.kind} objects`);
  return {
    get: async (reference) => cluster.get(among(readable, 'read', reference)),
    list: async (query) => cluster.list(kind(query)),
    create: async (object) => cluster.create(whole('create', object)),
    apply: async (object) => cluster.apply(whole('apply', object)),
    patch: async (reference, body, options) => cluster.patch(changing('patch', reference), body, options),
    delete: async (reference) => cluster.delete(changing('delete', reference)),
    watch: (query, options) => cluster.watch(kind(query), options),
    probe: (path, options) => cluster.probe(path, options),
  };
}

function holds(place: Location, reference: ObjectReference): boolean {
  if (place.kind === 'objects') return belongsTo(place.family, reference);
  return place.kind === 'object' && isSameObject(place.reference, reference);
}

function isOfKind(place: Location, { apiVersion, kind }: ObjectQuery): boolean {
  const of = kindOf(place);
  return of?.apiVersion === apiVersion && of.kind === kind;
}

function kindOf(place: Location): Pick<ObjectQuery, 'apiVersion' | 'kind'> | undefined {
  switch (place.kind) {
    case 'objects':
      return place.family;
    case 'object':
      return place.reference;
    case 'list':
      return place.query;
    default:
      return undefined;
  }
}

function isSameObject(one: ObjectReference, other: ObjectReference): boolean {
  return (
    one.apiVersion === other.apiVersion &&
    one.kind === other.kind &&
    one.name === other.name &&
    one.namespace === other.namespace
  );
}

/** The part of a port that only looks. */
function readOnly(name: keyof Ports, port: unknown, guard: Guard): unknown {
  const refusal = (verb: string, what: string) => async () => guard.changes(verb, what) as never;
  switch (name) {
    case 'etcd': {
      const etcd = port as Etcd;
      return {
        members: () => etcd.members(),
        addLearner: refusal('add', 'an etcd member'),
        promote: refusal('promote', 'an etcd member'),
        remove: refusal('remove', 'an etcd member'),
      } satisfies Etcd;
    }
    case 'runtime': {
      const runtime = port as Runtime;
      return {
        version: () => runtime.version(),
        status: () => runtime.status(),
        cgroupDriver: () => runtime.cgroupDriver(),
        imageExists: (image) => runtime.imageExists(image),
        pullImage: refusal('pull', 'an image'),
        containers: (namespace) => runtime.containers(namespace),
        sandboxes: () => runtime.sandboxes(),
        removeSandbox: refusal('remove', 'a pod sandbox'),
        log: (container, lines) => runtime.log(container, lines),
      } satisfies Runtime;
    }
    case 'signer': {
      const signer = port as Signer;
      return {
        canIssue: (request) => signer.canIssue(request),
        issue: () => guard.changes('issue', 'a certificate') as never,
      } satisfies Signer;
    }
    default:
      return port;
  }
}
