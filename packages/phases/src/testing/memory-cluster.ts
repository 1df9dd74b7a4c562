import { GroundplaneError } from '@groundplane/errors';
import { formatLocation, type ObjectReference } from '../artifact.ts';
import type { Cluster, ClusterObject, ObjectQuery, ProbeResult, WatchEvent } from '../ports.ts';
import { referenceOf } from '../reference-of.ts';
import { type Alive, type Change, type MemoryState, stamp, type WriteRecord } from './memory-state.ts';
import { applied, mergePatched, sameJson, withEncodedData } from './server-side-apply.ts';

export interface MemoryClusterOptions {
  /** Why the API server does not answer this connection right now; `undefined` when it does. */
  readonly refusal: () => string | undefined;
  /** Answer of a plain path such as `/livez`. */
  readonly probe: (path: string) => ProbeResult;
}

/** Those who watch, of one world. */
export type Watchers = Set<(event: WatchEvent) => void>;

/** An API server in memory: applies, patches, versions and watches; it knows no schema, no defaults and no admission. */
export function memoryCluster(
  state: MemoryState,
  { change, alive, watchers }: { readonly change: Change; readonly alive: Alive; readonly watchers: Watchers },
  options: MemoryClusterOptions,
): Cluster {
  const ask = (): void => {
    alive();
    const reason = options.refusal();
    if (reason !== undefined) throw failure('CLUSTER_UNAVAILABLE', reason, 'unavailable');
  };
  const changing = async (action: WriteRecord['action'], reference: ObjectReference, effect: () => ClusterObject) => {
    ask();
    return structuredClone(await change({ action, location: formatLocation({ kind: 'object', reference }) }, effect));
  };
  const put = (object: ClusterObject, last?: ClusterObject) => putObject(state, watchers, object, last);
  const existing = (reference: ObjectReference): ClusterObject => {
    const found = state.objects.get(objectKey(reference));
    if (found === undefined) throw failure('CLUSTER_NOT_FOUND', `there is no ${objectKey(reference)}`, 'unavailable');
    return found.object;
  };
  return {
    async get(reference) {
      ask();
      return structuredClone(state.objects.get(objectKey(reference))?.object);
    },
    async list(query) {
      ask();
      return structuredClone(objectsOf(state, query));
    },
    create: (object) =>
      changing('create', referenceOf(object), () => {
        if (state.objects.has(objectKey(referenceOf(object))))
          throw failure('CLUSTER_ALREADY_EXISTS', `${objectKey(referenceOf(object))} exists already`, 'conflict');
        return put(withEncodedData(object));
      }),
    apply: (object) =>
      changing('apply', referenceOf(object), () => {
        const before = state.objects.get(objectKey(referenceOf(object)));
        return put(applied(before?.object, before?.applied, object), object);
      }),
    patch: (reference, body, { resourceVersion } = {}) =>
      changing('patch', reference, () => {
        const live = existing(reference);
        if (resourceVersion !== undefined && live.metadata.resourceVersion !== resourceVersion)
          throw failure('CLUSTER_CONFLICT', `${objectKey(reference)} changed meanwhile`, 'conflict');
        return put(mergePatched(live, body) as ClusterObject);
      }),
    async delete(reference) {
      ask();
      const found = state.objects.get(objectKey(reference));
      if (found === undefined) return;
      await change({ action: 'delete', location: formatLocation({ kind: 'object', reference }) }, () =>
        state.objects.delete(objectKey(reference)),
      );
      for (const tell of watchers) tell({ type: 'DELETED', object: found.object });
    },
    async *watch(query, { signal }) {
      ask();
      const queue: WatchEvent[] = objectsOf(state, query).map((object) => ({ type: 'ADDED', object }));
      let wake = () => {};
      const listener = (event: WatchEvent) => {
        if (matches(event.object, query)) queue.push(event);
        wake();
      };
      const stop = () => wake();
      watchers.add(listener);
      signal.addEventListener('abort', stop);
      try {
        while (!signal.aborted) {
          const event = queue.shift();
          if (event !== undefined) yield structuredClone(event);
          else await new Promise<void>((resolve) => (wake = resolve));
        }
      } finally {
        watchers.delete(listener);
        signal.removeEventListener('abort', stop);
      }
    },
    async probe(path) {
      alive();
      const reason = options.refusal();
      return reason === undefined ? options.probe(path) : { text: reason };
    },
  };
}

/** Stores an object without going through a port; its resourceVersion moves only if something changed. */
export function putObject(
  state: MemoryState,
  watchers: Watchers,
  object: ClusterObject,
  last?: ClusterObject,
): ClusterObject {
  const key = objectKey(referenceOf(object));
  const before = state.objects.get(key);
  const same = before !== undefined && sameJson(withoutServerFields(before.object), withoutServerFields(object));
  const lastApplied = last ?? before?.applied;
  const result: ClusterObject = same
    ? before.object
    : {
        ...structuredClone(object),
        metadata: {
          ...structuredClone(object.metadata),
          uid: before?.object.metadata.uid ?? `uid-${stamp(state).toFixed(6)}`,
          creationTimestamp: before?.object.metadata.creationTimestamp ?? new Date(state.nowMs).toISOString(),
          resourceVersion: String(++state.resourceVersion),
        },
      };
  state.objects.set(key, { object: result, ...(lastApplied === undefined ? {} : { applied: lastApplied }) });
  if (!same) for (const tell of watchers) tell({ type: before === undefined ? 'ADDED' : 'MODIFIED', object: result });
  return result;
}

export function objectKey({ apiVersion, kind, namespace, name }: ObjectReference): string {
  return `${apiVersion} ${kind} ${namespace ?? ''}/${name}`;
}

/** What its writers said, without what the server added. */
export function withoutServerFields(object: ClusterObject): unknown {
  const { uid, resourceVersion, creationTimestamp, ...metadata } = object.metadata;
  return { ...object, metadata };
}

function objectsOf(state: MemoryState, query: ObjectQuery): readonly ClusterObject[] {
  return [...state.objects.values()].map(({ object }) => object).filter((object) => matches(object, query));
}

function matches(object: ClusterObject, query: ObjectQuery): boolean {
  const { labels = {}, namespace } = object.metadata;
  if (object.apiVersion !== query.apiVersion || object.kind !== query.kind) return false;
  if (query.namespace !== undefined && namespace !== query.namespace) return false;
  const terms = (selector: string | undefined) => (selector ?? '').split(',').filter((term) => term !== '');
  return (
    terms(query.labelSelector).every((term) => termHolds(term, (key) => labels[key])) &&
    terms(query.fieldSelector).every((term) => termHolds(term, (path) => fieldAt(object, path)))
  );
}

/** One requirement of a selector: `a=b`, `a==b`, `a!=b`, `a`, `!a`. */
function termHolds(term: string, lookUp: (key: string) => string | undefined): boolean {
  const equation = /^([^=!]+)(==|=|!=)(.*)$/.exec(term);
  if (equation !== null) {
    const [, key = '', operator, value] = equation;
    return (lookUp(key) === value) === (operator !== '!=');
  }
  return term.startsWith('!') ? lookUp(term.slice(1)) === undefined : lookUp(term) !== undefined;
}

function fieldAt(object: unknown, path: string): string | undefined {
  const value = path
    .split('.')
    .reduce<unknown>((at, key) => (at as Record<string, unknown> | undefined)?.[key], object);
  return value === undefined ? undefined : String(value);
}

function failure(code: string, message: string, kind: 'unavailable' | 'conflict'): GroundplaneError {
  return new GroundplaneError(code, `Cannot use the API as ${message}`, { kind });
}
