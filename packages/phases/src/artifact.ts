/**
 * What the engine does about an artifact that exists already:
 * `preserve` a valid one is kept, a wrong one is a conflict (keys, certificates, kubeconfigs) ·
 * `converge` replaced when different (manifests, configuration, objects) ·
 * `extend` our part is added, others' parts stay (labels, taints) ·
 * `ephemeral` has a lifetime and is made again on request (token Secrets) ·
 * `observe` somebody else writes it; we read and wait (etcd members, health).
 */
export type Policy = 'preserve' | 'converge' | 'extend' | 'ephemeral' | 'observe';

/** Where a workflow's artifacts are on this node: absolute paths without a trailing slash, and the node's name. */
export interface Layout {
  /** `/etc/kubernetes` */
  readonly kubernetes: string;
  /** certificatesDir, `/etc/kubernetes/pki` */
  readonly pki: string;
  /** `/var/lib/kubelet` */
  readonly kubelet: string;
  /** etcd's data directory, `/var/lib/etcd` */
  readonly etcdData: string;
  readonly nodeName: string;
  /** The kubeconfig that the cluster is reached with, if it is not `admin.conf` in the kubernetes folder. */
  readonly adminKubeconfig?: string;
  /** Where a joining node gets the CA of the cluster; `ca.crt` in the pki folder unless said otherwise. */
  readonly certificateAuthority?: string;
  /** The kubelet's own client certificate with its key, `/var/lib/kubelet/pki/kubelet-client-current.pem`. */
  readonly kubeletClientCertificate?: string;
  /** Files that the API server shows to an etcd that is not ours; a path may be missing. */
  readonly externalEtcd?: { readonly caFile?: string; readonly certFile?: string; readonly keyFile?: string };
}

export interface ObjectReference {
  readonly apiVersion: string;
  readonly kind: string;
  /** Absent for cluster-scoped kinds. */
  readonly namespace?: string;
  readonly name: string;
}

/** API objects of one kind whose names begin alike and are known only when they are made. */
export interface ObjectFamily {
  readonly apiVersion: string;
  readonly kind: string;
  /** Absent for cluster-scoped kinds. */
  readonly namespace?: string;
  /** What every name begins with: `bootstrap-token-`. */
  readonly prefix: string;
}

/** Which API objects of one kind. */
export interface ObjectQuery {
  readonly apiVersion: string;
  readonly kind: string;
  readonly namespace?: string;
  readonly labelSelector?: string;
  readonly fieldSelector?: string;
}

/**
 * A file, a directory, an API object, a list of them that is only read, a family of them, or a state of the world that has no bytes (a running unit, health).
 * The engine reads and writes the first three; the effect that declares a family or a state looks after it.
 */
export type Location =
  | { readonly kind: 'file'; readonly path: string }
  | { readonly kind: 'directory'; readonly path: string }
  | { readonly kind: 'object'; readonly reference: ObjectReference }
  | { readonly kind: 'list'; readonly query: ObjectQuery }
  | { readonly kind: 'objects'; readonly family: ObjectFamily }
  | { readonly kind: 'state'; readonly name: string };

/** How bytes become a value and back. Method syntax on purpose: it keeps `Artifact<Pod>` assignable to `Artifact<unknown>`. */
export interface Format<T> {
  /** For people: `PEM certificate`, `YAML Pod`. */
  readonly name: string;
  /** @throws any error whose message says what is wrong with the bytes */
  parse(bytes: Uint8Array): T;
  serialize(value: T): Uint8Array;
  /** True if `existing` already says all that `desired` says. Default: both serialize to the same bytes. */
  satisfied?(desired: T, existing: T): boolean;
}

/** One entry of the documented interface between phases, as data. */
export interface Artifact<T> {
  /** Unique in a workflow: `pki/ca.crt`, `object/kubeadm-config`. */
  readonly id: string;
  readonly description: string;
  readonly where: (layout: Layout) => Location;
  readonly format: Format<T>;
  readonly policy: Policy;
  /** Mode that the file or directory is created with; default 0644, directories 0755. */
  readonly mode?: number;
  /** The most permissive mode that `verify` accepts on an existing file: each of its bits beyond this is a finding. */
  readonly maxMode?: number;
  /** Mode of directories that have to be made on the way to the file; default 0755. */
  readonly directoryMode?: number;
  /** True if its bytes must never be shown. */
  readonly secret?: true;
  /** True if it may come from outside the workflow: a read of it needs no earlier writer. */
  readonly external?: true;
  /** Of a directory: to remove it means to remove all that is in it. Without, it goes itself, and only if nothing else is in it. */
  readonly emptied?: true;
  /** An ephemeral artifact is wanted only until this one verifies. */
  readonly until?: Artifact<unknown>;
}

/** A wrapper, not a flag on Artifact: the type of the value must tell the two apart. */
export interface Optional<T> {
  readonly optional: Artifact<T>;
  /** True if it may be absent only where the configuration does not ask for the phase that writes it. */
  readonly whereApplicable?: true;
}

/** A read that may be absent: its value is `T | undefined`. */
export function optional<T>(artifact: Artifact<T>): Optional<T> {
  return { optional: artifact };
}

/**
 * A read that has to be there wherever the configuration asks for the phase that writes it, whoever does: with local etcd its
 * certificates, with external etcd none. Its value is `T | undefined`.
 */
export function whereApplicable<T>(artifact: Artifact<T>): Optional<T> {
  return { optional: artifact, whereApplicable: true };
}

export type Read = Artifact<unknown> | Optional<unknown>;
export type Reads = Readonly<Record<string, Read>>;
export type Writes = Readonly<Record<string, Artifact<unknown>>>;

/** The value type of one entry. */
export type ValueOf<E> = E extends Optional<infer T> ? T | undefined : E extends Artifact<infer T> ? T : never;
/** The values of a map of entries; every key is present, an absent optional is `undefined`. */
export type Values<M> = { readonly [K in keyof M]: ValueOf<M[K]> };

export function isOptional(read: Read): read is Optional<unknown> {
  return 'optional' in read;
}

/** The artifact behind a read, optional or not. */
export function artifactOf(read: Read): Artifact<unknown> {
  return isOptional(read) ? read.optional : read;
}

/** A location as one line for people and for comparison: a path, or `ConfigMap kube-system/kubeadm-config`. */
export function formatLocation(location: Location): string {
  switch (location.kind) {
    case 'file':
    case 'directory':
      return location.path;
    case 'object': {
      const { kind, namespace, name } = location.reference;
      return `${kind} ${namespace === undefined ? name : `${namespace}/${name}`}`;
    }
    case 'list': {
      const { kind, namespace, labelSelector, fieldSelector } = location.query;
      const selectors = [labelSelector, fieldSelector].filter((selector) => selector !== undefined);
      return [`all ${kind}s`, ...(namespace === undefined ? [] : [`in ${namespace}`]), ...selectors].join(' ');
    }
    case 'objects': {
      const { kind, namespace, prefix } = location.family;
      return `${kind} ${namespace === undefined ? prefix : `${namespace}/${prefix}`}*`;
    }
    case 'state':
      return location.name;
  }
}

/** True for what the engine asks the API server for. */
export function isInCluster({ kind }: Location): boolean {
  return kind === 'object' || kind === 'list';
}

/** True if the object is one of the family. */
export function belongsTo(family: ObjectFamily, reference: ObjectReference): boolean {
  return (
    family.apiVersion === reference.apiVersion &&
    family.kind === reference.kind &&
    family.namespace === reference.namespace &&
    reference.name.startsWith(family.prefix)
  );
}
