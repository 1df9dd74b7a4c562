import type { CommandRow, FlagRow } from '../arguments/flag-row.ts';
import { outputFlag } from './output-flags.ts';
import { signerCommandFlag } from './signer-flag.ts';
import { type FlagSource, flagRow } from './source-flags.ts';

interface PhaseSource {
  readonly name: string;
  readonly summary: string;
  readonly hidden: boolean;
}

/** The part of a workflow that the catalogue needs. */
export interface WorkflowSource {
  readonly name: string;
  readonly summary: string;
  readonly phases: readonly PhaseSource[];
}

/** One command of the configuration's command tables. */
export interface CommandSource {
  /** Its words: `init phase certs ca`. */
  readonly command: string;
  /** Other spellings of the last word. */
  readonly aliases: readonly string[];
  /** Names of its flags. */
  readonly flags: readonly string[];
  /** Name of the one argument that it may be given; empty if that is accepted and of no use. */
  readonly argument?: string;
  readonly group: boolean;
}

/** A workflow and what its commands take. */
export interface WorkflowCommands {
  readonly workflow: WorkflowSource;
  /** The commands that the table knows. A phase that it does not know gets the flags of the whole workflow. */
  readonly commands: readonly CommandSource[];
  /** The flags that those commands name. */
  readonly flags: readonly FlagSource[];
}

/** What parents of phases are about; a parent that is not listed is described by its children. */
const groupSummaries: Readonly<Record<string, string>> = {
  addon: 'Install the addons that a conformant cluster needs',
  certs: 'Generate certificates and keys',
  'control-plane': 'Write the static pod manifests of the control plane',
  'control-plane-join': 'Make a joined node part of the control plane',
  'control-plane-prepare': 'Prepare a node to become part of the control plane',
  etcd: 'Write the static pod manifest of a local etcd',
  kubeconfig: 'Write the kubeconfig files of the control plane and of the administrators',
  'kubelet-finalize': 'Change what the kubelet needs changed after its TLS bootstrap',
  'upload-config': 'Upload the configuration to ConfigMaps',
};

/** Flags of ours on phases of kubeadm that do without them there. */
const ownPhaseFlags: readonly { readonly phases: string; readonly flag: FlagRow }[] = [
  ...['init phase certs', 'init phase kubeconfig'].map((phases) => ({ phases, flag: signerCommandFlag })),
  {
    phases: 'init phase control-plane',
    flag: { name: 'print-manifest', type: 'bool', summary: 'Print the static pod manifests and write nothing' },
  },
  {
    phases: 'init phase etcd',
    flag: { name: 'print-manifest', type: 'bool', summary: 'Print the static pod manifest and write nothing' },
  },
  {
    // kubeadm has it on each addon, and not on all of them together.
    phases: 'init phase addon',
    flag: { name: 'print-manifest', type: 'bool', summary: 'Print the manifests of the addons and apply nothing' },
  },
];

/** The commands of a workflow: the whole, its phases, and the parents of phases. */
export function workflowCommands(options: WorkflowCommands): readonly CommandRow[] {
  const { workflow } = options;
  const root = [workflow.name];
  const phases = withMissing(options).filter((phase) => !phase.hidden);
  const phasePath = (name: string) => [...root, 'phase', ...name.split('/')];
  const command = (path: readonly string[], summary: string): CommandRow => ({
    path,
    summary,
    flags: flagRows(path, options),
    kind: 'run',
    ...argumentOf(path, options),
    ...aliasesOf(path, options),
  });
  const groups = [...new Set(phases.flatMap(({ name }) => parentsOf(name)))].flatMap((group): readonly CommandRow[] => {
    const children = phases.flatMap(({ name }) => (name.startsWith(`${group}/`) ? [name.slice(group.length + 1)] : []));
    const path = phasePath(group);
    const summary = groupSummaries[group] ?? `Phases of ${group}: ${children.join(', ')}`;
    const parent: CommandRow = { path, summary, flags: [], kind: 'group', ...aliasesOf(path, options) };
    // kubeadm has no `all` where its table says so (etcd); groups that the table does not know get one.
    const known = children.some((child) => sourceOf([...path, child], options) !== undefined);
    const all = [...path, 'all'];
    if (known && sourceOf(all, options) === undefined) return [parent];
    return [parent, command(all, `Run all of ${group}: ${children.join(', ')}`)];
  });
  return [
    command(root, workflow.summary),
    { path: [...root, 'phase'], summary: `Run one phase of ${workflow.name}`, flags: [], kind: 'group' },
    ...groups,
    ...phases.map((phase) => command(phasePath(phase.name), phase.summary)),
  ];
}

/** The phases of a workflow, and at their places those of kubeadm that it does not have. */
function withMissing({ workflow, commands }: WorkflowCommands): readonly PhaseSource[] {
  const all = [...workflow.phases];
  let at = -1;
  for (const name of phasesOfTable(workflow.name, commands)) {
    const found = all.findIndex((phase) => phase.name === name);
    if (found >= 0) at = found;
    else all.splice(++at, 0, { name, summary: 'Not in this release', hidden: false });
  }
  return all;
}

/** `certs/ca` for each leaf of a table. */
function phasesOfTable(workflow: string, commands: readonly CommandSource[]): readonly string[] {
  const start = `${workflow} phase `;
  return commands
    .filter(({ command, group }) => !group && command.startsWith(start) && !command.endsWith(' all'))
    .map(({ command }) => command.slice(start.length).replaceAll(' ', '/'));
}

function sourceOf(path: readonly string[], { commands }: WorkflowCommands): CommandSource | undefined {
  return commands.find((source) => source.command === path.join(' '));
}

/** A phase that the table does not know is like the whole workflow. */
function sourceOrWhole(path: readonly string[], options: WorkflowCommands): CommandSource | undefined {
  return sourceOf(path, options) ?? sourceOf(path.slice(0, 1), options);
}

function flagRows(path: readonly string[], options: WorkflowCommands): readonly FlagRow[] {
  const source = sourceOrWhole(path, options);
  const rows = options.flags.filter((flag) => source?.flags.includes(flag.name)).map(flagRow);
  const words = path.join(' ');
  const own = [
    ...ownPhaseFlags.flatMap(({ phases, flag }) => (words.startsWith(`${phases} `) ? [flag] : [])),
    ...(words === 'init' ? [signerCommandFlag] : []),
  ];
  const more = [...own, outputFlag].filter(({ name }) => !rows.some((row) => row.name === name));
  return [...rows, ...more];
}

function argumentOf(path: readonly string[], options: WorkflowCommands): Pick<CommandRow, 'argument'> {
  const name = sourceOrWhole(path, options)?.argument;
  return name === undefined ? {} : { argument: { usage: name === '' ? '' : `[${name}]`, maximum: 1 } };
}

function parentsOf(name: string): readonly string[] {
  const parts = name.split('/');
  return parts.slice(0, -1).map((_, index) => parts.slice(0, index + 1).join('/'));
}

function aliasesOf(path: readonly string[], options: WorkflowCommands): Pick<CommandRow, 'aliases'> {
  const aliases = sourceOf(path, options)?.aliases ?? [];
  return aliases.length === 0 ? {} : { aliases };
}
