import type { CommandRow, FlagRow, FlagType } from '../arguments/flag-row.ts';
import { programRow } from './command-row.ts';
import { configCommands } from './config-commands.ts';
import { outputFlag } from './output-flags.ts';

/** The part of a flag that the catalogue needs; the configuration's flag table has it. */
export interface FlagSource {
  readonly name: string;
  readonly shorthand?: string;
  readonly type: 'string' | 'bool' | 'int' | 'duration' | 'stringSlice';
  readonly default?: string | boolean | number | readonly string[];
  readonly help: string;
  readonly deprecated?: string;
  /** `not yet`: the configuration accepts it without doing anything about it. */
  readonly status?: 'works' | 'not yet';
}

/** The part of a workflow that the catalogue needs. */
export interface WorkflowSource {
  readonly name: string;
  readonly summary: string;
  readonly phases: readonly { readonly name: string; readonly summary: string; readonly hidden: boolean }[];
}

export interface CatalogOptions {
  readonly workflow: WorkflowSource;
  /** The commands that the flag table knows. A phase that it does not know gets the flags of the whole workflow. */
  readonly commands: readonly CommandSource[];
  /** The flags that those commands name. */
  readonly flags: readonly FlagSource[];
}

/** One command of the flag table. */
export interface CommandSource {
  /** Its words: `init phase certs ca`. */
  readonly command: string;
  /** Other spellings of the last word. */
  readonly aliases: readonly string[];
  /** Names of its flags. */
  readonly flags: readonly string[];
}

/** What parents of phases are about; a parent that is not listed is described by its children. */
const groupSummaries: Readonly<Record<string, string>> = {
  addon: 'Install the addons that a conformant cluster needs',
  certs: 'Generate certificates and keys',
  'control-plane': 'Write the static pod manifests of the control plane',
  etcd: 'Write the static pod manifest of a local etcd',
  kubeconfig: 'Write the kubeconfig files of the control plane and of the administrators',
  'kubelet-finalize': 'Change what the kubelet needs changed after its TLS bootstrap',
  'upload-config': 'Upload the configuration to ConfigMaps',
};

/** All commands, generated from the workflow: a phase that is added there appears here without a change. */
export function commandCatalog(options: CatalogOptions): readonly CommandRow[] {
  return [
    programRow,
    ...configCommands(options.flags.map(flagRow)),
    ...workflowCommands(options),
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

/** Flags of ours on phases of kubeadm that do without them there. */
const ownPhaseFlags: readonly { readonly phases: string; readonly flag: FlagRow }[] = [
  {
    phases: 'init phase control-plane',
    flag: { name: 'print-manifest', type: 'bool', summary: 'Print the static pod manifests and write nothing' },
  },
  {
    phases: 'init phase etcd',
    flag: { name: 'print-manifest', type: 'bool', summary: 'Print the static pod manifest and write nothing' },
  },
];

const workflowFlag: FlagRow = {
  name: 'workflow',
  type: 'string',
  choices: ['init'],
  default: 'init',
  summary: 'Which workflow',
};

function workflowCommands(options: CatalogOptions): readonly CommandRow[] {
  const { workflow } = options;
  const root = [workflow.name];
  const phases = workflow.phases.filter((phase) => !phase.hidden);
  const phasePath = (name: string) => [...root, 'phase', ...name.split('/')];
  const command = (path: readonly string[], summary: string): CommandRow => ({
    path,
    summary,
    flags: flagRows(path, options),
    kind: 'run',
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

function sourceOf(path: readonly string[], { commands }: CatalogOptions): CommandSource | undefined {
  return commands.find((source) => source.command === path.join(' '));
}

function flagRows(path: readonly string[], options: CatalogOptions): readonly FlagRow[] {
  const source = sourceOf(path, options) ?? sourceOf(path.slice(0, 1), options);
  const rows = options.flags.filter((flag) => source?.flags.includes(flag.name)).map(flagRow);
  const own = ownPhaseFlags.flatMap(({ phases, flag }) => (path.join(' ').startsWith(`${phases} `) ? [flag] : []));
  const more = [...own, outputFlag].filter(({ name }) => !rows.some((row) => row.name === name));
  return [...rows, ...more];
}

function parentsOf(name: string): readonly string[] {
  const parts = name.split('/');
  return parts.slice(0, -1).map((_, index) => parts.slice(0, index + 1).join('/'));
}

function aliasesOf(path: readonly string[], options: CatalogOptions): Pick<CommandRow, 'aliases'> {
  const aliases = sourceOf(path, options)?.aliases ?? [];
  return aliases.length === 0 ? {} : { aliases };
}

const flagTypes: Readonly<Record<FlagSource['type'], FlagType>> = {
  string: 'string',
  bool: 'bool',
  int: 'int32',
  duration: 'duration',
  stringSlice: 'strings',
};

/** What the command line itself does something about. */
const carriedOutHere: ReadonlySet<string> = new Set(['dry-run']);

function flagRow(flag: FlagSource): FlagRow {
  return {
    name: flag.name,
    ...(flag.shorthand === undefined ? {} : { short: flag.shorthand }),
    // kubeadm gave these flags a list type of their own, without quoting (cmd/options/argslice.go).
    type: flag.name.endsWith('-extra-args') ? 'arguments' : flagTypes[flag.type],
    summary: flag.help,
    ...(flag.default === undefined ? {} : { default: String(flag.default) }),
    ...(flag.deprecated === undefined ? {} : { deprecated: flag.deprecated, hidden: true }),
    ...(flag.status === 'not yet' && !carriedOutHere.has(flag.name) ? { withoutEffect: true } : {}),
  };
}
