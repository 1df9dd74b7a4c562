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

/** Flags of workflows that are about doing alone: `verify` does without them. */
const aboutDoing: ReadonlySet<string> = new Set([
  'force',
  'signer-command',
  'skip-certificate-key-print',
  'skip-token-print',
]);

/** What flags that ask for something mean to `verify`, which holds what is there to it. */
const demandingFlags: Readonly<Record<string, string>> = {
  'cleanup-tmp-dir': 'The folder /etc/kubernetes/tmp is to be empty as well.',
  'upload-certs': 'The Secret kubeadm-certs is to hold the control plane certificates.',
};

/** `verify [PHASE]` takes what the workflow that it is told takes, as far as it is about what is to be there. */
export function verifyCommand(workflows: readonly WorkflowCommands[], workflowFlag: FlagRow): CommandRow {
  const flags = workflows
    .flatMap((workflow) => withoutDryRun(wholeOf(workflow).flags))
    .filter(({ name }) => !aboutDoing.has(name))
    .map((flag) => ({ ...flag, summary: demandingFlags[flag.name] ?? flag.summary }));
  const { default: _, ...withoutDefault } = workflowFlag;
  const whichWorkflow = { ...withoutDefault, summary: 'Which workflow; by itself that of the node, or else the first' };
  return {
    path: ['verify'],
    summary: 'Hold what is there to what its phases demand of it, whoever made it',
    // The first workflow to have a flag describes it.
    flags: [...new Map([...flags.toReversed(), whichWorkflow].map((flag) => [flag.name, flag])).values()].toSorted(
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
