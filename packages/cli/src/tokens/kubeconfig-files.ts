import { dirname, isAbsolute, join } from 'node:path';
import { currentContextOf, type Kubeconfig, parseKubeconfig, stringifyKubeconfig } from '@groundplane/kubeconfig';
import { cliError } from '../error-codes.ts';
import type { NodeHost } from '../node-host.ts';

/** A kubeconfig file of which nothing depends on where it is any more. */
export interface LoadedKubeconfig {
  /** Its text, with the paths of this machine. */
  readonly text: string;
  /** URL of the API server of the current context. */
  readonly server: string;
  /** PEM of its CA, from wherever it is; undefined if there is none. */
  readonly certificateAuthority: string | undefined;
}

const clusterFields = ['certificate-authority'] as const;
const userFields = ['client-certificate', 'client-key', 'tokenFile'] as const;

/**
 * Paths in a kubeconfig count from the folder that it is in (client-go: tools/clientcmd, ResolveLocalPaths), and from the root
 * that `--rootfs` names.
 *
 * @throws GroundplaneError KUBECONFIG_UNREADABLE, KUBECONFIG_CONTEXT_MISSING, CLI_FILE_UNREADABLE for a CA that is not there
 */
export async function loadKubeconfig(
  { path, text }: { readonly path: string; readonly text: string },
  { host, locate }: NodeHost,
): Promise<LoadedKubeconfig> {
  const given = parseKubeconfig(text);
  const inside = (file: string) => (isAbsolute(file) ? file : join(dirname(path), file));
  const kubeconfig: Kubeconfig = {
    ...given,
    clusters: await each(given.clusters, async (entry) => ({
      ...entry,
      cluster: await withPaths(entry.cluster, clusterFields, async (file) => locate(inside(file))),
    })),
    users: await each(given.users, async (entry) => ({
      ...entry,
      user: await withPaths(entry.user, userFields, async (file) => locate(inside(file))),
    })),
  };
  const { server, certificateAuthority, certificateAuthorityFile: file } = currentContextOf(given);
  const loaded = { text: stringifyKubeconfig(kubeconfig), server };
  if (certificateAuthority !== undefined || file === undefined) return { ...loaded, certificateAuthority };
  const read = await host.files.read(inside(file));
  if (read === undefined) {
    throw cliError('CLI_FILE_UNREADABLE', `Cannot read the CA that ${path} names: there is no such file: ${file}`, {
      details: { path: file },
    });
  }
  return { ...loaded, certificateAuthority: new TextDecoder().decode(read.bytes) };
}

async function withPaths<T extends Readonly<Record<string, unknown>>>(
  section: T,
  fields: readonly string[],
  place: (file: string) => Promise<string>,
): Promise<T> {
  const changed = await each(
    fields.filter((field) => typeof section[field] === 'string' && section[field] !== ''),
    async (field) => [field, await place(String(section[field]))] as const,
  );
  return { ...section, ...Object.fromEntries(changed) };
}

async function each<T, R>(items: readonly T[], change: (item: T) => Promise<R>): Promise<readonly R[]> {
  return Promise.all(items.map(change));
}
