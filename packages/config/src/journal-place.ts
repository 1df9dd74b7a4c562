import { joinPath } from './kubelet-configuration.ts';
import { isAbsolutePath } from './text-grammars.ts';

/** A file or folder whose contents belong to others than the journal. */
export interface TakenPlace {
  /** Absolute path. */
  readonly path: string;
  /** What it is, to follow "which": `holds certificates and their keys`. */
  readonly use: string;
}

/** On every node, whatever the configuration says. */
export const takenPlaces: readonly TakenPlace[] = [
  { path: '/etc/kubernetes/manifests', use: 'holds the static pods that the kubelet runs' },
  { path: '/etc/kubernetes', use: 'holds the files of Kubernetes and is emptied by reset' },
  { path: '/var/lib/kubelet', use: 'the kubelet uses and reset empties' },
  { path: '/var/lib/etcd', use: 'holds the data of etcd and is emptied by reset' },
  { path: '/run/groundplane', use: 'holds the lock of commands' },
  { path: '/proc', use: 'belongs to the kernel' },
  { path: '/sys', use: 'belongs to the kernel' },
  { path: '/dev', use: 'holds devices' },
];

/**
 * Why a journal cannot be at a path, to follow "as".
 *
 * @param more places that are taken beside those of every node; the latter come first, so that whoever knows of more gives the same
 *   reason as whoever does not
 * @returns undefined if nothing speaks against it
 */
export function reasonAgainstJournalPath(path: string, more: readonly TakenPlace[]): string | undefined {
  if (!isAbsolutePath(path)) return 'it must be an absolute path';
  if (path.split('/').slice(1).some(isNoName)) return 'it must be the path of a file, without empty parts, . and ..';
  const places = [...takenPlaces, ...more];
  const within = places.find((place) => contains(joinPath(place.path, ''), path));
  if (within !== undefined)
    return `it must not be ${path === joinPath(within.path, '') ? '' : 'in '}${within.path}, which ${within.use}`;
  const below = places.find((place) => contains(path, joinPath(place.path, '')));
  return below && `it must be the path of a file, and ${below.path} is in it, which ${below.use}`;
}

function isNoName(part: string): boolean {
  return part === '' || part === '.' || part === '..' || part.includes('\0');
}

/** Whether a path is the folder or something in it. */
function contains(folder: string, path: string): boolean {
  return path === folder || path.startsWith(`${folder}/`);
}

/** What a cluster's configuration takes beside that. */
export function configuredPlaces(cluster: {
  readonly certificatesDir: string;
  readonly etcd: { readonly local?: { readonly dataDir: string } };
}): readonly TakenPlace[] {
  const dataDir = cluster.etcd.local?.dataDir ?? '';
  return [
    { path: cluster.certificatesDir, use: 'holds certificates and their keys' },
    { path: dataDir, use: 'holds the data of etcd' },
  ].filter(({ path }) => isAbsolutePath(path));
}
