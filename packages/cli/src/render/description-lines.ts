import type { ArtifactUse, Demand, PhaseDescription, WorkflowDescription } from '@groundplane/phases';

/** A description of phases for people. Whole documents are left to data and Markdown. */
export function descriptionLines({ phases }: WorkflowDescription): readonly string[] {
  return phases.flatMap((phase, index) => [...(index === 0 ? [] : ['']), ...phaseLines(phase)]);
}

function phaseLines(phase: PhaseDescription): readonly string[] {
  const { command, configuration, connect, inapplicable, conditions } = phase;
  return [
    `${phase.phase}: ${phase.summary}`,
    `  ${command === undefined ? 'has no command; it runs where it is needed' : `command        ${command}`}`,
    ...(inapplicable === undefined ? [] : [`  not asked for  ${inapplicable}`]),
    ...(configuration.length === 0 ? [] : [`  configuration  ${configuration.join(', ')}`]),
    ...(connect === undefined ? [] : [`  connects       with ${connect.kubeconfig}, ${endpoints[connect.endpoint]}`]),
    ...phase.reads.flatMap((use) => useLines('reads', use, readTraits(use))),
    ...phase.writes.flatMap((use) => useLines('writes', use, writeTraits(use))),
    ...phase.amends.flatMap((use) => useLines('amends', use, [...writeTraits(use), ...origin(use)])),
    ...phase.removes.flatMap((use) => useLines('removes', use, use.madeBy === undefined ? [] : origin(use))),
    ...(conditions.length === 0 ? [] : ['  asks of the machine and the cluster']),
    ...conditions.map((demand) => `    ${demandLine(demand)}`),
  ];
}

/** Which server a phase talks to. */
export const endpoints = {
  local: 'at the API server of this node',
  'as-written': 'at the server that it names',
} as const;

function useLines(verb: string, { place, demands }: ArtifactUse, traits: readonly string[]): readonly string[] {
  return [
    `  ${verb.padEnd('configuration'.length)}  ${[place, ...(traits.length === 0 ? [] : [traits.join(', ')])].join(': ')}`,
    ...demands.map((demand) => `    ${demandLine(demand)}`),
  ];
}

/** What whoever writes an artifact has to know without looking into it. */
export function writeTraits({ format, mode, maxMode, owner, secret, optional }: ArtifactUse): readonly string[] {
  const most = maxMode === undefined || maxMode === mode ? '' : ` (at most ${maxMode})`;
  return [
    format,
    ...(mode === undefined ? [] : [`mode ${mode}${most}`]),
    ...(owner === undefined ? [] : [`owner ${owner}`]),
    ...(secret ? ['secret'] : []),
    ...(optional ? ['may be absent'] : []),
  ];
}

/** What whoever reads it has to know. */
function readTraits(use: ArtifactUse): readonly string[] {
  return [use.format, ...(use.optional ? ['may be absent'] : []), ...origin(use)];
}

function origin({ madeBy }: ArtifactUse): readonly string[] {
  return [madeBy === undefined ? 'made by no phase' : `made by ${madeBy}`];
}

/** `must`: without it what follows does not run · `should`: it is said · neither: how the phase makes it. */
export function demandLine({ severity, text }: Demand): string {
  const words = { error: 'must: ', warning: 'should: ' };
  return `${severity === undefined ? '' : words[severity]}${text}`;
}
