import type { CommandRow } from '../arguments/flag-row.ts';
import { certificateCommands } from './certificate-commands.ts';
import { programRow } from './command-row.ts';
import { configCommands } from './config-commands.ts';
import { exchangeCommands } from './exchange-commands.ts';
import { kubeletRequestCommands } from './kubelet-request-commands.ts';
import { nodeCommands } from './node-commands.ts';
import { outputFlag } from './output-flags.ts';
import { planCommands, verifyCommand } from './plan-commands.ts';
import { pluginCommands } from './plugin-commands.ts';
import { rbacCommands } from './rbac-commands.ts';
import { type FlagSource, flagRow } from './source-flags.ts';
import { tokenCommands } from './token-commands.ts';
import { type WorkflowCommands, workflowCommands } from './workflow-commands.ts';

export interface CatalogOptions {
  /** `init` first: some of its flags mean the same to `config`. */
  readonly workflows: readonly [WorkflowCommands, ...WorkflowCommands[]];
  /** The flags of `token create`. */
  readonly token: readonly FlagSource[];
}

/** All commands, generated from the workflows: a phase that is added there appears here without a change. */
export function commandCatalog({ workflows, token }: CatalogOptions): readonly CommandRow[] {
  const names = workflows.map(({ workflow }) => workflow.name);
  const workflowFlag = {
    name: 'workflow',
    type: 'string',
    choices: names,
    default: names[0] ?? '',
    summary: 'Which workflow',
  } as const;
  const rows: readonly CommandRow[] = [
    programRow,
    ...certificateCommands,
    ...exchangeCommands,
    ...kubeletRequestCommands,
    ...configCommands(workflows[0].flags.map(flagRow)),
    ...workflows.flatMap(workflowCommands),
    ...nodeCommands,
    { path: ['phases'], summary: 'Show what a workflow consists of', flags: [], kind: 'group' },
    {
      path: ['phases', 'describe'],
      summary: 'Tell what phases read and write, and what is demanded of it, so that another tool can take their place',
      argument: { usage: '[PHASE]', maximum: 1 },
      flags: [
        {
          name: 'config',
          type: 'string',
          summary: 'Configuration file whose values are shown; without it those of the defaults on an example node',
        },
        {
          ...outputFlag,
          choices: ['text', 'json', 'jsonl', 'markdown'],
          summary: 'How to print: text, json, jsonl or markdown',
        },
        workflowFlag,
      ],
      kind: 'run',
    },
    {
      path: ['phases', 'graph'],
      summary: 'Print which phase reads what which other phase writes',
      flags: [
        {
          ...outputFlag,
          choices: ['text', 'json', 'jsonl', 'dot'],
          summary: 'How to print: text, json, jsonl or dot (Graphviz)',
        },
        workflowFlag,
      ],
      kind: 'run',
    },
    {
      path: ['phases', 'list'],
      summary: 'List the phases of a workflow in their order',
      flags: [outputFlag, workflowFlag],
      kind: 'run',
    },
    ...planCommands(workflows),
    ...pluginCommands,
    ...rbacCommands,
    {
      path: ['schemas'],
      summary: 'List the JSON schemas of what commands print with -o json and -o jsonl, or print one of them',
      argument: { usage: '[NAME]', maximum: 1 },
      flags: [outputFlag],
      kind: 'run',
    },
    ...tokenCommands(token.map(flagRow)),
    verifyCommand(workflows, workflowFlag),
    {
      path: ['version'],
      summary: 'Print the version',
      // No choices: an unknown format is refused in kubeadm's words by the command.
      flags: [
        { name: 'output', short: 'o', type: 'string', summary: 'How to print: short, text, yaml, json or jsonl' },
      ],
      kind: 'run',
    },
  ];
  return rows.map(withOutput);
}

/** Parents of commands print help, which is data for who asks for it. */
function withOutput(row: CommandRow): CommandRow {
  return row.kind === 'run' || row.path.length === 0 ? row : { ...row, flags: [...row.flags, outputFlag] };
}
