import { initWorkflow, joinWorkflow, resetWorkflow } from '@groundplane/bootstrap';
import {
  initCommands,
  initFlags,
  joinCommands,
  joinFlags,
  resetCommands,
  resetFlags,
  tokenFlags,
} from '@groundplane/config';
import { commandCatalog } from '../commands/command-catalog.ts';
import { type CommandClass, describedCommandClass } from '../commands/command-class.ts';
import { commandId } from '../commands/command-row.ts';

const rows = commandCatalog({
  workflows: [
    { workflow: initWorkflow, commands: initCommands, flags: initFlags },
    { workflow: joinWorkflow, commands: joinCommands, flags: joinFlags },
    { workflow: resetWorkflow, commands: resetCommands, flags: resetFlags },
  ],
  token: tokenFlags,
});

/** Command id → class with all that the manifest is to hold. */
const commands: Readonly<Record<string, CommandClass>> = Object.fromEntries(
  rows
    .filter((row) => row.path.length > 0)
    .map((row, position) => [commandId(row.path), describedCommandClass(row, position)]),
);

export default commands;
