import { decodeBase64 } from '@groundplane/pki';
import { kubeconfigError } from './error-codes.ts';
import type { Cluster, Kubeconfig, User } from './kubeconfig.ts';

/** What the current context of a kubeconfig amounts to. Embedded data come before files, as in client-go. */
export interface CurrentContext {
  readonly name: string;
  readonly cluster: string;
  readonly user: string;
  readonly server: string;
  /** PEM, if embedded or among the given files. */
  readonly certificateAuthority: string | undefined;
  /** Path of the file that holds it, if it is not embedded. */
  readonly certificateAuthorityFile: string | undefined;
  readonly clientCertificate: string | undefined;
  /** Path of the file that holds it, if it is not embedded. */
  readonly clientCertificateFile: string | undefined;
  readonly clientKey: string | undefined;
  readonly token: string | undefined;
  /** Paths that the current context refers to and whose contents it needs. */
  readonly files: readonly string[];
  /** True if the user has means of authentication of any kind, the ones not listed here included. */
  readonly hasCredentials: boolean;
}

/**
 * @param files contents of files that the kubeconfig may refer to, by path
 * @throws KUBECONFIG_CONTEXT_MISSING; KUBECONFIG_UNREADABLE for embedded data that are not base64
 */
export function currentContextOf(kubeconfig: Kubeconfig, files: Readonly<Record<string, string>> = {}): CurrentContext {
  const { name, clusterName, userName, cluster, user } = currentSectionsOf(kubeconfig);
  const paths: string[] = [];
  const content = (
    section: Readonly<Record<string, unknown>>,
    field: string,
    fileField = field.replace(/-data$/, ''),
  ) => {
    const data = section[field];
    if (typeof data === 'string' && data !== '') return field.endsWith('-data') ? decoded(data, field) : data;
    const path = section[fileField];
    if (typeof path !== 'string' || path === '') return undefined;
    paths.push(path);
    return files[path];
  };
  return {
    name,
    cluster: clusterName,
    user: userName,
    server: cluster.server ?? '',
    certificateAuthority: content(cluster, 'certificate-authority-data'),
    certificateAuthorityFile: fileOf(cluster, 'certificate-authority'),
    clientCertificate: content(user, 'client-certificate-data'),
    clientCertificateFile: fileOf(user, 'client-certificate'),
    clientKey: content(user, 'client-key-data'),
    token: content(user, 'token', 'tokenFile'),
    files: paths,
    hasCredentials: hasCredentials(user),
  };
}

/** What the file has about the cluster and the user of the current context, as it stands there. */
export interface CurrentSections {
  readonly name: string;
  readonly clusterName: string;
  readonly userName: string;
  readonly cluster: Cluster;
  readonly user: User;
}

/** @throws KUBECONFIG_CONTEXT_MISSING */
export function currentSectionsOf(kubeconfig: Kubeconfig): CurrentSections {
  const name = kubeconfig['current-context'];
  const context = kubeconfig.contexts.find((entry) => entry.name === name)?.context;
  if (context === undefined) throw missing('the current context', name);
  // What a file leaves out is empty, whatever the type says.
  const [clusterName, userName] = [context.cluster ?? '', context.user ?? ''];
  const cluster = kubeconfig.clusters.find((entry) => entry.name === clusterName)?.cluster;
  if (cluster === undefined) throw missing('the cluster of the current context', clusterName);
  const user = kubeconfig.users.find((entry) => entry.name === userName)?.user ?? {};
  return { name, clusterName, userName, cluster, user };
}

function fileOf(section: Cluster | User, field: 'certificate-authority' | 'client-certificate'): string | undefined {
  const { [`${field}-data`]: data, [field]: path } = section as Readonly<Record<string, unknown>>;
  return data || typeof path !== 'string' ? undefined : path || undefined;
}

/** The combinations that client-go can authenticate with. */
const credentialFields: readonly (readonly (readonly string[])[])[] = [
  [['token', 'tokenFile']],
  [['username'], ['password']],
  [
    ['client-certificate', 'client-certificate-data'],
    ['client-key', 'client-key-data'],
  ],
  [['exec']],
  [['auth-provider']],
];

function hasCredentials(user: Readonly<Record<string, unknown>>): boolean {
  return credentialFields.some((all) => all.every((oneOf) => oneOf.some((field) => Boolean(user[field]))));
}

function decoded(data: string, field: string): string {
  const bytes = decodeBase64(data);
  if (bytes === undefined)
    throw kubeconfigError('KUBECONFIG_UNREADABLE', `Cannot read the kubeconfig as '${field}' is not base64`, {
      hint: 'Embed the file anew: base64 -w 0 FILE',
    });
  return new TextDecoder('utf-8', { ignoreBOM: true }).decode(bytes);
}

function missing(what: string, name: string) {
  return kubeconfigError('KUBECONFIG_CONTEXT_MISSING', `Cannot use the kubeconfig as ${what} is not in it: '${name}'`, {
    hint: 'List what it holds: kubectl config get-contexts --kubeconfig FILE',
  });
}
