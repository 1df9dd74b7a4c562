import type { ComponentStatus, NodeStatus } from '@groundplane/bootstrap';
import type { ArtifactStatus, PhaseStatus } from '@groundplane/phases';
import type { ProgramName } from '../invocation.ts';
import type { JournalOfNode } from '../journal-of-node.ts';
import { sourceText } from './configuration-source.ts';
import { userText } from './journal-lines.ts';

/** A status with what is known of the journal. */
export interface ShownStatus extends NodeStatus {
  readonly journal: Omit<JournalOfNode, 'journal'> & { readonly entries?: number; readonly damagedLines?: number };
}

const roles: Readonly<Record<NodeStatus['role'], string>> = {
  'control-plane': 'control-plane node',
  worker: 'worker',
  none: 'no node of a cluster',
  unknown: 'not to be told, as its files cannot be looked at',
};

/** A status for people: what the machine is, a line per phase, who else made something, what runs, and what to do. */
export function statusLines(status: ShownStatus, program: ProgramName): readonly string[] {
  const { node, role, state, configuration, phases, components, leftovers, journal, next } = status;
  const about = [
    ...(role === 'none' || role === 'unknown' ? [] : [state]),
    ...(configuration === undefined ? [] : [sourceText(configuration)]),
  ];
  return [
    `${node}: ${[roles[role], ...about].join(', ')}`,
    ...section('Phases', phaseLines(phases, program)),
    ...section('Made by somebody else', foreignLines(phases, journal)),
    ...section('Left here', leftovers),
    ...section('Components', componentLines(components)),
    ...section('Journal', journal === undefined ? [] : [journalLine(journal)]),
    ...section('Next', next === undefined ? [] : [nextLine(status, program)]),
  ];
}

function section(title: string, lines: readonly string[]): readonly string[] {
  return lines.length === 0 ? [] : ['', `${title}:`, ...lines.map((line) => `  ${line}`)];
}

function phaseLines(phases: readonly PhaseStatus[], program: ProgramName): readonly string[] {
  const width = Math.max(0, ...phases.map(({ phase }) => phase.length));
  return phases
    .filter(({ state }) => state !== 'inapplicable')
    .flatMap(({ phase, state, reason, command, advice }) => {
      const remedy = command === undefined ? advice : `${program} ${command}`;
      return [
        `${phase.padEnd(width)}  ${state}${reason === undefined ? '' : `: ${reason}`}`,
        ...(remedy !== undefined && (state === 'missing' || state === 'partly')
          ? [`${' '.repeat(width)}    ${remedy}`]
          : []),
      ];
    });
}

/** What is ours goes without saying, and of what nobody knows one line is enough. */
function foreignLines(phases: readonly PhaseStatus[], journal: ShownStatus['journal']): readonly string[] {
  const artifacts = phases.flatMap((phase) => phase.artifacts);
  const lines = artifacts.flatMap((artifact) => foreignLine(artifact) ?? []);
  const unknown = artifacts.filter(({ origin, kind }) => origin === 'unknown' && kind === 'file').length;
  const why = journal.state === 'read' ? 'the journal does not go so far back' : 'there is no journal to tell';
  return [...lines, ...(unknown === 0 ? [] : [`Of ${unknown} files it is not known who made them: ${why}`])];
}

function foreignLine({ origin, location, entry, managers }: ArtifactStatus): string | undefined {
  const by = managers === undefined ? '' : ` (managers: ${managers.join(', ')})`;
  if (origin === 'others') return `${location}${by}`;
  if (origin !== 'changed') return undefined;
  const since = entry === undefined ? '' : ` since ${[entry.time, userText(entry.user)].filter(Boolean).join(' by ')}`;
  return `${location}: changed${since}${by}`;
}

function componentLines(components: readonly ComponentStatus[]): readonly string[] {
  const width = Math.max(0, ...components.map(({ component }) => component.length));
  return components.map(
    ({ component, state, reason }) =>
      `${component.padEnd(width)}  ${state}${reason === undefined ? '' : `: ${reason}`}`,
  );
}

function journalLine({ state, path, reason, entries = 0, damagedLines = 0 }: ShownStatus['journal']): string {
  switch (state) {
    case 'read':
      return `${path}, ${entries} ${entries === 1 ? 'entry' : 'entries'}${damagedLines === 0 ? '' : `, ${damagedLines} damaged`}`;
    case 'absent':
      return `there is none at ${path}`;
    case 'unreadable':
      return `${reason}`;
    case 'disabled':
      return 'none is kept';
  }
}

function nextLine({ role, next, nextCommand }: ShownStatus, program: ProgramName): string {
  if (role === 'none') return `${program} init makes a control plane of it, ${program} join a worker of a cluster`;
  if (nextCommand !== undefined) return `${program} ${nextCommand} goes on`;
  const given =
    next === 'join' ? 'arguments that it was begun with' : 'configuration that it was begun with: --config FILE';
  return `${next} goes on, with the ${given}`;
}
