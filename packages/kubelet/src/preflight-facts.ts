/** One thing that a check wants to know of the host. */
export type FactRequest =
  | {
      readonly fact:
        | 'uid'
        | 'cpus'
        | 'memoryMiB'
        | 'kernelRelease'
        | 'kernelConfig'
        | 'cgroups'
        | 'runtime'
        | 'kubeletVersion'
        | 'proxyEnvironment'
        /** Pulling the images of the control plane. */
        | 'images';
    }
  /** Whether a TCP listener can be opened; without an address on all of them. */
  | { readonly fact: 'port'; readonly port: number; readonly address?: string }
  /** Whether a path exists. */
  | { readonly fact: 'file'; readonly path: string }
  /** The text of a file of the kernel. */
  | { readonly fact: 'text'; readonly path: string }
  /** The names in a folder. */
  | { readonly fact: 'directory'; readonly path: string }
  /** Where a program is found in PATH. */
  | { readonly fact: 'program'; readonly name: string }
  | { readonly fact: 'service'; readonly name: string }
  /** The addresses that a name resolves to. */
  | { readonly fact: 'lookup'; readonly name: string }
  /** What etcd says at URL/version, asked with these certificate files. */
  | {
      readonly fact: 'etcdVersion';
      readonly endpoint: string;
      readonly caFile?: string;
      readonly certFile?: string;
      readonly keyFile?: string;
    };

/** What the container runtime answered over CRI v1. */
export interface RuntimeFacts {
  /** Text of the error if no connection could be made within 2 seconds. */
  readonly connectError?: string;
  /** Text of the error if the call Status failed. */
  readonly statusError?: string;
  readonly conditions?: readonly {
    readonly type: string;
    readonly status: boolean;
    readonly reason: string;
    readonly message: string;
  }[];
  /** Whether the call RuntimeConfig is implemented, or the text of another error. */
  readonly runtimeConfig?: 'implemented' | 'unimplemented' | { readonly error: string };
}

export interface ServiceFacts {
  readonly exists: boolean;
  readonly enabled: boolean;
  readonly active: boolean;
  readonly initSystem: 'systemd' | 'openrc' | 'none';
}

/**
 * Answers to the requests of {@link requiredFacts}, gathered by the caller. Maps are keyed by path, name, or
 * {@link portKey}; a value of undefined in a map means: asked for, and absent.
 */
export interface PreflightFacts {
  readonly uid?: number;
  readonly cpus?: number;
  readonly memoryMiB?: number;
  readonly kernelRelease?: string;
  /** Text of the kernel's build configuration, or why there is none. */
  readonly kernelConfig?: string | { readonly error: string };
  readonly cgroups?: { readonly version: 1 | 2 | undefined; readonly controllers: readonly string[] };
  readonly runtime?: RuntimeFacts;
  /** Standard output of `kubelet --version`, or why it could not be run. */
  readonly kubeletVersion?: { readonly output: string } | { readonly error: string };
  readonly proxyEnvironment?: readonly { readonly name: string; readonly value: string }[];
  readonly ports?: Readonly<Record<string, boolean>>;
  readonly files?: Readonly<Record<string, boolean>>;
  readonly texts?: Readonly<Record<string, string | undefined>>;
  readonly directories?: Readonly<Record<string, readonly string[] | { readonly error: string } | undefined>>;
  readonly programs?: Readonly<Record<string, string | undefined>>;
  readonly services?: Readonly<Record<string, ServiceFacts>>;
  readonly lookups?: Readonly<Record<string, readonly string[]>>;
  /** By endpoint: `etcdserver` of the answer. */
  readonly etcdVersions?: Readonly<Record<string, { readonly version: string } | { readonly error: string }>>;
  /** One text for each image that could not be pulled. */
  readonly images?: { readonly failures: readonly string[] };
}

/** The key of a port in {@link PreflightFacts.ports}: `:6443`, `192.0.2.10:2379`, `[2001:db8::1]:2379`. */
export function portKey(port: number, address = ''): string {
  return address.includes(':') ? `[${address}]:${port}` : `${address}:${port}`;
}

/** Where the answers to keyed requests are. */
const maps = {
  port: 'ports',
  file: 'files',
  text: 'texts',
  directory: 'directories',
  program: 'programs',
  service: 'services',
  lookup: 'lookups',
  etcdVersion: 'etcdVersions',
} as const satisfies Partial<Record<FactRequest['fact'], keyof PreflightFacts>>;

/** A text that is the same for equal requests. */
export function requestKey(request: FactRequest): string {
  if (request.fact === 'port') return portKey(request.port, request.address);
  if ('path' in request) return request.path;
  if ('endpoint' in request) return request.endpoint;
  return 'name' in request ? request.name : '';
}

/** True if the facts hold an answer to a request. */
export function isAnswered(facts: PreflightFacts, request: FactRequest): boolean {
  const map = (maps as Readonly<Record<string, keyof PreflightFacts | undefined>>)[request.fact];
  if (map === undefined) return facts[request.fact as keyof PreflightFacts] !== undefined;
  const answers = facts[map];
  return typeof answers === 'object' && answers !== null && Object.hasOwn(answers, requestKey(request));
}
