import type { CommandResult } from './run-command.ts';

export interface ExecOptions {
  /** Written to the command's standard input. Default: none. */
  readonly input?: string | Uint8Array;
  /** After this long the command is ended in the machine, and the code is 124. */
  readonly timeoutMs?: number;
  /** Added to the machine's usual environment. */
  readonly env?: Readonly<Record<string, string>>;
  /** Working directory in the machine. Default: `/`. */
  readonly cwd?: string;
}

/** `running` after boot, `stopped` when there is no PID 1, `creating` while being made. */
export type MachineState = 'creating' | 'running' | 'stopped';

/** One machine: Debian with systemd, containerd and the kubelet. */
export interface Machine {
  /** Its host name, and the node name that kubeadm will take. */
  readonly name: string;
  /** Its IPv4 address on the machines' network; the host itself has no way there. */
  readonly address: string;
  /** Pods of this machine have addresses out of this. */
  readonly podSubnet: string;
  /** Without `v`. */
  readonly kubernetesVersion: string;
  /** Runs a command as root and waits for its end; a code other than 0 is no error. */
  exec(argv: readonly string[], options?: ExecOptions): Promise<CommandResult>;
  /** Copies a file or folder of the host into the machine, as `cp -a` would. */
  copyIn(source: string, destination: string): Promise<void>;
  /** Copies a file or folder of the machine to the host, as `cp -a` would. */
  copyOut(source: string, destination: string): Promise<void>;
  /** Writes a file, with the folders above it. `mode` defaults to 0644. */
  writeFile(path: string, content: string | Uint8Array, mode?: number): Promise<void>;
  /** @throws Error when the file cannot be read. */
  readFile(path: string): Promise<string>;
  state(): Promise<MachineState>;
  /** Shuts down as `poweroff` would; with `now` as a power cut would. */
  stop(options?: { readonly now?: boolean }): Promise<void>;
  /** Boots a stopped machine and waits until it runs. */
  start(): Promise<void>;
  /** Takes the machine off the network, or puts it back. */
  setCable(plugged: boolean): Promise<void>;
  /** Removes the machine with everything that was made for it. */
  delete(): Promise<void>;
}
