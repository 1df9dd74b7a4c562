import { stringifyYaml } from '@groundplane/manifest';
import type { ArtifactUse, Demand, PhaseDescription, WorkflowDescription } from '@groundplane/phases';
import { demandLine, endpoints, writeTraits } from './description-lines.ts';

/** A description of phases as Markdown, with the documents that they make. */
export function descriptionMarkdown({ workflow, summary, phases }: WorkflowDescription): readonly string[] {
  return [`## ${workflow}`, '', `${summary}.`, '', ...phases.flatMap(phaseLines)];
}

function phaseLines(phase: PhaseDescription): readonly string[] {
  const { command, configuration, connect, inapplicable, conditions } = phase;
  const called = command === undefined ? 'It has no command and runs where it is needed' : `Command: ${code(command)}`;
  return [
    `### ${phase.phase}`,
    '',
    `${phase.summary}. ${called}.`,
    '',
    ...(inapplicable === undefined ? [] : [`Not asked for: ${escaped(inapplicable)}.`, '']),
    ...(configuration.length === 0 ? [] : [`Configuration: ${configuration.map(code).join(', ')}.`, '']),
    ...(connect === undefined
      ? []
      : [`Connects with ${code(connect.kubeconfig)}, ${endpoints[connect.endpoint]}.`, '']),
    ...readLines(phase.reads),
    ...phase.writes.flatMap((use) => useLines('Writes', use)),
    ...phase.amends.flatMap((use) => useLines('Amends', use)),
    ...phase.removes.flatMap((use) => useLines('Removes', use)),
    ...(conditions.length === 0
      ? []
      : ['#### Asks of the machine and the cluster', '', ...conditions.flatMap((demand) => demandLines(demand)), '']),
  ];
}

function readLines(reads: readonly ArtifactUse[]): readonly string[] {
  if (reads.length === 0) return [];
  const demands = reads.flatMap((use) => use.demands.flatMap((demand) => demandLines(demand, `${code(use.place)}: `)));
  return [
    '| reads | what | from |',
    '| ----- | ---- | ---- |',
    ...reads.map((use) => `| ${[code(use.place), readText(use), originText(use)].join(' | ')} |`),
    '',
    ...demands,
    ...(demands.length > 0 ? [''] : []),
  ];
}

function readText({ description, format, optional }: ArtifactUse): string {
  return escaped([description, format, ...(optional ? ['may be absent'] : [])].join(', '));
}

function originText({ madeBy }: ArtifactUse): string {
  return madeBy === undefined ? 'elsewhere' : code(madeBy);
}

function useLines(verb: string, use: ArtifactUse): readonly string[] {
  const traits = verb === 'Removes' ? [] : writeTraits(use);
  const users = use.usedBy.length === 0 ? '' : ` Used by ${use.usedBy.map(code).join(', ')}.`;
  return [
    `#### ${verb} ${code(use.place)}`,
    '',
    `${code(use.id)}, ${escaped([use.description, ...traits].join('; '))}.${users}`,
    '',
    ...use.demands.flatMap((demand) => demandLines(demand)),
    '',
  ];
}

function demandLines(demand: Demand, prefix = ''): readonly string[] {
  const finding = demand.code === undefined ? '' : ` (${code(demand.code)})`;
  return [
    `- ${prefix}${escaped(demandLine(demand))}${finding}`,
    ...(demand.document === undefined ? [] : fenced('yaml', stringifyYaml(demand.document))),
    ...(demand.content === undefined ? [] : fenced('text', demand.content)),
  ];
}

/** A code block that belongs to the item of a list before it. */
function fenced(language: string, text: string): readonly string[] {
  const fence = text.includes('```') ? '````' : '```';
  const lines = text.replace(/\n$/, '').split('\n');
  return ['', ...[`${fence}${language}`, ...lines, fence].map((line) => (line === '' ? '' : `  ${line}`))];
}

function code(text: string): string {
  return `\`${text}\``;
}

/** What Markdown would take for more than text. */
function escaped(text: string): string {
  return text.replace(/[\\`*_<>[\]|]/g, (character) => `\\${character}`);
}
