import type { HttpsGet } from '@groundplane/discovery';
import { delegatingPorts, type Runtime, type Signer, type SuppliedPorts } from '@groundplane/phases';
import { webCryptoSigner } from './web-crypto-signer.ts';

/** How to get the container runtime behind a CRI socket: `unix:///run/containerd/containerd.sock`. */
export type OpenRuntime = (criSocket: string) => Runtime | Promise<Runtime>;

/** What a program gives the phases to act through. Each may be its own; `linuxPorts()` of `@groundplane/linux` has all of them for a Linux machine. */
export interface BootstrapPorts extends Omit<SuppliedPorts, 'runtime' | 'signer'> {
  /**
   * The container runtime, or how to get it once its socket is known: the configuration names it, or else it is looked for on the
   * machine.
   */
  readonly runtime: Runtime | OpenRuntime;
  /** Answers requests for keys and certificates. @default webCryptoSigner(), which uses the CA keys on the node */
  readonly signer?: Signer;
  /** Asks API servers over HTTPS for the cluster to join. Only `join` needs it. */
  readonly fetch?: HttpsGet;
}

/**
 * The ports as phases take them, whatever they are: plain objects.
 *
 * @param criSocket known as soon as the configuration is resolved; asked for when the runtime is first used
 */
export function suppliedPorts(ports: BootstrapPorts, criSocket: () => string): SuppliedPorts {
  const { host, clusters, runtime, etcd, clock, entropy, signer = webCryptoSigner() } = ports;
  return delegatingPorts({
    host,
    clusters,
    clock,
    entropy,
    signer,
    runtime: typeof runtime === 'function' ? deferredRuntime(runtime, criSocket) : runtime,
    ...(etcd === undefined ? {} : { etcd }),
  });
}

function deferredRuntime(open: OpenRuntime, criSocket: () => string): Runtime {
  let opened: Promise<Runtime> | undefined;
  const runtime = () => {
    opened ??= Promise.resolve(open(criSocket()));
    return opened;
  };
  return {
    version: async () => (await runtime()).version(),
    status: async () => (await runtime()).status(),
    cgroupDriver: async () => (await runtime()).cgroupDriver(),
    imageExists: async (image) => (await runtime()).imageExists(image),
    pullImage: async (image) => (await runtime()).pullImage(image),
    containers: async (namespace) => (await runtime()).containers(namespace),
    sandboxes: async () => (await runtime()).sandboxes(),
    removeSandbox: async (id) => (await runtime()).removeSandbox(id),
    log: async (container, lines) => (await runtime()).log(container, lines),
  };
}
