import type { BootstrapPorts } from '@groundplane/bootstrap';
import type { HttpsGet } from '@groundplane/discovery';
import { httpsGet, localHost, type RootDirectory, readTail, systemClock, systemEntropy } from '@groundplane/host';
import type { Runtime } from '@groundplane/phases';

type Environment = Readonly<Record<string, string | undefined>>;

export interface LinuxPortsOptions {
  /** Where the file system of the node is, from `openRootDirectory`. @default the machine that this process runs on */
  readonly root?: RootDirectory | undefined;
  /** PATH and proxies are read from it, and programs are run with it. @default that of this process */
  readonly environment?: Environment | undefined;
}

/** The ports but for the signer, whose default is WebCrypto with the CA keys on the node. */
export interface LinuxPorts extends Required<Omit<BootstrapPorts, 'etcd' | 'signer' | 'runtime'>> {
  readonly runtime: (criSocket: string) => Promise<Runtime>;
}

/**
 * The ports of a Linux machine. The Kubernetes and the gRPC client are loaded when they are first used; nothing is opened before.
 */
export function linuxPorts({ root, environment = process.env }: LinuxPortsOptions = {}): LinuxPorts {
  const clock = systemClock();
  const locate = async (path: string) => (root === undefined ? path : root.locate(path));
  return {
    host: localHost({ environment, ...(root === undefined ? {} : { root }) }),
    clusters: {
      connect: async (options) =>
        (await import('@groundplane/cluster')).kubernetesClusters({ clock, environment }).connect(options),
    },
    runtime: (criSocket) => runtimeAt(criSocket, locate),
    clock,
    entropy: systemEntropy(),
    fetch: throughProxies(environment),
  };
}

type Locate = (path: string) => Promise<string>;

async function runtimeAt(criSocket: string, locate: Locate): Promise<Runtime> {
  const { criRuntime } = await import('@groundplane/runtime');
  const path = criSocket.replace(/^unix:\/\//, '');
  return criRuntime({
    socket: path.startsWith('/') ? `unix://${await locate(path)}` : criSocket,
    readTail: async (log, maximumBytes) => readTail(await locate(log), maximumBytes),
  });
}

/** Through the proxy that the environment asks for, as Go programs do. */
function throughProxies(environment: Environment): HttpsGet {
  return async (url, options) => {
    const { proxyFor } = await import('@groundplane/cluster');
    const proxy = proxyFor(new URL(url), environment);
    return httpsGet(url, { ...options, ...(proxy === undefined ? {} : { proxy }) });
  };
}
