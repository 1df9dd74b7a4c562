import type { ObjectReference } from '../artifact.ts';
import type {
  ClusterObject,
  Etcd,
  Facts,
  PodSandbox,
  ProbeResult,
  Runtime,
  ServiceStatus,
  Signer,
  SigningRequest,
  SuppliedPorts,
} from '../ports.ts';
import { fakeSigner } from './fake-signer.ts';
import { memoryCluster, objectKey, putObject, type Watchers } from './memory-cluster.ts';
import { putDirectory, putFile } from './memory-files.ts';
import { memoryHost } from './memory-host.ts';
import {
  type Change,
  copyState,
  emptyState,
  type MemoryState,
  restoreState,
  type WriteRecord,
} from './memory-state.ts';

/** A connection to the API, as a phase asked for it. */
export interface MemoryConnection {
  readonly kubeconfig: string;
  readonly server?: string;
}

/** Hooks get the world, and should remember what they need in `world.notes`, so that it is copied with the rest. */
export interface MemoryPortsOptions {
  /** Path → text or bytes, or with a mode (default 0644). */
  readonly files?: Readonly<Record<string, MemoryContent>>;
  readonly objects?: readonly ClusterObject[];
  /** Units that the init system knows; default: an enabled kubelet that does not run. */
  readonly units?: Readonly<Record<string, Partial<ServiceStatus>>>;
  readonly facts?: Partial<Facts>;
  readonly runtime?: Partial<Runtime>;
  /** Lines of /proc/mounts. */
  readonly mounts?: readonly string[];
  readonly sandboxes?: readonly PodSandbox[];
  readonly etcd?: Etcd;
  /** Default: a fake without cryptography, see {@link fakeSigner}. */
  readonly signer?: Signer;
  /** Milliseconds since the epoch at which the clock starts; it moves only by sleep. */
  readonly startMs?: number;
  /** Of entropy and of the fake signer: worlds of different seeds make different keys. */
  readonly seed?: number;
  /** Answer of a health endpoint on this node. Default: 200. */
  readonly probe?: (url: string, world: Memory) => ProbeResult | Promise<ProbeResult>;
  /** Answer of a plain path of the API server. Default: 200. */
  readonly clusterProbe?: (path: string, world: Memory) => ProbeResult;
  /** Why the API server does not answer this connection right now; `undefined` (default) when it does. */
  readonly apiRefusal?: (connection: MemoryConnection, world: Memory) => string | undefined;
  readonly onRestart?: (unit: string, world: Memory) => void | Promise<void>;
  /** Called after the clock has moved: the world may have moved too. */
  readonly onSleep?: (world: Memory) => void;
}

export type MemoryContent = string | Uint8Array | { readonly content: string | Uint8Array; readonly mode?: number };

export interface FailureOptions {
  /** Whether the failing change is done nevertheless. */
  readonly when: 'before' | 'after';
  /** `fail`: this change throws. `kill`: from then on everything throws until `revive`, as if the process were gone. */
  readonly how: 'fail' | 'kill';
}

/** Looks at the world behind the ports and changes it past them. */
export interface Memory {
  readonly notes: Map<string, unknown>;
  /** All changes through the ports, in order. Copies taken by `snapshot` do not contain it. */
  readonly writes: readonly WriteRecord[];
  /** Each call of the signer, with its requests. */
  readonly signed: readonly (readonly SigningRequest[])[];
  readonly connections: readonly MemoryConnection[];
  /** Called before each change through the ports; one at a time. */
  beforeWrite: ((record: WriteRecord) => void) | undefined;
  now(): Date;
  /** Paths of all files, sorted. */
  paths(): readonly string[];
  bytes(path: string): Uint8Array | undefined;
  text(path: string): string | undefined;
  mode(path: string): number | undefined;
  put(path: string, content: MemoryContent): void;
  putDirectory(path: string, mode: number): void;
  /** A file, or a directory with all that is in it. */
  remove(path: string): void;
  chmod(path: string, mode: number): void;
  object(reference: ObjectReference): ClusterObject | undefined;
  objects(): readonly ClusterObject[];
  putObject(object: ClusterObject): void;
  removeObject(reference: ObjectReference): void;
  mounts(): readonly string[];
  sandboxes(): readonly PodSandbox[];
  unit(name: string): ServiceStatus | undefined;
  putUnit(name: string, status: Partial<ServiceStatus>): void;
  /** Makes the nth change from now on (1 is the next one; appends do not count) fail. */
  failAt(nth: number, options: FailureOptions): void;
  /** Ends the consequences of `failAt`. */
  revive(): void;
  snapshot(): MemorySnapshot;
  restore(snapshot: MemorySnapshot): void;
}

