import type { CommandRow } from '../arguments/flag-row.ts';
import { programRow } from './command-row.ts';
import { configCommands } from './config-commands.ts';
import { outputFlag } from './output-flags.ts';
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
  return [
    programRow,
    ...configCommands(workflows[0].flags.map(flagRow)),
    ...workflows.flatMap(workflowCommands),
    { path: ['phases'], summary: 'Show what a workflow consists of', flags: [], kind: 'group' },
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
    ...rbacCommands,
    ...tokenCommands(token.map(flagRow)),
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
}
