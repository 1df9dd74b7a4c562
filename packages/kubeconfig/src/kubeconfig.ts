import { messageOf } from '@groundplane/errors';
import { fieldTypeProblems, parseYaml, stringifyYaml } from '@groundplane/manifest';
import { encodeBase64 } from '@groundplane/pki';
import { kubeconfigError } from './error-codes.ts';
import { kubeconfigTypes } from './kubeconfig-types.ts';

export interface Cluster {
  readonly server?: string;
  /** base64 of PEM */
  readonly 'certificate-authority-data'?: string;
  readonly 'certificate-authority'?: string;
  readonly [field: string]: unknown;
}

export interface User {
  /** base64 of PEM */
  readonly 'client-certificate-data'?: string;
  readonly 'client-certificate'?: string;
  /** base64 of PEM */
  readonly 'client-key-data'?: string;
  readonly 'client-key'?: string;
  readonly token?: string;
  readonly tokenFile?: string;
  readonly [field: string]: unknown;
}

export interface Context {
  readonly cluster: string;
  readonly user: string;
  readonly [field: string]: unknown;
}

/** A kubeconfig document (Kubernetes: client-go/tools/clientcmd/api/v1). */
export interface Kubeconfig {
  readonly apiVersion: 'v1';
  readonly kind: 'Config';
  readonly clusters: readonly { readonly name: string; readonly cluster: Cluster }[];
  readonly contexts: readonly { readonly name: string; readonly context: Context }[];
  readonly 'current-context': string;
  readonly users: readonly { readonly name: string; readonly user: User }[];
}

export interface KubeconfigParts {
  readonly clusterName: string;
  /** URL */
  readonly server: string;
  /** PEM, embedded as it is; left out while the CA is not known yet. */
  readonly certificateAuthority?: string | undefined;
  readonly user: string;
  /** PEM */
  readonly clientCertificate?: string | undefined;
  /** PEM */
  readonly clientKey?: string | undefined;
  readonly token?: string | undefined;
}

/** A kubeconfig of one cluster, one user and one context `user@cluster`, which is the current one. */
export function buildKubeconfig(parts: KubeconfigParts): Kubeconfig {
  const { clusterName, server, user } = parts;
  const context = `${user}@${clusterName}`;
  return {
    apiVersion: 'v1',
    kind: 'Config',
    clusters: [
      { name: clusterName, cluster: { ...embedded('certificate-authority-data', parts.certificateAuthority), server } },
    ],
    contexts: [{ name: context, context: { cluster: clusterName, user } }],
    'current-context': context,
    users: [
      {
        name: user,
        user: {
          ...embedded('client-certificate-data', parts.clientCertificate),
          ...embedded('client-key-data', parts.clientKey),
          ...(parts.token === undefined ? {} : { token: parts.token }),
        },
      },
    ],
  };
}

/** The text of a kubeconfig in the form that kubeadm writes: YAML with sorted keys. */
export function stringifyKubeconfig(kubeconfig: Kubeconfig): string {
  return stringifyYaml(kubeconfig);
}

/**
 * Reads a kubeconfig. Fields that are not known here stay in it.
 *
 * @param text YAML or JSON
 * @throws KUBECONFIG_UNREADABLE
 */
export function parseKubeconfig(text: string): Kubeconfig {
  let document: unknown;
  try {
    document = parseYaml(text);
  } catch (cause) {
    throw unreadable(messageOf(cause), cause);
  }
  if (!isObject(document)) throw unreadable(`it is no mapping but ${document === null ? 'empty' : typeof document}`);
  const { kind = 'Config', apiVersion = 'v1', 'current-context': currentContext } = document;
  if (kind !== 'Config' || apiVersion !== 'v1')
    throw unreadable(`it is not of apiVersion v1 and kind Config: ${shown(apiVersion)}, ${shown(kind)}`);
  // What stands there may be a secret.
  const [wrong] = fieldTypeProblems({ types: kubeconfigTypes, root: 'Config' }, document);
  if (wrong !== undefined) throw unreadable(`'${wrong.path}' must ${wrong.must}`);
  return {
    ...document,
    apiVersion,
    kind,
    clusters: namedList(document, 'clusters', 'cluster') as Kubeconfig['clusters'],
    contexts: namedList(document, 'contexts', 'context') as Kubeconfig['contexts'],
    'current-context': typeof currentContext === 'string' ? currentContext : '',
    users: namedList(document, 'users', 'user') as Kubeconfig['users'],
  };
}

function namedList(document: Record<string, unknown>, field: string, member: string): readonly unknown[] {
  const list = document[field] ?? [];
  if (!Array.isArray(list)) throw unreadable(`'${field}' is no list`);
  const names = new Set<string>();
  return list.map((entry: unknown) => {
    const name = isObject(entry) ? (entry.name ?? '') : undefined;
    if (!isObject(entry) || typeof name !== 'string')
      throw unreadable(`an entry of '${field}' is no mapping with a name`);
    const value = entry[member] ?? {};
    if (!isObject(value)) throw unreadable(`'${member}' of '${name}' is no mapping`);
    if (names.has(name)) throw unreadable(`'${field}' has two entries of one name: '${name}'`);
    names.add(name);
    return { ...entry, name, [member]: value };
  });
}

function embedded<K extends string>(field: K, pem: string | undefined): { readonly [key in K]?: string } {
  if (pem === undefined) return {};
  return { [field]: encodeBase64(new TextEncoder().encode(pem)) } as { readonly [key in K]: string };
}

/** What stands where a word is expected; anything longer may be a secret. */
function shown(value: unknown): string {
  if (typeof value !== 'string') return value === null ? 'null' : Array.isArray(value) ? 'a list' : `a ${typeof value}`;
  return value.length > 40 ? `${value.slice(0, 4)}…` : value;
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function unreadable(why: string, cause?: unknown) {
  return kubeconfigError('KUBECONFIG_UNREADABLE', `Cannot read the kubeconfig as ${why}`, {
    hint: 'See what is wrong with it: kubectl config view --kubeconfig FILE',
    cause,
  });
}
