import { attachToMachine } from './machine-exec.ts';
import { createMachine, deleteAllMachines, findMachine, listMachines } from './machines.ts';
import { testbedIdentity } from './testbed-identity.ts';

/** A subcommand: what is said about it, its flags, and what it does; returns the exit code. */
export interface Command {
  readonly usage: string;
  readonly summary: string;
  /** Flags and whether each takes a value. */
  readonly flags?: Readonly<Record<string, 'boolean' | 'string'>>;
  run(positionals: readonly string[], flags: Readonly<Record<string, string | boolean>>): Promise<number>;
}

/** Wrong use of a command; the usage is printed. */
export class UsageError extends Error {}

function machineName(positionals: readonly string[]): string {
  const [name] = positionals;
  if (name === undefined) throw new UsageError('a machine name is missing');
  return name;
}

export const machineCommands: Readonly<Record<string, Command>> = {
  create: {
    usage: 'create NAME… [--no-cni] [--kubernetes VERSION]',
    summary: 'makes machines and waits until they have booted',
    flags: { 'no-cni': 'boolean', kubernetes: 'string' },
    async run(positionals, flags) {
      machineName(positionals);
      const kubernetes = typeof flags.kubernetes === 'string' ? flags.kubernetes.replace(/^v/, '') : undefined;
      for (const name of positionals) {
        const start = Date.now();
        const machine = await createMachine({
          name,
          cni: flags['no-cni'] !== true,
          ...(kubernetes ? { kubernetesVersion: kubernetes } : {}),
        });
        const seconds = ((Date.now() - start) / 1000).toFixed(1);
        process.stdout.write(`machine ${name} is running at ${machine.address} after ${seconds} s\n`);
      }
      return 0;
    },
  },
  list: {
    usage: 'list',
    summary: 'lists name, state, address, pod subnet and Kubernetes version',
    async run() {
      for (const machine of listMachines()) {
        const columns = [machine.name.padEnd(16), (await machine.state()).padEnd(9), machine.address.padEnd(14)];
        process.stdout.write(`${columns.join(' ')} ${machine.podSubnet.padEnd(15)} v${machine.kubernetesVersion}\n`);
      }
      return 0;
    },
  },
  exec: {
    usage: 'exec NAME -- COMMAND [ARGUMENT…]',
    summary: 'runs a command as root; its exit code is ours',
    run([name, ...argv]) {
      if (name === undefined || argv.length === 0) throw new UsageError('a machine name or a command is missing');
      return attachToMachine(testbedIdentity(), findMachine(name).name, argv);
    },
  },
  enter: {
    usage: 'enter NAME',
    summary: 'opens a shell',
    run(positionals) {
      const env = { KUBECONFIG: '/etc/kubernetes/admin.conf' };
      return attachToMachine(testbedIdentity(), findMachine(machineName(positionals)).name, ['bash', '-l'], env);
    },
  },
  copy: {
    usage: 'copy SOURCE NAME:DESTINATION | copy NAME:SOURCE DESTINATION',
    summary: 'copies a file or folder in or out, as cp -a would',
    async run([source, destination]) {
      if (source === undefined || destination === undefined)
        throw new UsageError('a source or a destination is missing');
      const [from, to] = [splitPlace(source), splitPlace(destination)];
      if (from.machine !== undefined && to.machine === undefined) {
        await findMachine(from.machine).copyOut(from.path, to.path);
      } else if (from.machine === undefined && to.machine !== undefined) {
        await findMachine(to.machine).copyIn(from.path, to.path);
      } else throw new UsageError('one of source and destination is in a machine, the other on the host');
      return 0;
    },
  },
  logs: {
    usage: 'logs NAME [UNIT] [--follow]',
    summary: 'shows the journal',
    flags: { follow: 'boolean' },
    run([name, unit], flags) {
      const argv = [
        'journalctl',
        '--no-pager',
        ...(unit ? ['--unit', unit] : []),
        ...(flags.follow ? ['--follow'] : []),
      ];
      return attachToMachine(testbedIdentity(), findMachine(machineName(name ? [name] : [])).name, argv);
    },
  },
  stop: {
    usage: 'stop NAME… [--now]',
    summary: 'shuts machines down; with --now as a power cut would',
    flags: { now: 'boolean' },
    async run(positionals, flags) {
      machineName(positionals);
      for (const name of positionals) await findMachine(name).stop({ now: flags.now === true });
      return 0;
    },
  },
  start: {
    usage: 'start NAME…',
    summary: 'boots stopped machines',
    async run(positionals) {
      machineName(positionals);
      for (const name of positionals) await findMachine(name).start();
      return 0;
    },
  },
  delete: {
    usage: 'delete NAME… | delete --all',
    summary: 'removes machines with everything that was made for them',
    flags: { all: 'boolean' },
    async run(positionals, flags) {
      if (flags.all) {
        await deleteAllMachines();
        return 0;
      }
      machineName(positionals);
      for (const name of positionals) await findMachine(name).delete();
      return 0;
    },
  },
};

/** `NAME:PATH` is a place in a machine; anything else is a path of the host. */
function splitPlace(text: string): { readonly machine?: string; readonly path: string } {
  const match = /^([a-z0-9-]+):(.+)$/s.exec(text);
  return match?.[1] !== undefined && match[2] !== undefined ? { machine: match[1], path: match[2] } : { path: text };
}
