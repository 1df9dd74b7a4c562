import type { ArtifactUse, Location, PhaseDescription } from '../packages/phases/dist/index.js';
import type { ApiRequest } from './api-audit.ts';
import type { FileAccess } from './file-trace.ts';

/** Folders of a node that belong to Kubernetes: what is in them is declared. */
const watched = ['/etc/kubernetes', '/var/lib/kubelet', '/var/lib/etcd'];

/** What a command may do to the node and the cluster. */
export interface DeclaredUse {
  /** Paths that its phases write, change or remove. */
  readonly changed: readonly string[];
  /** Paths that they read, and those that are judged with them as the phase that makes them would. */
  readonly read: readonly string[];
  /** Paths of what is only looked for, with what is below a folder. */
  readonly looked: readonly string[];
  readonly objects: readonly Location[];
  readonly changedObjects: readonly Location[];
}

type Located = Pick<ArtifactUse, 'location'>;

interface Surroundings {
  readonly all: readonly PhaseDescription[];
  /** What is read before the phases, whichever of them run. */
  readonly first: readonly Location[];
  /** What is only looked for before the phases that run. */
  readonly looked: readonly Location[];
}

const usesOf = ({ reads, writes, amends, removes }: PhaseDescription): readonly ArtifactUse[] => [
  ...reads,
  ...writes,
  ...amends,
  ...removes,
];

/**
 * What is declared by the phases of a command: their own artifacts, and for reading those that the makers of what they read declare,
 * as what somebody else may have made is held to the verify of its phase.
 */
export function declaredUse(running: readonly PhaseDescription[], { all, first, looked }: Surroundings): DeclaredUse {
  const own = running.flatMap(usesOf);
  const changes = running.flatMap(({ writes, amends, removes }) => [...writes, ...amends, ...removes]);
  const makers = new Set(running.flatMap(({ reads, amends }) => [...reads, ...amends]).map(({ madeBy }) => madeBy));
  const before = first.map((location) => ({ location }));
  const judged = all.filter(({ phase }) => makers.has(phase)).flatMap(usesOf);
  return {
    changed: pathsOf(changes),
    read: pathsOf([...own, ...judged, ...before]),
    looked: pathsOf(looked.map((location) => ({ location }))),
    objects: locationsInCluster([...own, ...before]),
    changedObjects: locationsInCluster(changes),
  };
}

function pathsOf(uses: readonly Located[]): readonly string[] {
  return uses.flatMap(({ location }) =>
    location.kind === 'file' || location.kind === 'directory' ? [location.path] : [],
  );
}

function locationsInCluster(uses: readonly Located[]): readonly Location[] {
  return uses
    .map(({ location }) => location)
    .filter(({ kind }) => kind === 'object' || kind === 'objects' || kind === 'list');
}

/** Accesses that are not declared, as `open /etc/kubernetes/x`. */
export function undeclaredFiles(
  accesses: readonly FileAccess[],
  { changed, read, looked }: DeclaredUse,
): readonly string[] {
  const isAllowed = ({ deed, path }: FileAccess) => {
    // Files appear under their name by being renamed; folders on the way to them are made, and synchronised.
    const isOnTheWay = (declared: string) => declared === path || declared.startsWith(`${path}/`);
    if (changed.some((declared) => isOnTheWay(declared) || isTemporary(path, declared))) return true;
    if (deed === 'look' && looked.some((declared) => isOnTheWay(declared) || path.startsWith(`${declared}/`)))
      return true;
    return deed !== 'change' && read.some(isOnTheWay);
  };
  const wrong = accesses
    .filter(({ path }) => watched.some((folder) => path === folder || path.startsWith(`${folder}/`)))
    .filter((access) => !isAllowed(access))
    .map(({ deed, path }) => `${deed} ${path}`);
  return [...new Set(wrong)].toSorted();
}

function isTemporary(path: string, declared: string): boolean {
  const folder = declared.slice(0, declared.lastIndexOf('/'));
  const name = declared.slice(folder.length + 1);
  return path.startsWith(`${folder}/.`) && path.slice(folder.length + 2).startsWith(name);
}

/** Paths of the API at which health and versions are told; they are no objects. */
const healthPaths = /^\/(?:livez|readyz|healthz|version)\/?$/;

/** Requests that are not declared, as `patch configmaps kube-system/x`. */
export function undeclaredRequests(
  requests: readonly ApiRequest[],
  { objects, changedObjects }: DeclaredUse,
): readonly string[] {
  const isAllowed = (request: ApiRequest) => {
    if (request.resource === undefined) return request.verb === 'get' && healthPaths.test(request.path);
    const isRead = ['get', 'list', 'watch'].includes(request.verb);
    return (isRead ? objects : changedObjects).some((location) => covers(location, request));
  };
  const wrong = requests
    .filter((request) => !isAllowed(request))
    .map(({ verb, resource, namespace, name, path }) =>
      resource === undefined ? `${verb} ${path}` : `${verb} ${resource} ${namespace ?? ''}/${name ?? ''}`,
    );
  return [...new Set(wrong)].toSorted();
}

function covers(location: Location, { verb, apiVersion, resource, namespace, name }: ApiRequest): boolean {
  const isOf = (kind: { readonly apiVersion: string; readonly kind: string; readonly namespace?: string }) =>
    kind.apiVersion === apiVersion && resourceOf(kind.kind) === resource && kind.namespace === namespace;
  switch (location.kind) {
    case 'object':
      // Creation, and a list or a watch of one object, have its name in the body or in a selector.
      return isOf(location.reference) && (name === undefined || name === location.reference.name);
    case 'objects':
      return isOf(location.family) && (name === undefined || name.startsWith(location.family.prefix));
    case 'list':
      return isOf(location.query) && (verb === 'list' || verb === 'watch');
    default:
      return false;
  }
}

function resourceOf(kind: string): string {
  const lower = kind.toLowerCase();
  return lower.endsWith('s') ? lower : `${lower}s`;
}
