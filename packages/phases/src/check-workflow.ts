import { type Artifact, artifactOf, formatLocation, isOptional, type Layout, type Location } from './artifact.ts';
import { artifactsOf, creatorsOf, isObservable, requiredReads } from './declarations.ts';
import { phasesError } from './error-codes.ts';
import type { AnyPhase } from './phase.ts';

/** Any layout will do to tell whether two artifacts are at one place and what kind of place it is. */
const probeLayout: Layout = {
  kubernetes: '/etc/kubernetes',
  pki: '/etc/kubernetes/pki',
  kubelet: '/var/lib/kubelet',
  etcdData: '/var/lib/etcd',
  nodeName: 'node',
};

type Phases = readonly AnyPhase<never>[];
type Refuse = (message: string, hint: string) => never;

/** @throws GroundplaneError PHASES_WORKFLOW_INVALID with the first contradiction */
export function checkWorkflow(name: string, phases: Phases): void {
  const refuse: Refuse = (message, hint) => {
    throw phasesError('PHASES_WORKFLOW_INVALID', `Cannot load workflow '${name}' as ${message}`, { hint });
  };
  checkNames(phases, refuse);
  const creators = creatorsOf(phases, (artifact, first, second) =>
    refuse(
      `two phases create '${artifact.id}': ${first} and ${second}`,
      `Let one of them create it, and let the other declare it under 'amends' if it changes it later`,
    ),
  );
  checkPlaces(phases, refuse);
  for (const phase of phases) checkMeans(phase, refuse);
  checkOrder(phases, creators, refuse);
}

function checkNames(phases: Phases, refuse: Refuse): void {
  const names = new Set<string>();
  for (const phase of phases) {
    if (names.has(phase.name)) refuse(`two phases have the name '${phase.name}'`, 'Give one of them another name');
    names.add(phase.name);
    const twice = Object.keys(phase.writes).find((key) => key in phase.amends);
    if (twice !== undefined)
      refuse(`'${phase.name}' has the key '${twice}' in writes and in amends`, 'Give one of them another key');
    const stranger = phase.serves?.find((served) => phases.every(({ name }) => name !== served));
    if (stranger !== undefined)
      refuse(`'${phase.name}' serves '${stranger}', which is no phase of it`, 'Name phases of the workflow');
  }
}

function checkPlaces(phases: Phases, refuse: Refuse): void {
  const ids = new Map<string, Artifact<unknown>>();
  const places = new Map<string, string>();
  for (const artifact of phases.flatMap(artifactsOf)) {
    const known = ids.get(artifact.id);
    if (known !== undefined && known !== artifact)
      refuse(`two different artifacts have the id '${artifact.id}'`, 'Define the artifact once and import it');
    ids.set(artifact.id, artifact);
    const location = artifact.where(probeLayout);
    if ('path' in location && !isNormal(location.path))
      refuse(
        `the path of '${artifact.id}' goes astray, ${location.path}`,
        "Write it without '.', '..' and doubled slashes",
      );
    const place = placeKey(location);
    const holder = places.get(place);
    if (holder !== undefined && holder !== artifact.id) {
      refuse(
        `'${holder}' and '${artifact.id}' are at the same place, ${place}`,
        'Move one of them, or make them one artifact',
      );
    }
    places.set(place, artifact.id);
  }
}

/** Whether a path is written in one way only. */
function isNormal(path: string): boolean {
  return (
    path === '/' ||
    path.split('/').every((part, index) => (part !== '' || index === 0) && part !== '.' && part !== '..')
  );
}

/** A file and a directory share the name space of paths; objects of one kind and name may differ in their group. */
function placeKey(location: Location): string {
  const text = formatLocation(location);
  if (location.kind === 'object') return `${location.reference.apiVersion} ${text}`;
  if (location.kind === 'objects') return `${location.family.apiVersion} ${text}`;
  return location.kind === 'state' ? `state ${text}` : text;
}

/** Refuses what a phase could not do with what it declares. */
function checkMeans(phase: AnyPhase<never>, refuse: Refuse): void {
  const kindOf = (artifact: Artifact<unknown>) => artifact.where(probeLayout).kind;
  const connect = `Say how the phase connects, under 'connect'`;
  if (phase.connect !== undefined && kindOf(phase.connect.kubeconfig as Artifact<unknown>) !== 'file')
    refuse(`'${phase.name}' connects with '${phase.connect.kubeconfig.id}', which is not a file`, connect);
  for (const entry of Object.values(phase.reads)) {
    const artifact = artifactOf(entry);
    // Whoever connects by itself looks by itself, so that the engine hands over nothing.
    const looksItself = isOptional(entry) && phase.uses.includes('clusters');
    if (['object', 'objects', 'list'].includes(kindOf(artifact)) && phase.connect === undefined && !looksItself)
      refuse(`'${phase.name}' reads the object '${artifact.id}' without a connection`, connect);
  }
  for (const artifact of phase.removes) {
    if (kindOf(artifact) === 'state' || (kindOf(artifact) === 'object' && phase.connect === undefined))
      refuse(
        `'${phase.name}' removes '${artifact.id}', which the engine has no means to remove`,
        kindOf(artifact) === 'object' ? connect : `Remove it in the 'run' of an effect`,
      );
  }
  if (phase.kind === 'effect') return;
  for (const entry of [...Object.values(phase.writes), ...Object.values(phase.amends)]) {
    const artifact = artifactOf(entry);
    if (!isObservable(phase, artifact, probeLayout) || kindOf(artifact) === 'list')
      refuse(
        `'${phase.name}' is pure, and '${artifact.id}' cannot be written by the engine`,
        kindOf(artifact) === 'object' ? connect : 'Make the phase an effect',
      );
  }
  for (const entry of Object.values(phase.writes)) {
    const artifact = artifactOf(entry);
    if (artifact.policy === 'observe')
      refuse(
        `'${phase.name}' is pure, and '${artifact.id}' is only observed`,
        'Make the phase an effect that waits for it, or give the artifact another policy',
      );
  }
}

function checkOrder(phases: Phases, creators: ReadonlyMap<string, string>, refuse: Refuse): void {
  const byName = new Map(phases.map((phase) => [phase.name, phase]));
  const position = new Map(phases.map((phase, index) => [phase.name, index]));
  phases.forEach((phase, index) => {
    for (const read of requiredReads(phase, creators)) {
      if (read.external === true) continue;
      const creator = creators.get(read.id);
      if (creator === undefined) {
        refuse(
          `'${phase.name}' reads '${read.id}', which no phase writes`,
          `Add the phase that writes it, or mark the artifact 'external' if it comes from outside`,
        );
      }
      if ((position.get(creator) ?? -1) < index) continue;
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
    for (const entry of Object.values(phase.amends)) {
      const artifact = artifactOf(entry);
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
    for (const read of phase === undefined ? [] : requiredReads(phase, creators)) {
      const next = creators.get(read.id);
      const found = next === undefined ? undefined : follow(next, [...path, name]);
      if (found !== undefined) return found;
    }
    return undefined;
  };
  return follow(creator, [start]);
}
