import type { ObjectReference } from './artifact.ts';

/** A regular file as it is on the node. */
export interface FileStatus {
  readonly kind: 'file' | 'directory' | 'symlink' | 'other';
  /** Permission bits, `0o600`. */
  readonly mode: number;
  readonly uid: number;
  readonly gid: number;
  /** Bytes. */
  readonly size: number;
  /** Milliseconds since the epoch, with fractions where the file system has them. */
  readonly modifiedMs: number;
}

export interface FileContent extends FileStatus {
  readonly bytes: Uint8Array;
}

/** Files of the node. Absolute paths. Absence is `undefined`, never an error; what cannot be read is an error. */
export interface Files {
  /** Follows symbolic links. */
  read(path: string): Promise<FileContent | undefined>;
  /** Follows symbolic links. */
  status(path: string): Promise<FileStatus | undefined>;
  /** Names in a directory, sorted; `undefined` if it does not exist. */
  list(path: string): Promise<readonly string[] | undefined>;
  /**
   * Atomic: after a crash at any point the file is the old one or the new one, with its final mode from the first moment.
   * Missing parent directories are made with `directoryMode` (default 0o755). The process umask has no say.
   */
  write(
    path: string,
    bytes: Uint8Array,
    options: { readonly mode: number; readonly directoryMode?: number },
  ): Promise<void>;
  /** Appends one record in one write; makes the file with `mode` if absent. */
  append(path: string, bytes: Uint8Array, options: { readonly mode: number }): Promise<void>;
  makeDirectory(path: string, options: { readonly mode: number }): Promise<void>;
  /** Removes a file; absent is fine. */
  remove(path: string): Promise<void>;
}

export interface ServiceStatus {
  /** False where the init system knows no such unit. */
  readonly exists: boolean;
  readonly enabled: boolean;
  readonly active: boolean;
  /** Milliseconds since the epoch at which the main process was started; absent when it is not running. */
  readonly startedMs?: number;
  /** `systemd`, `openrc` or `none`. */
  readonly initSystem: 'systemd' | 'openrc' | 'none';
}

export interface Services {
  status(unit: string): Promise<ServiceStatus>;
  /** Reads changed unit files and (re)starts the unit. */
  restart(unit: string): Promise<void>;
  stop(unit: string): Promise<void>;
  /** The last lines that the unit logged; empty where the init system keeps none. */
  log(unit: string, lines: number): Promise<readonly string[]>;
}

/** One answer of an HTTP health endpoint on this node. */
export interface ProbeResult {
  /** HTTP status, or undefined when there was no answer. */
  readonly status?: number;
  /** Response body (at most some kilobytes) or the text of the connection error. */
  readonly text: string;
}

/** What preflight and resolve ask about the machine. Each answer is plain data; `undefined` where the machine cannot tell. */
export interface Facts {
  hostName(): Promise<string>;
  /** Effective user id. */
  uid(): number;
  cpus(): Promise<number>;
  /** Mebibytes of RAM in all. */
  memoryMiB(): Promise<number>;
  /** Addresses of the interface of the default route, per family, and those of `lo` that are global unicast. */
  addresses(): Promise<{
    readonly ipv4: readonly string[];
    readonly ipv6: readonly string[];
    readonly loopback: readonly string[];
  }>;
  /** True if a TCP listener could be opened on it. `address` undefined means all addresses. */
  canListen(port: number, address?: string): Promise<boolean>;
  /** Absolute path of a program found in PATH. */
  program(name: string): Promise<string | undefined>;
  /** Text that a program printed on stdout, e.g. `kubelet --version`. */
  output(
    program: string,
    args: readonly string[],
  ): Promise<{ readonly code: number; readonly stdout: string; readonly stderr: string }>;
  kernelRelease(): Promise<string>;
  /** cgroup version and the controllers that are enabled. */
  cgroups(): Promise<{ readonly version: 1 | 2 | undefined; readonly controllers: readonly string[] }>;
  /** Addresses that the name resolves to; empty when it does not. */
  lookup(name: string): Promise<readonly string[]>;
  /** Environment variables whose name ends in `_proxy`, any case, non-empty value, sorted by name. */
  proxyEnvironment(): readonly { readonly name: string; readonly value: string }[];
  /** Text of a /proc or /sys file, read as it is. */
  kernelFile(path: string): Promise<string | undefined>;
  /** Unix sockets of this list that exist and accept a connection. */
  sockets(candidates: readonly string[]): Promise<readonly string[]>;
  /** Machine id of this host. */
  machineId(): Promise<string | undefined>;
}

