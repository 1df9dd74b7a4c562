import type { Cluster, Clusters } from './cluster-port.ts';
import type { Host } from './host-port.ts';
import type { Runtime } from './runtime-port.ts';
import type { Signer } from './signer-port.ts';

export type * from './cluster-port.ts';
export type * from './host-port.ts';
export type * from './runtime-port.ts';
export type * from './signer-port.ts';

export interface Clock {
  now(): Date;
  /** Milliseconds of a clock that never goes back. */
  monotonicMs(): number;
  sleep(ms: number, options?: { readonly signal?: AbortSignal }): Promise<void>;
}

export interface Entropy {
  /** Cryptographically strong random bytes. */
  bytes(length: number): Uint8Array;
}

/** One etcd member as etcd's own Cluster API lists it. */
export interface EtcdMember {
  readonly id: string;
  readonly name: string;
  readonly peerUrls: readonly string[];
  readonly clientUrls: readonly string[];
  readonly isLearner: boolean;
}

export interface Etcd {
  members(): Promise<readonly EtcdMember[]>;
  addLearner(peerUrl: string): Promise<EtcdMember>;
  promote(id: string): Promise<void>;
  remove(id: string): Promise<void>;
}

/** Everything that the engine and effects may act through. An effect gets those that it names in `uses`, limited to what it declares. */
export interface Ports {
  readonly host: Host;
  /** The cluster as the phase's `connect` describes it. */
  readonly cluster: Cluster;
  /** Connects with a kubeconfig of the phase's choice; for phases that choose between identities. */
  readonly clusters: Clusters;
  readonly runtime: Runtime;
  readonly etcd: Etcd;
  readonly signer: Signer;
  readonly clock: Clock;
  readonly entropy: Entropy;
}

/** What the surrounding program supplies: `cluster` is made by the engine from `clusters` when a phase's turn comes. */
export type SuppliedPorts = Omit<Ports, 'cluster' | 'etcd'> & { readonly etcd?: Etcd };
