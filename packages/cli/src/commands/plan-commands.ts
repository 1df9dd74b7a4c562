import type { CommandRow, FlagRow } from '../arguments/flag-row.ts';
import { type WorkflowCommands, workflowCommands } from './workflow-commands.ts';

const exitCodeFlag: FlagRow = {
  name: 'exit-code',
  type: 'bool',
  summary: 'End with 5 if a run would change something, with 4 if that cannot be told',
};

/** `plan WORKFLOW` takes what the workflow takes. */
export function planCommands(workflows: readonly WorkflowCommands[]): readonly CommandRow[] {
  return [
    { path: ['plan'], summary: 'Show what a workflow would do, and change nothing', flags: [], kind: 'group' },
    ...workflows.map((workflow): CommandRow => {
      const { flags, argument } = wholeOf(workflow);
      return {
        path: ['plan', workflow.workflow.name],
        summary: `Show what ${workflow.workflow.name} would do, and change nothing`,
        flags: [...withoutDryRun(flags), exitCodeFlag],
        kind: 'run',
        ...(argument === undefined ? {} : { argument }),
      };
    }),
  ];
}

/** `verify [PHASE]` takes what the workflow that it is told takes. */
export function verifyCommand(workflows: readonly WorkflowCommands[], workflowFlag: FlagRow): CommandRow {
  const flags = workflows.flatMap((workflow) => withoutDryRun(wholeOf(workflow).flags));
  return {
    path: ['verify'],
    summary: 'Hold what is there to what its phases demand of it, whoever made it',
    // The first workflow to have a flag describes it.
    flags: [...new Map([...flags.toReversed(), workflowFlag].map((flag) => [flag.name, flag])).values()].toSorted(
      (one, other) => (one.name < other.name ? -1 : 1),
    ),
    argument: { usage: '[PHASE]', maximum: 1 },
    kind: 'run',
  };
}

function wholeOf(workflow: WorkflowCommands): CommandRow {
  const [whole] = workflowCommands(workflow);
  if (whole === undefined) throw new TypeError(`Cannot plan '${workflow.workflow.name}' as it has no command`);
  return whole;
}

function withoutDryRun(flags: readonly FlagRow[]): readonly FlagRow[] {
  return flags.filter(({ name }) => name !== 'dry-run');
}