export interface Host {
  readonly files: Files;
  readonly services: Services;
  readonly facts: Facts;
  /** GET on this node; TLS certificates are not verified. `timeoutMs` per attempt. */
  probe(url: string, options: { readonly timeoutMs: number; readonly signal?: AbortSignal }): Promise<ProbeResult>;
}

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

export interface ObjectQuery {
  readonly apiVersion: string;
  readonly kind: string;
  readonly namespace?: string;
  readonly labelSelector?: string;
  readonly fieldSelector?: string;
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
  /** JSON merge patch; with `resourceVersion` it fails with CLUSTER_CONFLICT if the object changed meanwhile. */
  patch(
    reference: ObjectReference,
    body: unknown,
    options?: { readonly resourceVersion?: string },
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

/** What the CRI says about one container; only the newest of each name is listed. */
export interface ContainerState {
  readonly id: string;
  readonly name: string;
  readonly pod: string;
  readonly state: 'created' | 'running' | 'exited' | 'unknown';
  readonly exitCode?: number;
  readonly reason?: string;
  readonly message?: string;
  /** Path of the log on this node. */
  readonly logPath?: string;
  readonly attempt: number;
}

/** The container runtime over the Container Runtime Interface (CRI v1). */
export interface Runtime {
  version(): Promise<{ readonly name: string; readonly version: string; readonly apiVersion: string }>;
  /** Conditions such as RuntimeReady and NetworkReady. */
  status(): Promise<
    readonly { readonly type: string; readonly status: boolean; readonly reason: string; readonly message: string }[]
  >;
  /** cgroup driver of the runtime; `undefined` if the runtime does not implement RuntimeConfig. */
  cgroupDriver(): Promise<'systemd' | 'cgroupfs' | undefined>;
  imageExists(image: string): Promise<boolean>;
  pullImage(image: string): Promise<void>;
  /** Containers of the pods in this namespace, newest attempt of each. */
  containers(namespace: string): Promise<readonly ContainerState[]>;
  /** The last lines of a container's log. */
  log(container: ContainerState, lines: number): Promise<readonly string[]>;
}

/** What a key, or a key and its certificate, are to be made for. Plain data: PEM text, names, instants. */
export interface SigningRequest {
  /** Name for messages: `apiserver`, `admin.conf`. */
  readonly name: string;
  /** `RSA-2048`, `RSA-3072`, `RSA-4096`, `ECDSA-P256`, `ECDSA-P384`. */
  readonly algorithm: string;
  /** PEM of a private key that exists already and is to be used. Secret. */
  readonly key?: string;
  /** Absent when only a key is wanted (service account keys). */
  readonly certificate?: {
    readonly commonName: string;
    readonly organizations: readonly string[];
    readonly dnsNames: readonly string[];
    readonly ipAddresses: readonly string[];
    readonly usages: readonly ('serverAuth' | 'clientAuth')[];
    readonly isCA: boolean;
    readonly notBefore: Date;
    readonly notAfter: Date;
    /** PEM of the issuing CA and, where this node holds it, its key; `self` for a root. */
    readonly issuer: 'self' | { readonly certificate: string; readonly key?: string };
  };
}

export interface Issued {
  /** PEM. Secret. */
  readonly key: string;
  /** PEM of the certificate, followed by intermediates where the signer returned some. */
  readonly certificate?: string;
}

export interface Signer {
  /** True if it can answer this request; where it cannot, the plan says `external` and lists the request. */
  canIssue(request: SigningRequest): boolean;
  /** Issues all of them, in parallel where it can; the answers are in the order of the requests. */
  issue(requests: readonly SigningRequest[]): Promise<readonly Issued[]>;
}

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
