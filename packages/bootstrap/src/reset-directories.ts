import { joinPath } from '@groundplane/controlplane';
import type { Files } from '@groundplane/phases';
import { kubernetesDirectory, type ResetContext } from './reset-context.ts';
import { contains, refusalToEmpty } from './system-directories.ts';

export const kubeletDirectory = '/var/lib/kubelet';

interface ResetDirectory {
  readonly name: keyof ResetContext['directories'] | 'etcdPki';
  /** Absolute path as it is said. */
  readonly named: string;
  /** The same without symbolic links, as far as it is there. */
  readonly real: string;
  /** Whether everything in it goes, whoever put it there. */
  readonly isEmptied: boolean;
}

/** The folders of reset, but for that of etcd's data. */
export interface ResetDirectories {
  readonly directories: ResetContext['directories'];
  /** Paths of what must not be emptied with something else. */
  readonly kept: readonly string[];
  /** Paths of the folders in which nothing stays. */
  readonly emptied: readonly string[];
  /** What is wrong with one of them; absent if nothing is. */
  readonly refused?: { readonly path: string; readonly reason: string };
}

/**
 * Finds the folders that reset cleans up, and looks whether one is, or leads to, a folder that other things are in.
 *
 * @param certificatesDir absolute path
 * @param cleanupTmpDir whether the backups of upgrades go as well
 */
export async function resetDirectories(
  files: Pick<Files, 'realPath'>,
  certificatesDir: string,
  cleanupTmpDir: boolean,
): Promise<ResetDirectories> {
  const pki = joinPath(certificatesDir);
  const rows = [
    { name: 'kubernetes', named: kubernetesDirectory, isEmptied: false },
    // Of the certificates only files of known names go.
    { name: 'pki', named: pki, isEmptied: false },
    { name: 'etcdPki', named: joinPath(pki, 'etcd'), isEmptied: false },
    { name: 'kubelet', named: kubeletDirectory, isEmptied: true },
    { name: 'manifests', named: `${kubernetesDirectory}/manifests`, isEmptied: true },
    { name: 'temporary', named: `${kubernetesDirectory}/tmp`, isEmptied: cleanupTmpDir },
  ] as const;
  const found: readonly ResetDirectory[] = await Promise.all(
    rows.map(async (row) => ({
      ...row,
      real: (await files.realPath(row.named).catch(() => undefined)) ?? row.named,
    })),
  );
  const realOf = (name: ResetDirectory['name']) => found.find((row) => row.name === name)?.real ?? '';
  const refused = found
    .filter(({ name, isEmptied }) => isEmptied || name === 'pki')
    .map((row) => ({ path: row.real, reason: refusalToEmpty(row.real, keptBeside(row, found)) }))
    .find(({ reason }) => reason !== undefined) as ResetDirectories['refused'] | undefined;
  return {
    directories: {
      kubernetes: realOf('kubernetes'),
      pki: realOf('pki'),
      kubelet: realOf('kubelet'),
      manifests: realOf('manifests'),
      temporary: realOf('temporary'),
    },
    kept: [...new Set(found.flatMap(({ named, real }) => [real, named]))],
    emptied: found.filter(({ isEmptied }) => isEmptied).map(({ real }) => real),
    ...(refused === undefined ? {} : { refused }),
  };
}

/** What must not go with a folder: the other ones, unless they are said to be in it. */
function keptBeside({ name, named, isEmptied }: ResetDirectory, found: readonly ResetDirectory[]): readonly string[] {
  if (!isEmptied) return [];
  return found.filter((other) => other.name !== name && !contains(named, [other.named])).map(({ real }) => real);
}
