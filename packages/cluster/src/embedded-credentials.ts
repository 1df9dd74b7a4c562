import type { RequestOptions } from 'node:https';
import { currentContextOf, type Kubeconfig, parseKubeconfig } from '@groundplane/kubeconfig';

/** What a kubeconfig of the simplest kind comes to: everything that its current context needs stands in it. */
export interface EmbeddedCredentials {
  /** URL */
  readonly server: string;
  readonly options: Pick<RequestOptions, 'ca' | 'cert' | 'key' | 'headers'>;
}

/** Fields that can be used as they are, in the cluster and the user of the current context. */
const known: ReadonlySet<string> = new Set([
  'server',
  'certificate-authority-data',
  'client-certificate-data',
  'client-key-data',
  'token',
]);

/**
 * Reads a kubeconfig that holds a CA and a client certificate or a token, and nothing else: those of bootstrap are such. For them the
 * Kubernetes client, which takes longer to load than a request takes, is not needed.
 *
 * @returns undefined for every other kubeconfig, also one that cannot be read
 */
export function embeddedCredentials(text: string): EmbeddedCredentials | undefined {
  let kubeconfig: Kubeconfig;
  try {
    kubeconfig = parseKubeconfig(text);
    const { server, certificateAuthority, clientCertificate, clientKey, token } = currentContextOf(kubeconfig);
    const { cluster, user } = sectionsOf(kubeconfig);
    const isPlain = [cluster, user].every((section) => Object.keys(section).every((field) => known.has(field)));
    const isWhole =
      certificateAuthority !== undefined && (clientCertificate === undefined) === (clientKey === undefined);
    if (!isPlain || !isWhole) return undefined;
    return {
      server,
      options: {
        ca: certificateAuthority,
        ...(clientCertificate === undefined ? {} : { cert: clientCertificate }),
        ...(clientKey === undefined ? {} : { key: clientKey }),
        ...(token === undefined ? {} : { headers: { Authorization: `Bearer ${token.trim()}` } }),
      },
    };
  } catch {
    // Whoever can read more says what is wrong.
    return undefined;
  }
}

function sectionsOf(kubeconfig: Kubeconfig): { readonly cluster: object; readonly user: object } {
  const current = kubeconfig.contexts.find(({ name }) => name === kubeconfig['current-context'])?.context;
  return {
    cluster: kubeconfig.clusters.find(({ name }) => name === current?.cluster)?.cluster ?? {},
    user: kubeconfig.users.find(({ name }) => name === current?.user)?.user ?? {},
  };
}
