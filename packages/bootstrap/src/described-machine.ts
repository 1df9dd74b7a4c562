import { knownCriSockets } from '@groundplane/config';
import type { Files, Host, Services, SuppliedPorts } from '@groundplane/phases';
import { bootstrapError } from './error-codes.ts';
import { contains } from './system-directories.ts';

/** The node of descriptions that are told of no other (RFC 5737: an address for documentation). */
export const exampleNode = { name: 'node-1', address: '192.0.2.10' } as const;

export interface DescribedMachineOptions {
  /** This machine, for what the configuration leaves to it: name, address, CAs of the system, patches. */
  readonly host?: Host | undefined;
  /** Folders that hold the state of a cluster: a description does not depend on what is in them. */
  readonly stateDirectories: readonly string[];
  /** Looked at although it is among them. */
  readonly patchesDirectory?: string | undefined;
}

/**
 * A machine as descriptions see it: the example node, or a real one before anything was done to it. It is asked for nothing that needs
 * root or the network, and nothing on it is changed.
 */
export function describedMachine({ host, stateDirectories, patchesDirectory }: DescribedMachineOptions): SuppliedPorts {
  const isState = (path: string) =>
    stateDirectories.some((directory) => contains(directory, [path])) &&
    !(patchesDirectory !== undefined && contains(patchesDirectory, [path]));
  return {
    host: host === undefined ? exampleHost : untouched(host, isState),
    clusters: { connect: notDescribed },
    runtime: {
      version: notDescribed,
      status: notDescribed,
      cgroupDriver: notDescribed,
      imageExists: notDescribed,
      pullImage: notDescribed,
      containers: notDescribed,
      sandboxes: notDescribed,
      removeSandbox: notDescribed,
      log: notDescribed,
    },
    signer: { canIssue: () => false, issue: notDescribed },
    clock: { now: () => new Date(0), monotonicMs: () => 0, sleep: notDescribed },
    // Tokens that are made up appear in no description.
    entropy: { bytes: (length) => new Uint8Array(length) },
  };
}

/** @throws GroundplaneError BOOTSTRAP_NOT_DESCRIBED: a description goes by the configuration alone */
function notDescribed(): never {
  throw bootstrapError('BOOTSTRAP_NOT_DESCRIBED', 'Cannot describe what only a running machine or a cluster knows');
}

const noFiles: Files = {
  read: async () => undefined,
  status: async () => undefined,
  list: async () => undefined,
  realPath: async () => undefined,
  write: notDescribed,
  append: notDescribed,
  makeDirectory: notDescribed,
  remove: notDescribed,
  removeDirectory: notDescribed,
  empty: notDescribed,
};

const noServices: Services = {
  status: async () => ({ exists: false, enabled: false, active: false, initSystem: 'none' }),
  restart: notDescribed,
  stop: notDescribed,
  log: async () => [],
};

const exampleHost: Host = {
  files: noFiles,
  services: noServices,
  mounts: { table: async () => '', unmount: notDescribed },
  probe: notDescribed,
  facts: {
    hostName: async () => exampleNode.name,
    uid: () => 0,
    cpus: async () => 2,
    memoryMiB: async () => 4096,
    addresses: async () => ({ ipv4: [exampleNode.address], ipv6: [], loopback: [] }),
    canListen: async () => true,
    program: async () => undefined,
    output: notDescribed,
    kernelRelease: notDescribed,
    cgroups: async () => ({ version: undefined, controllers: [] }),
    lookup: async () => [],
    proxyEnvironment: () => [],
    kernelFile: async () => undefined,
    sockets: async () => [knownCriSockets[0]],
    machineId: async () => undefined,
  },
};

/** The machine without what a cluster has left on it. */
function untouched(host: Host, isState: (path: string) => boolean): Host {
  const unless = <T>(look: (path: string) => Promise<T | undefined>) => {
    return async (path: string) => (isState(path) ? undefined : look(path));
  };
  return {
    ...exampleHost,
    files: {
      ...noFiles,
      read: unless((path) => host.files.read(path)),
      status: async (path, options) => (isState(path) ? undefined : host.files.status(path, options)),
      list: unless((path) => host.files.list(path)),
    },
    services: {
      ...noServices,
      // What serves names on this machine is no part of a cluster.
      status: (unit) => (unit === 'systemd-resolved' ? host.services.status(unit) : noServices.status(unit)),
    },
    facts: {
      ...exampleHost.facts,
      hostName: () => host.facts.hostName(),
      addresses: () => host.facts.addresses(),
      proxyEnvironment: () => host.facts.proxyEnvironment(),
    },
  };
}
