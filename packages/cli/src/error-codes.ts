import { errorFactory } from '@groundplane/errors';

/** Why a command line cannot be carried out. */
export const errorCodes = {
  CLI_UNKNOWN_COMMAND: {
    kind: 'usage',
    description: 'There is no such command, or a command that takes none was given an argument',
  },
  CLI_SUBCOMMAND_REQUIRED: {
    kind: 'usage',
    description: 'A parent command was called without one of its sub-commands',
  },
  CLI_TOO_MANY_ARGUMENTS: { kind: 'usage', description: 'A command was given more arguments than it takes' },
  CLI_ARGUMENT_INVALID: { kind: 'usage', description: 'An argument is missing, or cannot be used' },
  CLI_ARGUMENT_MISSING: { kind: 'usage', description: 'An argument that the command cannot do without was not given' },
  CLI_UNKNOWN_FLAG: { kind: 'usage', description: 'The command has no such flag' },
  CLI_FLAG_SYNTAX: { kind: 'usage', description: 'A word that begins with a dash is no flag' },
  CLI_FLAG_WITHOUT_VALUE: { kind: 'usage', description: 'A flag that needs a value stands at the end' },
  CLI_FLAG_VALUE: { kind: 'usage', description: 'A flag was given a value that it does not take' },
  CLI_FILE_UNREADABLE: { kind: 'usage', description: 'A file named on the command line cannot be read' },
  CLI_FLAG_MANDATORY: { kind: 'usage', description: 'A flag that the command cannot do without was not given' },
  CLI_FILE_UNWRITABLE: { kind: 'unavailable', description: 'A file named on the command line cannot be written' },
  CLI_CONFIGURATION_INVALID: {
    kind: 'usage',
    description: 'A configuration file does not pass validation; see the findings',
  },
  CLI_SCHEMA_UNKNOWN: { kind: 'usage', description: 'There is no schema of that name' },
  CLI_TEMPLATE_FAILED: { kind: 'usage', description: 'A template of --output cannot be read or does not fit' },
  CLI_PULL_FAILED: { kind: 'unavailable', description: 'An image could not be pulled' },
  CLI_PHASE_MISSING: { kind: 'usage', description: 'The command belongs to kubeadm, and is not in this release' },
  CLI_NOT_CONFIRMED: { kind: 'refused', description: 'A question that must be answered with yes was not' },
  CLI_STOPPED: { kind: 'unavailable', description: 'The process was told to stop, and no phase had begun' },
  CLI_OUTPUT_LOST: {
    kind: 'unavailable',
    description: 'The command is done, and a part of stdout could not be written',
  },
  CLI_PLAN_UNKNOWN: {
    kind: 'unavailable',
    description: 'With --exit-code it could not be told whether there is something to do',
  },
  CLI_STATUS_UNKNOWN: {
    kind: 'unavailable',
    description: 'With --exit-code it could not be told whether the machine is a finished node',
  },
  CLI_VERIFY_FAILED: { kind: 'conflict', description: 'What is there does not pass the verify of its phases' },
  CLI_VERIFY_INCOMPLETE: { kind: 'unavailable', description: 'Not all that was to be verified could be looked at' },
  CLI_JOURNAL_UNREADABLE: { kind: 'unavailable', description: 'The journal of the node cannot be read' },
  CLI_CERTIFICATES_UNREADABLE: {
    kind: 'unavailable',
    description: 'Not all certificates that were to be looked at can be read',
  },
  CLI_ANSWERS_REFUSED: {
    kind: 'conflict',
    description: 'Some of what a CA sent back was refused; the rest was put in place',
  },
  CLI_REQUESTS_LEFT: {
    kind: 'conflict',
    description: 'Some requests of kubelets were not signed; the others were',
  },
  CLI_PLUGIN_UNUSABLE: {
    kind: 'usage',
    description: 'A plugin cannot be loaded, or is not what the interface of plugins asks for',
  },
  CLI_PLUGINS_UNREADABLE: { kind: 'unavailable', description: 'It cannot be told which plugins are installed' },
  CLI_PLUGIN_NOT_INSTALLED: { kind: 'usage', description: 'There is no plugin of that name' },
  CLI_ENDED_EARLY: {
    kind: 'unavailable',
    description: 'Something that a command runs, such as a plugin, ended the process, never answered, or failed aside',
  },
  CLI_PLUGIN_COMMAND: { kind: 'unavailable', description: 'The command of a plugin failed' },
  CLI_PLUGIN_NOT_DONE: { kind: 'unavailable', description: 'A plugin could not be installed, linked or taken out' },
  CLI_SIGNER_UNKNOWN: { kind: 'usage', description: 'No plugin that is installed has the signer that is asked for' },
  CLI_SIGNER_PARAMETERS: { kind: 'usage', description: 'A signer cannot be made from its parameters' },
  CLI_PLAN_BLOCKED: { kind: 'conflict', description: 'A dry run found that the run would stop before its first write' },
} as const;

export const cliError = errorFactory(errorCodes);
