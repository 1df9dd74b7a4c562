import { messageOf } from '@groundplane/errors';
import {
  type FactRequest,
  type PreflightFacts,
  portKey,
  type RuntimeFacts,
  type ServiceFacts,
} from '@groundplane/kubelet';
import type { Host, Runtime } from '@groundplane/phases';

interface Sources {
  readonly host: Host;
  readonly runtime: Runtime;
  /** Asks whether a path of the node exists. */
  readonly exists: (path: string) => Promise<boolean>;
  readonly list: (path: string) => Promise<readonly string[] | undefined>;
}

type Mutable = { -readonly [K in keyof PreflightFacts]: PreflightFacts[K] };
type Request<K extends FactRequest['fact']> = Extract<FactRequest, { fact: K }>;

/** How each kind of request is answered, all at the same time. */
type Gatherer = (facts: Mutable, request: FactRequest, sources: Sources) => Promise<void>;

const put = <T>(map: Readonly<Record<string, T>> | undefined, key: string, value: T): Readonly<Record<string, T>> => ({
  ...map,
  [key]: value,
});

const gatherers: Readonly<Record<FactRequest['fact'], Gatherer>> = {
  uid: async (facts, _, { host }) => {
    facts.uid = host.facts.uid();
  },
  cpus: async (facts, _, { host }) => {
    facts.cpus = await host.facts.cpus();
  },
  memoryMiB: async (facts, _, { host }) => {
    facts.memoryMiB = await host.facts.memoryMiB();
  },
  kernelRelease: async (facts, _, { host }) => {
    facts.kernelRelease = await host.facts.kernelRelease();
  },
  kernelConfig: async (facts, _, { host }) => {
    facts.kernelConfig = await kernelConfig(host);
  },
  cgroups: async (facts, _, { host }) => {
    facts.cgroups = await host.facts.cgroups();
  },
  runtime: async (facts, _, { runtime }) => {
    facts.runtime = await runtimeFacts(runtime);
  },
  kubeletVersion: async (facts, _, { host }) => {
    facts.kubeletVersion = await kubeletVersion(host);
  },
  proxyEnvironment: async (facts, _, { host }) => {
    facts.proxyEnvironment = host.facts.proxyEnvironment();
  },
  port: async (facts, request, { host }) => {
    const { port, address } = request as Request<'port'>;
    const free = await host.facts.canListen(port, address);
    facts.ports = put(facts.ports, portKey(port, address), free);
  },
  file: async (facts, request, { exists }) => {
    const { path } = request as Request<'file'>;
    const found = await exists(path);
    facts.files = put(facts.files, path, found);
  },
  text: async (facts, request, { host }) => {
    const { path } = request as Request<'text'>;
    const text = await host.facts.kernelFile(path);
    facts.texts = put(facts.texts, path, text);
  },
  directory: async (facts, request, { list }) => {
    const { path } = request as Request<'directory'>;
    const names = await list(path);
    facts.directories = put(facts.directories, path, names);
  },
  program: async (facts, request, { host }) => {
    const { name } = request as Request<'program'>;
    const path = await host.facts.program(name);
    facts.programs = put(facts.programs, name, path);
  },
  service: async (facts, request, { host }) => {
    const { name } = request as Request<'service'>;
    const status: ServiceFacts = await host.services.status(name);
    facts.services = put(facts.services, name, status);
  },
  lookup: async (facts, request, { host }) => {
    const { name } = request as Request<'lookup'>;
    const addresses = await host.facts.lookup(name);
    facts.lookups = put(facts.lookups, name, addresses);
  },
};

/** Asks the machine everything that the checks need, at the same time. */
export async function gatherPreflightFacts(
  requests: readonly FactRequest[],
  sources: Sources,
): Promise<PreflightFacts> {
  const facts: Mutable = {};
  await Promise.all(requests.map((request) => gatherers[request.fact](facts, request, sources)));
  return facts;
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

/** Where kernels keep their build configuration (k8s.io/system-validators, kernel_validator.go). */
const kernelConfigPaths = (release: string) => [
  '/proc/config.gz',
  `/boot/config-${release}`,
  `/usr/src/linux-${release}/.config`,
  '/usr/src/linux/.config',
  `/usr/lib/modules/${release}/config`,
  `/usr/lib/ostree-boot/config-${release}`,
  `/usr/lib/kernel/config-${release}`,
  `/usr/src/linux-headers-${release}/.config`,
  `/lib/modules/${release}/build/.config`,
];

async function kernelConfig({ facts }: Host): Promise<string | null> {
  for (const path of kernelConfigPaths(await facts.kernelRelease())) {
    const text = await facts.kernelFile(path);
    if (text !== undefined) return text;
  }
  return null;
}
