/** A regular file as it is on the node. */
export interface FileStatus {
  readonly kind: 'file' | 'directory' | 'symlink' | 'other';
  /** Permission bits, `0o600`. */
  readonly mode: number;
  readonly uid: number;
  readonly gid: number;
  /** Bytes. */
  readonly size: number;
  /** Milliseconds since the epoch, with fractions where the file system has them. */
  readonly modifiedMs: number;
}

export interface FileContent extends FileStatus {
  readonly bytes: Uint8Array;
}

/** Files of the node. Absolute paths. Absence is `undefined`, never an error; what cannot be read is an error. */
export interface Files {
  /** Follows symbolic links. */
  read(path: string): Promise<FileContent | undefined>;
  /** Follows symbolic links, unless told not to: then a link has the kind `symlink`. */
  status(path: string, options?: { readonly followLinks?: boolean }): Promise<FileStatus | undefined>;
  /** Names in a directory, sorted; `undefined` if it does not exist. */
  list(path: string): Promise<readonly string[] | undefined>;
  /**
   * Atomic: after a crash at any point the file is the old one or the new one, with its final mode from the first moment.
   * A new file gets `mode`; one that exists keeps its own, without the bits beyond `maxMode` if that is given. Missing parent
   * directories are made with `directoryMode` (default 0o755). The umask is taken off the modes of what is new.
   */
  write(
    path: string,
    bytes: Uint8Array,
    options: { readonly mode: number; readonly maxMode?: number; readonly directoryMode?: number },
  ): Promise<void>;
  /** Appends one record in one write; makes the file with `mode` if absent. */
  append(path: string, bytes: Uint8Array, options: { readonly mode: number }): Promise<void>;
  makeDirectory(path: string, options: { readonly mode: number }): Promise<void>;
  /** Removes a file; absent is fine. */
  remove(path: string): Promise<void>;
  /** The path with every symbolic link in it followed; `undefined` if it leads nowhere. */
  realPath(path: string): Promise<string | undefined>;
  /** Removes a directory in which nothing is; absent is fine, anything else at its place is an error. */
  removeDirectory(path: string): Promise<void>;
  /**
   * Removes everything in a directory and leaves the directory itself; absent is fine. Symbolic links are removed and not followed,
   * and nothing is removed from file systems that are mounted below it, whichever kind of mount it is. It goes on where it can.
   *
   * @returns what could not be removed
   */
  empty(path: string): Promise<readonly Leftover[]>;
}

/** Something that was to be removed and is still there. */
export interface Leftover {
  readonly path: string;
  readonly reason: string;
}

export interface UnmountOptions {
  /** MNT_FORCE of umount2(2): even if the server of a network file system does not answer. */
  readonly force?: boolean;
  /** MNT_DETACH of umount2(2): it vanishes now, and is given up when nobody uses it any more. */
  readonly lazy?: boolean;
}

/** The mounted file systems of the node. */
export interface Mounts {
  /** One line per mount, in the form of /proc/mounts (fstab(5)): blanks in a path are written as `\040`. */
  table(): Promise<string>;
  /**
   * Unmounts the topmost file system at a mount point. One that is gone when it comes to it, as it went with its shared peer, is fine.
   *
   * @param path the mount point as it is, not as the table writes it
   */
  unmount(path: string, options?: UnmountOptions): Promise<void>;
}

export interface ServiceStatus {
  /** False where the init system knows no such unit. */
  readonly exists: boolean;
  readonly enabled: boolean;
  readonly active: boolean;
  /** Milliseconds since the epoch at which the main process was started; absent when it is not running. */
  readonly startedMs?: number;
  /** `systemd`, `openrc` or `none`. */
  readonly initSystem: 'systemd' | 'openrc' | 'none';
}

export interface Services {
  status(unit: string): Promise<ServiceStatus>;
  /** Reads changed unit files and (re)starts the unit. */
  restart(unit: string): Promise<void>;
  stop(unit: string): Promise<void>;
  /** The last lines that the unit logged; empty where the init system keeps none. */
  log(unit: string, lines: number): Promise<readonly string[]>;
}

/** One answer of an HTTP health endpoint on this node. */
export interface ProbeResult {
  /** HTTP status, or undefined when there was no answer. */
  readonly status?: number;
  /** Response body (at most some kilobytes) or the text of the connection error. */
  readonly text: string;
}

/** What preflight and resolve ask about the machine. Each answer is plain data; `undefined` where the machine cannot tell. */
export interface Facts {
  hostName(): Promise<string>;
  /** Effective user id. */
  uid(): number;
  cpus(): Promise<number>;
  /** Mebibytes of RAM in all. */
  memoryMiB(): Promise<number>;
  /** Addresses of the interface of the default route, per family, and those of `lo` that are global unicast. */
  addresses(): Promise<{
    readonly ipv4: readonly string[];
    readonly ipv6: readonly string[];
    readonly loopback: readonly string[];
  }>;
  /** True if a TCP listener could be opened on it. `address` undefined means all addresses. */
  canListen(port: number, address?: string): Promise<boolean>;
  /** Absolute path of a program found in PATH. */
  program(name: string): Promise<string | undefined>;
  /** Text that a program printed on stdout, e.g. `kubelet --version`. */
  output(
    program: string,
    args: readonly string[],
  ): Promise<{ readonly code: number; readonly stdout: string; readonly stderr: string }>;
  kernelRelease(): Promise<string>;
  /** cgroup version and the controllers that are enabled. */
  cgroups(): Promise<{ readonly version: 1 | 2 | undefined; readonly controllers: readonly string[] }>;
  /** Addresses that the name resolves to; empty when it does not. */
  lookup(name: string): Promise<readonly string[]>;
  /** Environment variables whose name ends in `_proxy`, any case, non-empty value, sorted by name. */
  proxyEnvironment(): readonly { readonly name: string; readonly value: string }[];
  /** Text of a /proc or /sys file, read as it is. */
  kernelFile(path: string): Promise<string | undefined>;
  /** Unix sockets of this list that exist and accept a connection. */
  sockets(candidates: readonly string[]): Promise<readonly string[]>;
  /** Machine id of this host. */
  machineId(): Promise<string | undefined>;
}

/** PEM texts. The server has to prove itself to the authority, or without one to those that this machine trusts. */
export interface ProbeTrust {
  readonly authority?: string;
  /** Certificate and key that a server which asks for them is shown. */
  readonly client?: { readonly certificate: string; readonly key: string };
}

export interface Host {
  readonly files: Files;
  readonly services: Services;
  readonly facts: Facts;
  readonly mounts: Mounts;
  /** GET on this node; TLS certificates are not verified unless `trust` is given. `timeoutMs` per attempt. */
  probe(
    url: string,
    options: { readonly timeoutMs: number; readonly signal?: AbortSignal; readonly trust?: ProbeTrust },
  ): Promise<ProbeResult>;
}
