import { formatLocation } from './artifact.ts';
import type {
  Clock,
  Cluster,
  ClusterObject,
  Clusters,
  Etcd,
  Facts,
  Files,
  Host,
  Mounts,
  Runtime,
  Services,
  Signer,
} from './ports.ts';
import { referenceOf } from './reference-of.ts';

/**
 * What a call of a port is. `asks` and `changes` answer with a promise; `repeats` changes something that may as well be done again
 * or be left in the middle; `now` answers at once.
 */
export type CallKind = 'asks' | 'changes' | 'repeats' | 'now';

/** The methods of a port. */
type CallKinds<P> = {
  readonly [K in keyof P as NonNullable<P[K]> extends (...args: never) => unknown ? K : never]-?: CallKind;
};

const files = {
  read: 'asks',
  status: 'asks',
  list: 'asks',
  realPath: 'asks',
  write: 'changes',
  append: 'changes',
  makeDirectory: 'changes',
  remove: 'changes',
  removeDirectory: 'changes',
  empty: 'changes',
} as const satisfies CallKinds<Files>;

const services = {
  status: 'asks',
  log: 'asks',
  restart: 'changes',
  stop: 'changes',
} as const satisfies CallKinds<Services>;

const facts = {
  hostName: 'asks',
  uid: 'now',
  cpus: 'asks',
  memoryMiB: 'asks',
  addresses: 'asks',
  canListen: 'asks',
  program: 'asks',
  output: 'asks',
  kernelRelease: 'asks',
  cgroups: 'asks',
  lookup: 'asks',
  proxyEnvironment: 'now',
  kernelFile: 'asks',
  sockets: 'asks',
  machineId: 'asks',
} as const satisfies CallKinds<Facts>;

const mounts = { table: 'asks', unmount: 'changes' } as const satisfies CallKinds<Mounts>;

/** `watch` answers with many promises. */
const cluster = {
  get: 'asks',
  list: 'asks',
  probe: 'asks',
  create: 'changes',
  apply: 'changes',
  patch: 'changes',
  delete: 'changes',
} as const satisfies Omit<CallKinds<Cluster>, 'watch'>;

const runtime = {
  version: 'asks',
  status: 'asks',
  cgroupDriver: 'asks',
  imageExists: 'asks',
  containers: 'asks',
  sandboxes: 'asks',
  log: 'asks',
  pullImage: 'repeats',
  removeSandbox: 'changes',
} as const satisfies CallKinds<Runtime>;

const etcd = {
  members: 'asks',
  addLearner: 'changes',
  promote: 'changes',
  remove: 'changes',
} as const satisfies CallKinds<Etcd>;

/** The calls of all ports. What a signer gives at once is promises, which whoever asked looks after. */
export const portCalls = {
  host: { probe: 'asks' } as const satisfies CallKinds<Host>,
  'host.files': files,
  'host.services': services,
  'host.facts': facts,
  'host.mounts': mounts,
  cluster,
  clusters: { connect: 'asks' } as const satisfies CallKinds<Clusters>,
  runtime,
  etcd,
  clock: { now: 'now', monotonicMs: 'now', sleep: 'asks' } as const satisfies CallKinds<Clock>,
  entropy: { bytes: 'now' },
  signer: { canIssue: 'now', issue: 'now' } as const satisfies Omit<CallKinds<Signer>, 'announce' | 'certify'>,
} as const;

/** One call, as those who look after it see it. */
export interface PortCall {
  readonly kind: Exclude<CallKind, 'now'>;
  /** For messages: `host.files.write /etc/kubernetes/admin.conf`. Nothing of it is secret. */
  readonly title: string;
}

/** Makes a call, or does not. */
export type Caller = <T>(call: PortCall, make: () => Promise<T>) => Promise<T>;

/** `host.files.read /etc/hosts`: what is named is a path, a URL, a unit, an object and never what is written. */
export function titleOfCall(port: string, method: string, [subject]: readonly unknown[]): string {
  const name = `${port}.${method}`;
  if (typeof subject === 'string') return `${name} ${subject}`;
  const { kind, metadata, name: named } = (subject ?? {}) as Partial<ClusterObject> & { readonly name?: unknown };
  if (typeof kind !== 'string') return name;
  if (typeof metadata?.name === 'string')
    return `${name} ${formatLocation({ kind: 'object', reference: referenceOf(subject as ClusterObject) })}`;
  return typeof named === 'string'
    ? `${name} ${formatLocation({ kind: 'object', reference: subject as ReturnType<typeof referenceOf> })}`
    : name;
}
