import { type Artifact, formatLocation, isInCluster, type Location } from './artifact.ts';
import { unavailability } from './capabilities.ts';
import { phasesError } from './error-codes.ts';
import type { Connect } from './phase.ts';
import type {
  Cluster,
  ClusterObject,
  FileContent,
  FileStatus,
  Files,
  Host,
  ObjectQuery,
  SuppliedPorts,
} from './ports.ts';
import { type Loaded, placeOf, type World } from './world.ts';

export interface PredictedWorld {
  /** The world as a run would leave it so far. Everything that would change the real one throws. */
  readonly world: World;
  /** Ids of the artifacts that were changed. */
  readonly changed: ReadonlySet<string>;
  /** Says what an artifact is from now on. */
  set(artifact: Artifact<unknown>, loaded: Loaded): void;
}

/** How long to wait for an API server that may be there, in milliseconds. */
const probeMs = 1_000;

/**
 * The real world with what a run would have written laid over it, in memory alone.
 *
 * @param options.localEndpoint URL of this node's API server
 */
export function predictedWorld(
  real: World,
  { localEndpoint }: { readonly localEndpoint: string | undefined },
): PredictedWorld {
  const changed = new Set<string>();
  const laid = new Map<string, Loaded>();
  let answering: Promise<boolean> | undefined;
  const answers = async () =>
    localEndpoint !== undefined &&
    (await real.ports.host.probe(`${localEndpoint}/livez`, { timeoutMs: probeMs })).status !== undefined;
  /**
   * Whoever connects with what a run has yet to make finds a cluster that is new, with nothing in it, unless there is one already.
   *
   * @throws GroundplaneError PHASES_UNREADABLE if there is one
   */
  const isNewCluster = async (connect: Connect | undefined): Promise<boolean> => {
    if (connect === undefined || !changed.has(connect.kubeconfig.id)) return false;
    answering ??= answers();
    if (!(await answering)) return true;
    throw phasesError(
      'PHASES_UNREADABLE',
      `Cannot look at the cluster at ${localEndpoint} as the kubeconfig for it is still to be made: ${placeOf(real, connect.kubeconfig as Artifact<unknown>)}`,
    );
  };
  const seen = (location: Location): Loaded | undefined => laid.get(formatLocation(location));
  const host = predictedHost(real.ports.host, laid);
  const world: World = {
    ...real,
    ports: lookingPorts(real.ports, host),
    async load(artifact, connect) {
      const location = real.locate(artifact);
      const found = seen(location);
      if (found !== undefined) return found;
      if (!isInCluster(location)) return real.load(artifact, connect);
      try {
        return (await isNewCluster(connect)) ? inNewCluster(artifact, location) : real.load(artifact, connect);
      } catch (thrown) {
        return { state: 'unknown', reason: unavailability(thrown) };
      }
    },
    store: refused('write'),
    remove: refused('remove'),
    async cluster(connect) {
      const cluster = (await isNewCluster(connect)) ? newCluster : await real.cluster(connect);
      return {
        ...changeless,
        probe: (path, options) => cluster.probe(path, options),
        watch: (query, options) => cluster.watch(query, options),
        list: (query) => cluster.list(query),
        async get(reference) {
          const found = seen({ kind: 'object', reference });
          if (found === undefined) return cluster.get(reference);
          return found.state === 'present' ? (found.value as ClusterObject) : undefined;
        },
      };
    },
  };
  return {
    world,
    changed,
    set(artifact, loaded) {
      changed.add(artifact.id);
      laid.set(formatLocation(real.locate(artifact)), loaded);
    },
  };
}

function inNewCluster(artifact: Artifact<unknown>, location: Location): Loaded {
  if (location.kind !== 'list') return { state: 'absent' };
  return { state: 'present', value: artifact.format.parse(new TextEncoder().encode('[]')) };
}

/** @throws TypeError always: a prediction that changes something is a mistake of the program */
function refused(verb: string): () => never {
  return () => {
    throw new TypeError(`Cannot ${verb} anything while predicting`);
  };
}

const changeless = {
  create: async () => refused('create')(),
  apply: async () => refused('apply')(),
  patch: async () => refused('patch')(),
  delete: async () => refused('delete')(),
} as const;

/** An API server that is still to be started. */
const newCluster: Cluster = {
  ...changeless,
  get: async () => undefined,
  list: async (_: ObjectQuery) => [],
  watch: () => refused('watch')(),
  probe: async () => ({ text: 'it is still to be started' }),
};

function predictedHost(host: Host, laid: ReadonlyMap<string, Loaded>): Host {
  const contentOf = (path: string): FileContent | undefined | 'as it is' => {
    const found = laid.get(path);
    if (found === undefined) return 'as it is';
    if (found.state !== 'present' || found.status === undefined) return undefined;
    return { ...found.status, bytes: found.bytes ?? new Uint8Array() };
  };
  const files: Files = {
    async read(path) {
      const content = contentOf(path);
      return content === 'as it is' ? host.files.read(path) : content;
    },
    async status(path, options): Promise<FileStatus | undefined> {
      const content = contentOf(path);
      return content === 'as it is' ? host.files.status(path, options) : content;
    },
    list: (path) => host.files.list(path),
    realPath: (path) => host.files.realPath(path),
    write: refused('write'),
    append: refused('append to'),
    makeDirectory: refused('make'),
    remove: refused('remove'),
    removeDirectory: refused('remove'),
    empty: refused('empty'),
  };
  return {
    ...host,
    files,
    services: { ...host.services, restart: refused('restart'), stop: refused('stop') },
    mounts: { ...host.mounts, unmount: refused('unmount') },
  };
}

function lookingPorts(ports: SuppliedPorts, host: Host): SuppliedPorts {
  const { runtime, signer, etcd } = ports;
  return {
    ...ports,
    host,
    clusters: { connect: refused('connect to') },
    runtime: { ...runtime, pullImage: refused('pull'), removeSandbox: refused('remove') },
    signer: { canIssue: (request) => signer.canIssue(request), issue: refused('issue') },
    ...(etcd === undefined
      ? {}
      : { etcd: { ...etcd, addLearner: refused('add'), promote: refused('promote'), remove: refused('remove') } }),
  };
}
