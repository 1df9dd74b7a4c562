import { messageOf } from '@groundplane/errors';
import { type FactRequest, type PreflightFacts, portKey, type RuntimeFacts } from '@groundplane/kubelet';
import type { Clock, Host, Runtime } from '@groundplane/phases';
import { externalEtcdVersion } from './preflight-etcd-version.ts';
import { kernelConfig } from './preflight-kernel-config.ts';

export interface FactSources {
  readonly host: Host;
  readonly runtime: Runtime;
  readonly clock: Clock;
  /** Asks whether a path of the node exists. */
  readonly exists: (path: string) => Promise<boolean>;
  readonly list: (path: string) => Promise<readonly string[] | undefined>;
  /** How often external etcd is asked for its version while it does not answer. */
  readonly etcdAttempts: number;
  /** Brings the images of the control plane, and says of which it could not. */
  readonly pullImages: () => Promise<readonly string[]>;
}

/** How each kind of request is answered. */
type Gatherers = {
  readonly [F in FactRequest['fact']]: (
    request: FactRequest & { readonly fact: F },
    sources: FactSources,
  ) => Promise<PreflightFacts>;
};

const gatherers: Gatherers = {
  uid: async (_, { host }) => ({ uid: host.facts.uid() }),
  cpus: async (_, { host }) => ({ cpus: await host.facts.cpus() }),
  memoryMiB: async (_, { host }) => ({ memoryMiB: await host.facts.memoryMiB() }),
  kernelRelease: async (_, { host }) => ({ kernelRelease: await host.facts.kernelRelease() }),
  kernelConfig: async (_, { host }) => ({ kernelConfig: await kernelConfig(host) }),
  cgroups: async (_, { host }) => ({ cgroups: await host.facts.cgroups() }),
  runtime: async (_, { runtime }) => ({ runtime: await runtimeFacts(runtime) }),
  kubeletVersion: async (_, { host }) => ({ kubeletVersion: await kubeletVersion(host) }),
  proxyEnvironment: async (_, { host }) => ({ proxyEnvironment: host.facts.proxyEnvironment() }),
  port: async ({ port, address }, { host }) => ({
    ports: { [portKey(port, address)]: await host.facts.canListen(port, address) },
  }),
  file: async ({ path }, { exists }) => ({ files: { [path]: await exists(path) } }),
  text: async ({ path }, { host }) => ({ texts: { [path]: await host.facts.kernelFile(path) } }),
  directory: async ({ path }, { list }) => ({
    directories: { [path]: await list(path).catch((error) => ({ error: messageOf(error) })) },
  }),
  program: async ({ name }, { host }) => ({ programs: { [name]: await host.facts.program(name) } }),
  service: async ({ name }, { host }) => ({ services: { [name]: await host.services.status(name) } }),
  lookup: async ({ name }, { host }) => ({ lookups: { [name]: await host.facts.lookup(name) } }),
  etcdVersion: async (request, sources) => ({
    etcdVersions: { [request.endpoint]: await externalEtcdVersion(request, sources) },
  }),
  images: async (_, { pullImages }) => ({ images: { failures: await pullImages() } }),
};

/** Facts of which there are many, by path, name or port. */
const maps = ['ports', 'files', 'texts', 'directories', 'programs', 'services', 'lookups', 'etcdVersions'] as const;

/** Asks the machine everything that the checks need, at the same time. */
export async function gatherPreflightFacts(
  requests: readonly FactRequest[],
  sources: FactSources,
): Promise<PreflightFacts> {
  const gathered = await Promise.all(requests.map((request) => gather(request, sources)));
  const merged = maps.map((map) => [map, Object.assign({}, ...gathered.map((facts) => facts[map]))]);
  return { ...Object.assign({}, ...gathered), ...Object.fromEntries(merged) };
}

function gather<F extends FactRequest['fact']>(
  request: FactRequest & { readonly fact: F },
  sources: FactSources,
): Promise<PreflightFacts> {
  return gatherers[request.fact as F](request, sources);
}

async function kubeletVersion({ facts }: Host): Promise<NonNullable<PreflightFacts['kubeletVersion']>> {
  try {
    const { code, stdout, stderr } = await facts.output('kubelet', ['--version']);
    return code === 0 ? { output: stdout } : { error: `kubelet --version ended with code ${code}: ${stderr.trim()}` };
  } catch (error) {
    return { error: messageOf(error) };
  }
}

async function runtimeFacts(runtime: Runtime): Promise<RuntimeFacts> {
  try {
    await runtime.version();
  } catch (error) {
    return { connectError: messageOf(error) };
  }
  const [conditions, driver] = await Promise.allSettled([runtime.status(), runtime.cgroupDriver()]);
  return {
    ...(conditions.status === 'fulfilled'
      ? { conditions: conditions.value }
      : { statusError: messageOf(conditions.reason) }),
    runtimeConfig:
      driver.status === 'rejected'
        ? { error: messageOf(driver.reason) }
        : driver.value === undefined
          ? 'unimplemented'
          : 'implemented',
  };
}
