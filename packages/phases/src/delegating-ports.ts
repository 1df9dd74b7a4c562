import { answerFault } from './port-answers.ts';
import { type Caller, type CallKind, portCalls, titleOfCall } from './port-calls.ts';
import type { Cluster, Clusters, Host, ObjectQuery, SuppliedPorts, WatchEvent } from './ports.ts';

const simply: Caller = (_, make) => make();

/**
 * The same ports as plain objects whose methods call those of the ports: they can be taken apart and put together, whatever the ports
 * are, which may well be instances of classes with methods on their prototype.
 *
 * @param caller makes each call that is answered with a promise. @default as it is
 */
export function delegatingPorts(ports: SuppliedPorts, caller: Caller = simply): SuppliedPorts {
  const { host, clusters, runtime, etcd, clock, entropy, signer } = ports;
  return {
    host: delegatingHost(host, caller),
    clusters: delegatingClusters(clusters, caller),
    runtime: delegating('runtime', runtime, caller),
    clock: delegating('clock', clock, caller),
    entropy: delegating('entropy', entropy, caller),
    signer: {
      ...delegating('signer', signer, caller),
      ...(signer.name === undefined ? {} : { name: signer.name }),
      ...(signer.announce === undefined ? {} : { announce: (algorithms) => signer.announce?.(algorithms) }),
      ...(signer.certify === undefined ? {} : { certify: signer.certify.bind(signer) }),
    },
    ...(etcd === undefined ? {} : { etcd: delegating('etcd', etcd, caller) }),
  };
}

/** As {@link delegatingPorts}, of one port. */
export function delegatingHost(host: Host, caller: Caller = simply): Host {
  const { files, services, facts, mounts } = host;
  return {
    ...delegating('host', host, caller),
    files: delegating('host.files', files, caller),
    services: delegating('host.services', services, caller),
    facts: delegating('host.facts', facts, caller),
    mounts: delegating('host.mounts', mounts, caller),
  };
}

function delegatingClusters(clusters: Clusters, caller: Caller): Clusters {
  const { connect } = delegating('clusters', clusters, caller);
  return { connect: async (options) => delegatingCluster(await connect(options), caller) };
}

/** As {@link delegatingPorts}, of one connection. */
export function delegatingCluster(cluster: Cluster, caller: Caller = simply): Cluster {
  return {
    ...delegating('cluster', cluster, caller),
    watch: (query, options) => watched(query, cluster.watch(query, options), caller),
  };
}

async function* watched(
  query: ObjectQuery,
  events: AsyncIterable<WatchEvent>,
  caller: Caller,
): AsyncIterable<WatchEvent> {
  const iterator = events[Symbol.asyncIterator]();
  const call = { kind: 'asks', title: `cluster.watch ${query.kind}` } as const;
  let isOver = false;
  try {
    for (;;) {
      const next = await caller(call, () => iterator.next());
      isOver = next.done === true;
      if (next.done === true) return;
      yield next.value;
    }
  } finally {
    // One that was left hangs: nobody waits until it has ended.
    if (!isOver) iterator.return?.()?.catch(() => {});
  }
}

type Method = (...args: readonly unknown[]) => unknown;

function delegating<N extends keyof typeof portCalls, P extends object>(
  name: N,
  port: P,
  caller: Caller,
): Pick<P, keyof P & keyof (typeof portCalls)[N]> {
  const calls: Readonly<Record<string, CallKind>> = portCalls[name];
  const methods = port as Readonly<Record<string, Method>>;
  const made = Object.entries(calls).map(([method, kind]): [string, Method] => {
    const called = (...args: readonly unknown[]) => {
      if (typeof methods[method] === 'function') return methods[method](...args);
      throw new TypeError(`Cannot call ${name}.${method} as the port has no such method`);
    };
    const checked = (args: readonly unknown[], answer: unknown) => {
      const fault = answerFault(name, method, answer);
      if (fault === undefined) return answer;
      throw new TypeError(`Cannot use what ${titleOfCall(name, method, args)} answers as ${fault}`);
    };
    if (kind === 'now') return [method, (...args) => checked(args, called(...args))];
    return [
      method,
      async (...args) =>
        checked(args, await caller({ kind, title: titleOfCall(name, method, args) }, async () => called(...args))),
    ];
  });
  return Object.fromEntries(made) as Pick<P, keyof P & keyof (typeof portCalls)[N]>;
}
