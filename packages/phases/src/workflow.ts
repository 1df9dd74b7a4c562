import { type Artifact, artifactOf, formatLocation, isOptional, type Layout, type Read } from './artifact.ts';
import { phasesError } from './error-codes.ts';
import type { AnyPhase } from './phase.ts';

/** An ordered list of phases over one configuration type, checked. */
export interface Workflow<in C> {
  readonly name: string;
  readonly summary: string;
  readonly layout: (config: C) => Layout;
  /** URL of this node's API server, for phases that connect `local`. */
  readonly localEndpoint?: ((config: C) => string) | undefined;
  /** How long API calls go on retrying passing faults, in milliseconds. */
  readonly apiTimeoutMs?: ((config: C) => number) | undefined;
  readonly phases: readonly AnyPhase<C>[];
}

export interface WorkflowDefinition<C> {
  readonly name: string;
  readonly summary: string;
  readonly layout: (config: C) => Layout;
  readonly localEndpoint?: (config: C) => string;
  readonly apiTimeoutMs?: (config: C) => number;
  readonly phases: readonly AnyPhase<NoInfer<C>>[];
}

const probeLayout: Layout = {
  kubernetes: '/etc/kubernetes',
  pki: '/etc/kubernetes/pki',
  kubelet: '/var/lib/kubelet',
  etcdData: '/var/lib/etcd',
  nodeName: 'node',
};

/**
 * Checks a workflow when it is loaded and returns it.
 *
 * @throws GroundplaneError PHASES_WORKFLOW_INVALID: a name given twice, two creators of one artifact, two artifacts at one
 * path or object, two artifacts of one id, a read that nothing earlier writes and that is not external, a cycle,
 * an amendment of something that nothing earlier creates
 */
export function defineWorkflow<C>(definition: WorkflowDefinition<C>): Workflow<C> {
  const refuse = (message: string, hint: string): never => {
    throw phasesError('PHASES_WORKFLOW_INVALID', `Cannot load workflow '${definition.name}' as ${message}`, { hint });
  };
  const { phases } = definition;
  const byName = new Map<string, AnyPhase<never>>();
  for (const phase of phases) {
    if (byName.has(phase.name)) refuse(`two phases have the name '${phase.name}'`, 'Give one of them another name');
    byName.set(phase.name, phase);
  }

  const creators = creatorsOf(phases, (artifact, first, second) =>
    refuse(
      `two phases create '${artifact.id}': ${first} and ${second}`,
      `Let one of them create it, and let the other declare it under 'amends' if it changes it later`,
    ),
  );

  const ids = new Map<string, Artifact<unknown>>();
  const places = new Map<string, string>();
  for (const artifact of phases.flatMap(artifactsOf)) {
    const known = ids.get(artifact.id);
    if (known !== undefined && known !== artifact) {
      refuse(`two different artifacts have the id '${artifact.id}'`, 'Define the artifact once and import it');
    }
    ids.set(artifact.id, artifact);
    const location = artifact.where(probeLayout);
    const place = `${location.kind} ${formatLocation(location)}`;
    const holder = places.get(place);
    if (holder !== undefined && holder !== artifact.id) {
      refuse(
        `'${holder}' and '${artifact.id}' are at the same place, ${place}`,
        'Move one of them, or make them one artifact',
      );
    }
    places.set(place, artifact.id);
  }

  const position = new Map(phases.map((phase, index) => [phase.name, index]));
  phases.forEach((phase, index) => {
    for (const read of requiredReads(phase)) {
      const creator = creators.get(read.id);
      if (creator === undefined) {
        if (read.external !== true) {
          refuse(
            `'${phase.name}' reads '${read.id}', which no phase writes`,
            `Add the phase that writes it, or mark the artifact 'external' if it comes from outside`,
          );
        }
        continue;
      }
      const at = position.get(creator) ?? -1;
      if (at < index || read.external === true) continue;
      const path = cyclePath(phase.name, creator, byName, creators);
      if (path !== undefined) {
        refuse(
          `its phases form a cycle: ${path.join(' → ')}`,
          'Split one of them so that each part reads only what is there before it',
        );
      }
      refuse(
        `'${phase.name}' reads '${read.id}', which is written only later by '${creator}'`,
        `Move '${creator}' before '${phase.name}'`,
      );
    }
    for (const amended of Object.values(phase.amends)) {
      const artifact = artifactOf(amended);
      const creator = creators.get(artifact.id);
      if (artifact.external === true) continue;
      if (creator === undefined || (position.get(creator) ?? index) >= index) {
        refuse(
          `'${phase.name}' amends '${artifact.id}', which nothing earlier creates`,
          'Let an earlier phase create it',
        );
      }
    }
  });

  return {
    name: definition.name,
    summary: definition.summary,
    layout: definition.layout,
    localEndpoint: definition.localEndpoint,
    apiTimeoutMs: definition.apiTimeoutMs,
    phases,
  };
}

/** All artifacts that a phase mentions, repeated where it mentions them repeatedly. */
export function artifactsOf(phase: AnyPhase<never>): readonly Artifact<unknown>[] {
  const entries: readonly Read[] = [
    ...Object.values(phase.reads),
    ...Object.values(phase.writes),
    ...Object.values(phase.amends),
  ];
  const connection = phase.connect === undefined ? [] : [phase.connect.kubeconfig as Artifact<unknown>];
  return [...entries.map(artifactOf), ...phase.removes, ...connection];
}

/** Artifact id → name of the phase that creates it. */
export function creatorsOf(
  phases: readonly AnyPhase<never>[],
  onSecond: (artifact: Artifact<unknown>, first: string, second: string) => void = () => {},
): ReadonlyMap<string, string> {
  const creators = new Map<string, string>();
  for (const phase of phases) {
    for (const entry of Object.values(phase.writes)) {
      const artifact = artifactOf(entry);
      const first = creators.get(artifact.id);
      if (first !== undefined) onSecond(artifact, first, phase.name);
      creators.set(artifact.id, phase.name);
    }
  }
  return creators;
}

/** What must be there before the phase runs; the kubeconfig that it connects with included. */
export function requiredReads(phase: AnyPhase<never>): readonly Artifact<unknown>[] {
  const required = Object.values(phase.reads)
    .filter((read) => !isOptional(read))
    .map(artifactOf);
  return phase.connect === undefined ? required : [...required, phase.connect.kubeconfig as Artifact<unknown>];
}

/** Follows required reads from `creator` back to `start`; the names on the way if there is one. */
function cyclePath(
  start: string,
  creator: string,
  byName: ReadonlyMap<string, AnyPhase<never>>,
  creators: ReadonlyMap<string, string>,
): readonly string[] | undefined {
  const seen = new Set<string>();
  const follow = (name: string, path: readonly string[]): readonly string[] | undefined => {
    if (name === start) return [...path, name];
    if (seen.has(name)) return undefined;
    seen.add(name);
    const phase = byName.get(name);
    for (const read of phase === undefined ? [] : requiredReads(phase)) {
      const next = creators.get(read.id);
      const found = next === undefined ? undefined : follow(next, [...path, name]);
      if (found !== undefined) return found;
    }
    return undefined;
  };
  return follow(creator, [start]);
}