declare const opaque: unique symbol;
/** A copy of the world. */
export interface MemorySnapshot {
  readonly [opaque]: true;
}

/** Ports over a world in memory, and that world. */
export interface MemoryPorts extends SuppliedPorts {
  readonly memory: Memory;
}

/** Ports for tests: everything is in memory, nothing happens unless a hook makes it happen. */
export function memoryPorts(options: MemoryPortsOptions = {}): MemoryPorts {
  const seed = options.seed ?? 1;
  const state = emptyState(options.startMs ?? Date.UTC(2026, 0, 1), seed);
  const writes: WriteRecord[] = [];
  const signed: (readonly SigningRequest[])[] = [];
  const connections: MemoryConnection[] = [];
  const watchers: Watchers = new Set();
  let failure: (FailureOptions & { left: number }) | undefined;
  let dead = false;
  const alive = () => {
    if (dead) throw new KilledError();
  };
  const change: Change = async (record, effect) => {
    alive();
    memory.beforeWrite?.(record);
    const failing = failure !== undefined && record.action !== 'append' && --failure.left === 0 ? failure : undefined;
    if (failing?.when !== 'before') {
      const result = effect();
      writes.push(record);
      if (failing === undefined) return result;
    }
    failure = undefined;
    dead = failing?.how === 'kill';
    throw new KilledError();
  };

  const memory = memoryOf(state, watchers, { writes, signed, connections });
  memory.failAt = (nth, how) => {
    failure = { ...how, left: nth };
  };
  memory.revive = () => {
    failure = undefined;
    dead = false;
  };
  for (const [path, content] of Object.entries(options.files ?? {})) memory.put(path, content);
  for (const object of options.objects ?? []) memory.putObject(object);
  for (const [name, status] of Object.entries(options.units ?? { kubelet: {} })) memory.putUnit(name, status);
  state.mounts = options.mounts ?? [];
  for (const sandbox of options.sandboxes ?? []) state.sandboxes.set(sandbox.id, sandbox);

  const signer = options.signer ?? fakeSigner(seed);
  const access = { change, alive, watchers };
  return {
    memory,
    host: memoryHost(state, access, {
      facts: options.facts,
      probe: (url) => options.probe?.(url, memory) ?? { status: 200, text: 'ok' },
      onRestart: (unit) => options.onRestart?.(unit, memory),
    }),
    clusters: {
      async connect({ kubeconfig, server }) {
        alive();
        const connection = { kubeconfig, ...(server === undefined ? {} : { server }) };
        connections.push(connection);
        return memoryCluster(state, access, {
          refusal: () => options.apiRefusal?.(connection, memory),
          probe: (path) => options.clusterProbe?.(path, memory) ?? { status: 200, text: 'ok' },
        });
      },
    },
    runtime: { ...memoryRuntime(state, change), ...options.runtime },
    signer: {
      canIssue: (request) => signer.canIssue(request),
      issue(requests) {
        alive();
        signed.push(requests);
        return signer.issue(requests);
      },
    },
    clock: {
      now: () => new Date(state.nowMs),
      monotonicMs: () => state.nowMs,
      async sleep(ms, { signal } = {}) {
        alive();
        signal?.throwIfAborted();
        state.nowMs += ms;
        options.onSleep?.(memory);
      },
    },
    entropy: { bytes: (length) => Uint8Array.from({ length }, () => randomByte(state)) },
    ...(options.etcd === undefined ? {} : { etcd: options.etcd }),
  };
}

