import type { CommandFlags } from './command-table.ts';
import type { Flag } from './flag.ts';
import { initCommands } from './init-command-table.ts';
import { initFlags } from './init-flag-table.ts';
import { joinCommands } from './join-command-table.ts';
import { joinFlags } from './join-flag-table.ts';
import { resetCommands } from './reset-command-table.ts';
import { resetFlags } from './reset-flag-table.ts';

interface Family {
  readonly commands: readonly CommandFlags[];
  readonly flags: readonly Flag[];
}

/** By the first word of their commands. */
const families: Readonly<Record<string, Family>> = {
  init: { commands: initCommands, flags: initFlags },
  join: { commands: joinCommands, flags: joinFlags },
  reset: { commands: resetCommands, flags: resetFlags },
};

/**
 * The flags of one command, in the order of their names.
 *
 * @param command for instance `join` or `init phase certs ca`
 * @throws TypeError if there is no such command
 */
export function flagsOfCommand(command: string): readonly Flag[] {
  const family = families[command.split(' ')[0] ?? ''];
  const row = family?.commands.find((candidate) => candidate.command === command);
  if (family === undefined || row === undefined) {
    throw new TypeError(`Cannot list the flags of an unknown command: ${command}`);
  }
  return family.flags.filter((flag) => row.flags.includes(flag.name));
}

/** The commands of all workflows that take a flag. */
export function commandsOfFlag(name: string): readonly string[] {
  return Object.values(families).flatMap(({ commands }) =>
    commands.filter((row) => row.flags.includes(name)).map((row) => row.command),
  );
}

/**
 * True if a command detects the container runtime's socket. Commands without `--cri-socket` take the default socket,
 * as they do not use it (kubeadm, cmd/init.go, cmd/join.go, cmd/reset.go).
 */
export function detectsCriSocket(command: string): boolean {
  return takes(command, 'cri-socket');
}

/** True if a command of `join` asks the cluster who it is; the others work with what an earlier one left on the node. */
export function discovers(command: string): boolean {
  return takes(command, 'discovery-file');
}

function takes(command: string, flag: string): boolean {
  return flagsOfCommand(command).some(({ name }) => name === flag);
}
