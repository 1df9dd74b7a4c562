import type { ClusterObject, PodSandbox, ServiceStatus } from '../ports.ts';

export interface MemoryFile {
  readonly bytes: Uint8Array;
  readonly mode: number;
  readonly modifiedMs: number;
}

export interface MemoryDirectory {
  readonly mode: number;
  readonly modifiedMs: number;
}

export interface MemoryObject {
  readonly object: ClusterObject;
  /** What the field manager `groundplane` applied last; fields that it no longer applies are removed. */
  readonly applied?: ClusterObject;
}

/** The whole world of memory ports as plain data, so that it can be copied and put back. Values are never changed in place. */
export interface MemoryState {
  nowMs: number;
  /** Counts changes; file times differ by it within one millisecond. */
  sequence: number;
  resourceVersion: number;
  entropy: number;
  readonly files: Map<string, MemoryFile>;
  readonly directories: Map<string, MemoryDirectory>;
  /** By `apiVersion kind namespace/name`. */
  readonly objects: Map<string, MemoryObject>;
  readonly units: Map<string, ServiceStatus>;
  readonly images: Set<string>;
  /** Lines of the mount table, in its order. */
  mounts: readonly string[];
  /** By id. */
  readonly sandboxes: Map<string, PodSandbox>;
  /** Whatever hooks want to remember. */
  readonly notes: Map<string, unknown>;
}

/** One change of the world. `location` is a path, `Kind namespace/name`, a unit, an image or a pod. */
export interface WriteRecord {
  readonly action:
    | 'write'
    | 'append'
    | 'make-directory'
    | 'remove'
    | 'create'
    | 'apply'
    | 'patch'
    | 'delete'
    | 'restart'
    | 'stop'
    | 'pull'
    | 'unmount'
    | 'remove-sandbox';
  readonly location: string;
}

/** Wraps every change, so that it is logged and can be made to fail. */
export type Change = <T>(record: WriteRecord, effect: () => T) => Promise<T>;
/** Called before everything, so that a killed world answers nothing. */
export type Alive = () => void;

export function emptyState(nowMs: number, seed: number): MemoryState {
  return {
    nowMs,
    sequence: 0,
    resourceVersion: 0,
    entropy: seed,
    files: new Map(),
    directories: new Map([['/', { mode: 0o755, modifiedMs: nowMs }]]),
    objects: new Map(),
    units: new Map(),
    images: new Set(),
    mounts: [],
    sandboxes: new Map(),
    notes: new Map(),
  };
}

export function copyState(state: MemoryState): MemoryState {
  return {
    ...state,
    files: new Map(state.files),
    directories: new Map(state.directories),
    objects: new Map(state.objects),
    units: new Map(state.units),
    images: new Set(state.images),
    sandboxes: new Map(state.sandboxes),
    notes: new Map(state.notes),
  };
}

/** Puts the content of one state in the place of another's. */
export function restoreState(state: MemoryState, from: MemoryState): void {
  state.nowMs = from.nowMs;
  state.sequence = from.sequence;
  state.resourceVersion = from.resourceVersion;
  state.entropy = from.entropy;
  state.mounts = from.mounts;
  for (const name of ['files', 'directories', 'objects', 'units', 'notes', 'sandboxes'] as const) {
    const map = state[name] as Map<string, unknown>;
    map.clear();
    for (const [key, value] of from[name]) map.set(key, value);
  }
  state.images.clear();
  for (const image of from.images) state.images.add(image);
}

/** The time of a change, in microseconds' steps: later than that of every earlier one, although the clock stands still. */
export function stamp(state: MemoryState): number {
  state.sequence += 1;
  return state.nowMs + state.sequence / 1000;
}
