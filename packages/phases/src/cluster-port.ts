import type { ObjectQuery, ObjectReference } from './artifact.ts';
import type { ProbeResult } from './host-port.ts';

export type { ObjectQuery } from './artifact.ts';

/** An API object as plain JSON. */
export interface ClusterObject {
  readonly apiVersion: string;
  readonly kind: string;
  readonly metadata: {
    readonly name: string;
    readonly namespace?: string;
    readonly uid?: string;
    readonly resourceVersion?: string;
    readonly labels?: Readonly<Record<string, string>>;
    readonly annotations?: Readonly<Record<string, string>>;
    readonly [field: string]: unknown;
  };
  readonly [field: string]: unknown;
}

export interface WatchEvent {
  readonly type: 'ADDED' | 'MODIFIED' | 'DELETED';
  readonly object: ClusterObject;
}

/**
 * The Kubernetes API as one identity at one endpoint. Calls that meet a passing fault (no connection, 429, 5xx, a namespace
 * or bootstrap role that is not there yet) are retried until the deadline given to `connect`.
 */
export interface Cluster {
  /** `undefined` if there is none. */
  get(reference: ObjectReference): Promise<ClusterObject | undefined>;
  list(query: ObjectQuery): Promise<readonly ClusterObject[]>;
  /** Fails with code CLUSTER_ALREADY_EXISTS when there is one. */
  create(object: ClusterObject): Promise<ClusterObject>;
  /** Server-side apply as field manager `groundplane`, forced. */
  apply(object: ClusterObject): Promise<ClusterObject>;
  /**
   * JSON merge patch; with `resourceVersion` it fails with CLUSTER_CONFLICT if the object changed meanwhile. `subresource`: the part of the
   * object that has a path and rights of its own, which is all that changes then.
   */
  patch(
    reference: ObjectReference,
    body: unknown,
    options?: { readonly resourceVersion?: string; readonly subresource?: 'status' | 'approval' },
  ): Promise<ClusterObject>;
  /** Absent is fine. */
  delete(reference: ObjectReference): Promise<void>;
  /** Existing objects first (as ADDED), then changes, until the signal aborts or the consumer stops. Reconnects by itself. */
  watch(query: ObjectQuery, options: { readonly signal: AbortSignal }): AsyncIterable<WatchEvent>;
  /** GET of a plain path such as `/livez`, tried once. */
  probe(path: string, options: { readonly timeoutMs: number }): Promise<ProbeResult>;
}

export interface Clusters {
  /**
   * @param options.kubeconfig kubeconfig text; its current context is used
   * @param options.server overrides the server that the kubeconfig names (`https://192.0.2.1:6443`)
   * @param options.timeoutMs how long a call goes on retrying passing faults
   */
  connect(options: {
    readonly kubeconfig: string;
    readonly server?: string;
    readonly timeoutMs: number;
  }): Promise<Cluster>;
}