/** What a change that was made to fail throws. */
export class KilledError extends Error {
  override readonly name = 'KilledError';
  constructor() {
    super('The world was made to fail here');
  }
}

function memoryOf(
  state: MemoryState,
  watchers: Watchers,
  logs: Pick<Memory, 'writes' | 'signed' | 'connections'>,
): Memory {
  const known = (path: string) => {
    const file = state.files.get(path);
    if (file === undefined) throw new TypeError(`Cannot change ${path} as there is no such file`);
    return file;
  };
  return {
    ...logs,
    notes: state.notes,
    beforeWrite: undefined,
    now: () => new Date(state.nowMs),
    paths: () => [...state.files.keys()].sort(),
    bytes: (path) => state.files.get(path)?.bytes.slice(),
    text: (path) => {
      const bytes = state.files.get(path)?.bytes;
      return bytes && new TextDecoder().decode(bytes);
    },
    mode: (path) => (state.files.get(path) ?? state.directories.get(path))?.mode,
    put: (path, entry) => {
      const { content, mode = 0o644 } =
        typeof entry === 'string' || entry instanceof Uint8Array ? { content: entry } : entry;
      putFile(state, path, typeof content === 'string' ? new TextEncoder().encode(content) : content, { mode });
    },
    putDirectory: (path, mode) => putDirectory(state, path, mode),
    remove: (path) => {
      for (const map of [state.files, state.directories])
        for (const other of map.keys()) if (other === path || other.startsWith(`${path}/`)) map.delete(other);
    },
    chmod: (path, mode) => void state.files.set(path, { ...known(path), mode }),
    object: (reference) => structuredClone(state.objects.get(objectKey(reference))?.object),
    objects: () => [...state.objects.values()].map(({ object }) => structuredClone(object)),
    putObject: (object) => void putObject(state, watchers, object),
    removeObject: (reference) => void state.objects.delete(objectKey(reference)),
    mounts: () => state.mounts,
    sandboxes: () => [...state.sandboxes.values()],
    unit: (name) => state.units.get(name),
    putUnit: (name, status) => {
      const ordinary = { exists: true, enabled: true, active: false, initSystem: 'systemd' } as const;
      state.units.set(name, { ...ordinary, ...status });
    },
    failAt: () => {},
    revive: () => {},
    snapshot: () => copyState(state) as unknown as MemorySnapshot,
    restore: (snapshot) => restoreState(state, snapshot as unknown as MemoryState),
  };
}

function memoryRuntime(state: MemoryState, change: Change): Runtime {
  return {
    version: async () => ({ name: 'containerd', version: 'v2.1.0', apiVersion: 'v1' }),
    status: async () =>
      ['RuntimeReady', 'NetworkReady'].map((type) => ({ type, status: true, reason: '', message: '' })),
    cgroupDriver: async () => 'systemd',
    imageExists: async (image) => state.images.has(image),
    pullImage: async (image) => void (await change({ action: 'pull', location: image }, () => state.images.add(image))),
    containers: async () => [],
    sandboxes: async () => [...state.sandboxes.values()],
    async removeSandbox(id) {
      const sandbox = state.sandboxes.get(id);
      if (sandbox === undefined) return;
      const location = `${sandbox.namespace}/${sandbox.name}`;
      await change({ action: 'remove-sandbox', location }, () => state.sandboxes.delete(id));
    },
    log: async () => [],
  };
}

/** A linear congruential generator (Numerical Recipes): reproducible, and good for nothing else. */
function randomByte(state: MemoryState): number {
  state.entropy = (Math.imul(state.entropy, 1664525) + 1013904223) >>> 0;
  return state.entropy >>> 24;
}
