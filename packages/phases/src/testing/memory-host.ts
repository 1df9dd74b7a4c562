import { parseMountTable } from '../mount-table.ts';
import type { Facts, Host, ProbeResult, Services } from '../ports.ts';
import { memoryFiles } from './memory-files.ts';
import { type Alive, type Change, type MemoryState, stamp } from './memory-state.ts';

export interface MemoryHostOptions {
  readonly facts?: Partial<Facts> | undefined;
  readonly probe: (url: string) => ProbeResult | Promise<ProbeResult>;
  readonly onRestart: (unit: string) => void | Promise<void>;
}

/** A host in memory whose services start when told and whose machine is whatever the options say. */
export function memoryHost(
  state: MemoryState,
  { change, alive }: { readonly change: Change; readonly alive: Alive },
  options: MemoryHostOptions,
): Host {
  return {
    files: memoryFiles(state, change, alive),
    services: memoryServices(state, { change, alive }, options),
    facts: { ...ordinaryFacts, ...options.facts },
    mounts: {
      async table() {
        alive();
        return state.mounts.map((line) => `${line}\n`).join('');
      },
      async unmount(path) {
        alive();
        const index = state.mounts.findLastIndex((line) => mountPointOf(line) === path);
        if (index < 0) return;
        const busy = state.mounts.some((line) => mountPointOf(line).startsWith(`${path}/`));
        if (busy) throw new Error(`umount: ${path}: target is busy`);
        await change({ action: 'unmount', location: path }, () => {
          state.mounts = state.mounts.toSpliced(index, 1);
        });
      },
    },
    async probe(url) {
      alive();
      return options.probe(url);
    },
  };
}

function mountPointOf(line: string): string {
  return parseMountTable(line)[0]?.mountPoint ?? '';
}

function memoryServices(
  state: MemoryState,
  { change, alive }: { readonly change: Change; readonly alive: Alive },
  { onRestart }: MemoryHostOptions,
): Services {
  const unknown = { exists: false, enabled: false, active: false, initSystem: 'systemd' } as const;
  return {
    async status(unit) {
      alive();
      return state.units.get(unit) ?? unknown;
    },
    async restart(unit) {
      alive();
      const status = state.units.get(unit);
      if (status === undefined) throw new Error(`Unit ${unit}.service not found`);
      await change({ action: 'restart', location: unit }, () =>
        state.units.set(unit, { ...status, enabled: true, active: true, startedMs: stamp(state) }),
      );
      await onRestart(unit);
    },
    async stop(unit) {
      alive();
      const status = state.units.get(unit);
      if (status === undefined) return;
      const { startedMs, ...rest } = status;
      await change({ action: 'stop', location: unit }, () => state.units.set(unit, { ...rest, active: false }));
    },
    async log() {
      alive();
      return [];
    },
  };
}

/** A machine that can be a node. */
const ordinaryFacts: Facts = {
  hostName: async () => 'node',
  uid: () => 0,
  cpus: async () => 2,
  memoryMiB: async () => 4096,
  addresses: async () => ({ ipv4: ['192.0.2.10'], ipv6: [], loopback: [] }),
  canListen: async () => true,
  program: async (name) => `/usr/bin/${name}`,
  output: async () => ({ code: 0, stdout: '', stderr: '' }),
  kernelRelease: async () => '6.12.0',
  cgroups: async () => ({ version: 2, controllers: ['cpu', 'cpuset', 'hugetlb', 'io', 'memory', 'pids'] }),
  lookup: async () => [],
  proxyEnvironment: () => [],
  kernelFile: async () => undefined,
  sockets: async (candidates) => candidates.slice(0, 1),
  machineId: async () => '0123456789abcdef0123456789abcdef',
};
