import { readTail, systemClock, systemEntropy } from '@groundplane/host';
import type { Runtime, Signer, SuppliedPorts } from '@groundplane/phases';
import type { NodeHost } from './node-host.ts';

export interface LocalPortsOptions {
  readonly node: NodeHost;
  /** Socket of the container runtime; asked for when the runtime is first used, since it may have to be detected before. */
  readonly criSocket: () => string;
  readonly signer: Signer;
}

/** The ports of this machine. What is heavy (the Kubernetes client, gRPC) is loaded when it is first used. */
export function localPorts({ node: { host, locate }, criSocket, signer }: LocalPortsOptions): SuppliedPorts {
  const clock = systemClock();
  return {
    host,
    clusters: {
      connect: async (options) => (await import('@groundplane/cluster')).kubernetesClusters({ clock }).connect(options),
    },
    runtime: deferredRuntime(async () => {
      const { criRuntime } = await import('@groundplane/runtime');
      return criRuntime({
        socket: await locatedSocket(criSocket(), locate),
        readTail: async (path, maximumBytes) => readTail(await locate(path), maximumBytes),
      });
    }),
    signer,
    clock,
    entropy: systemEntropy(),
  };
}

async function locatedSocket(socket: string, locate: NodeHost['locate']): Promise<string> {
  const path = socket.replace(/^unix:\/\//, '');
  if (!path.startsWith('/')) return socket;
  const place = await locate(path);
  return place === path ? socket : `unix://${place}`;
}

function deferredRuntime(load: () => Promise<Runtime>): Runtime {
  let loaded: Promise<Runtime> | undefined;
  const runtime = () => {
    loaded ??= load();
    return loaded;
  };
  return {
    version: async () => (await runtime()).version(),
    status: async () => (await runtime()).status(),
    cgroupDriver: async () => (await runtime()).cgroupDriver(),
    imageExists: async (image) => (await runtime()).imageExists(image),
    pullImage: async (image) => (await runtime()).pullImage(image),
    containers: async (namespace) => (await runtime()).containers(namespace),
    sandboxes: async (...given) => (await runtime()).sandboxes(...given),
    removeSandbox: async (...given) => (await runtime()).removeSandbox(...given),
    log: async (container, lines) => (await runtime()).log(container, lines),
  };
}
