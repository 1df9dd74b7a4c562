import { lookup } from 'node:dns/promises';
import { connect, createServer } from 'node:net';
import { availableParallelism, hostname, networkInterfaces, release, totalmem } from 'node:os';
import type { Facts } from '@groundplane/phases';
import { readCgroups } from './cgroups.ts';
import { parseCpuList } from './cpu-list.ts';
import { parseIPv4DefaultRoutes, parseIPv6DefaultRoutes } from './default-routes.ts';
import { kernelFilesOf, readKernelFile } from './kernel-file.ts';
import { type InterfaceAddress, nodeAddresses } from './node-addresses.ts';
import { programsOf } from './programs.ts';
import { machineRoot, type RootDirectory } from './root-directory.ts';
import type { Environment } from './run-program.ts';

const mebibyte = 1024 * 1024;
const socketTimeoutMs = 1000;
/** Where cAdvisor, and so the kubelet, looks for it. */
const machineIdFiles = ['/etc/machine-id', '/var/lib/dbus/machine-id'] as const;

/**
 * What this machine says about itself. With another root its programs, sockets and files are those in the root; what the kernel says
 * (CPUs, memory, addresses, ports, cgroups) is the same for every root, and so are the host name and the resolver of this process.
 */
export function localFacts(environment: Environment, root: RootDirectory = machineRoot): Facts {
  const programs = programsOf(environment, root);
  const kernelFile = kernelFilesOf(root);
  return {
    hostName: async () => hostname(),
    uid: () => process.geteuid?.() ?? -1,
    cpus: countCpus,
    memoryMiB: async () => Math.floor(totalmem() / mebibyte),
    addresses: readAddresses,
    canListen,
    program: (name) => programs.find(name),
    output: (program, args) => programs.run(program, args),
    kernelRelease: async () => release(),
    cgroups: readCgroups,
    lookup: lookUp,
    proxyEnvironment: () => proxyVariables(environment),
    kernelFile,
    sockets: (candidates) => connectable(candidates, root),
    machineId: () => readMachineId(kernelFile),
  };
}

/** CPUs that this process may run on, as Go's runtime.NumCPU counts them; limits of a cgroup do not count. */
async function countCpus(): Promise<number> {
  const status = await readKernelFile('/proc/self/status');
  const list = /^Cpus_allowed_list:\s*(\S+)$/m.exec(status ?? '')?.[1];
  return list === undefined ? availableParallelism() : parseCpuList(list).length;
}

async function readAddresses(): ReturnType<Facts['addresses']> {
  const ipv4 = await readKernelFile('/proc/net/route');
  const ipv6 = await readKernelFile('/proc/net/ipv6_route');
  const routes =
    ipv4 === undefined ? undefined : { ipv4: parseIPv4DefaultRoutes(ipv4), ipv6: parseIPv6DefaultRoutes(ipv6 ?? '') };
  return nodeAddresses(interfaceAddresses(), routes);
}

function interfaceAddresses(): readonly InterfaceAddress[] {
  return Object.entries(networkInterfaces()).flatMap(([name, addresses = []]) =>
    addresses.map(({ address, family, internal }) => ({
      interface: name,
      family: family === 'IPv6' ? 'ipv6' : 'ipv4',
      address,
      loopback: internal,
    })),
  );
}

function canListen(port: number, address?: string): Promise<boolean> {
  return new Promise((resolve) => {
    const server = createServer();
    server.once('error', () => resolve(false));
    server.listen({ port, exclusive: true, ...(address === undefined ? {} : { host: address }) }, () => {
      server.close(() => resolve(true));
    });
  });
}

async function lookUp(name: string): Promise<readonly string[]> {
  try {
    return (await lookup(name, { all: true, order: 'verbatim' })).map((entry) => entry.address);
  } catch {
    return [];
  }
}

function proxyVariables(environment: Environment): ReturnType<Facts['proxyEnvironment']> {
  return Object.entries(environment)
    .flatMap(([name, value]) => (value !== undefined && value !== '' && /_proxy$/i.test(name) ? [{ name, value }] : []))
    .sort((a, b) => (a.name < b.name ? -1 : 1));
}

async function connectable(candidates: readonly string[], root: RootDirectory): Promise<readonly string[]> {
  const answers = await Promise.all(
    candidates.map((candidate) => root.locate(candidate.replace(/^unix:\/\//, '')).then(accepts, () => false)),
  );
  return candidates.filter((_, index) => answers[index] === true);
}

function accepts(path: string): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect({ path });
    const finish = (answer: boolean): void => {
      socket.destroy();
      resolve(answer);
    };
    socket.setTimeout(socketTimeoutMs, () => finish(false));
    socket.once('connect', () => finish(true));
    socket.once('error', () => finish(false));
  });
}

async function readMachineId(read: Facts['kernelFile']): Promise<string | undefined> {
  for (const path of machineIdFiles) {
    const id = (await read(path))?.trim();
    if (id !== undefined && id !== '') return id;
  }
  return undefined;
}
