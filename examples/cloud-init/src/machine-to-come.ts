import type { Facts, FileStatus, Files, Host, Services, SuppliedPorts } from '@groundplane/phases';

/** What is known of a machine before it is there. */
export interface MachineDescription {
  readonly name: string;
  /** IPv4 or IPv6 address that the API server will announce. */
  readonly address: string;
  /** Folders of the machine's image with CA certificates, of those that pods of the control plane mount where they exist. */
  readonly certificateFolders: readonly string[];
}

/** A file or folder that a phase has made. */
export interface MadeFile {
  readonly path: string;
  readonly mode: number;
  /** Absent for a folder. */
  readonly content?: Uint8Array;
}

/** The ports of a machine that does not exist yet: its files are kept in memory, and it cannot be asked to do anything. */
export interface MachineToCome {
  readonly host: Host;
  readonly runtime: SuppliedPorts['runtime'];
  readonly clusters: SuppliedPorts['clusters'];
  /** What phases have made, sorted by path. */
  made(): readonly MadeFile[];
}

/** A machine in memory. Whatever needs a real one is refused with an error that says so. */
export function machineToCome(description: MachineDescription): MachineToCome {
  const entries = new Map<string, MadeFile>(
    description.certificateFolders.map((path) => [path, { path, mode: 0o755 }] as const),
  );
  const isOfImage = new Set(entries.keys());
  return {
    host: {
      files: filesIn(entries),
      facts: factsOf(description),
      services: refusing<Services>('services', {
        status: async () => ({ exists: false, enabled: false, active: false, initSystem: 'systemd' as const }),
      }),
      mounts: refusing('mounts'),
      probe: () => refuse('probe'),
    },
    runtime: refusing('runtime'),
    clusters: refusing('clusters'),
    made: () =>
      [...entries.values()]
        .filter(({ path }) => !isOfImage.has(path))
        .sort((a, b) => (a.path < b.path ? -1 : Number(a.path > b.path))),
  };
}

function filesIn(entries: Map<string, MadeFile>): Files {
  const status = ({ mode, content }: MadeFile): FileStatus => ({
    kind: content === undefined ? 'directory' : 'file',
    mode,
    uid: 0,
    gid: 0,
    size: content?.length ?? 0,
    modifiedMs: 0,
  });
  return refusing<Files>('files', {
    async read(path) {
      const entry = entries.get(path);
      return entry?.content === undefined ? undefined : { ...status(entry), bytes: entry.content };
    },
    async status(path) {
      const entry = entries.get(path);
      return entry === undefined ? undefined : status(entry);
    },
    realPath: async (path) => (entries.has(path) ? path : undefined),
    async list(path) {
      const below = [...entries.keys()].filter((other) => other.startsWith(`${path}/`));
      if (below.length === 0 && !entries.has(path)) return undefined;
      return [...new Set(below.map((other) => other.slice(path.length + 1).split('/')[0] ?? ''))].sort();
    },
    async write(path, content, { mode }) {
      entries.set(path, { path, mode: entries.get(path)?.mode ?? mode, content });
    },
    async makeDirectory(path, { mode }) {
      if (!entries.has(path)) entries.set(path, { path, mode });
    },
  });
}

function factsOf({ name, address }: MachineDescription): Facts {
  const isIPv6 = address.includes(':');
  return refusing<Facts>('facts', {
    hostName: async () => name,
    addresses: async () => ({ ipv4: isIPv6 ? [] : [address], ipv6: isIPv6 ? [address] : [], loopback: [] }),
    // The machine looks for its container runtime when it is there.
    sockets: async (candidates) => candidates.slice(0, 1),
    proxyEnvironment: () => [],
    uid: () => 0,
  });
}

/** A port of which only these methods can be called. */
function refusing<T extends object>(port: string, methods: Partial<T> = {}): T {
  return new Proxy(methods, {
    get: (_, method) => methods[method as keyof T] ?? (() => refuse(`${port}.${String(method)}`)),
  }) as T;
}

function refuse(what: string): never {
  throw new Error(`Cannot use ${what} as the machine is not there yet`);
}
