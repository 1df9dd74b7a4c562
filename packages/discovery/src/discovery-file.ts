import { isGroundplaneError, messageOf } from '@groundplane/errors';
import {
  type Cluster,
  currentContextOf,
  type Kubeconfig,
  parseKubeconfig,
  tlsBootstrapUser,
  type User,
} from '@groundplane/kubeconfig';
import { encodeBase64 } from '@groundplane/pki';
import { clusterOf, httpsServer } from './cluster-info.ts';
import type { ReadFile } from './discovery-ports.ts';
import { discoveryError } from './error-codes.ts';

/** A discovery file in which nothing refers to other files any more. */
export interface DiscoveryFile {
  /** One cluster, one context and at most one user: the current ones of the file. */
  readonly kubeconfig: Kubeconfig;
  readonly hasCredentials: boolean;
  /** What of this machine it has read or run, by the names of its fields: `client-key`, `exec`. */
  readonly refersTo: readonly string[];
}

/**
 * Reads a discovery file and takes in what it refers to: CA, client certificate, key and token (kubeadm: discovery/file). A
 * file of one cluster without name and without context, which is what cluster-info holds, is one without credentials.
 *
 * @param text YAML or JSON
 * @param options.path what errors call it: a path or a URL
 * @throws DISCOVERY_FILE_INVALID, DISCOVERY_FILE_UNREADABLE for a file that it refers to
 */
export async function readDiscoveryFile(
  text: string,
  options: { readonly path: string; readonly readFile: ReadFile },
): Promise<DiscoveryFile> {
  const { path } = options;
  try {
    const whole = parseKubeconfig(text);
    const entry = whole.contexts.find(({ name }) => name === whole['current-context']);
    const user = whole.users.find(({ name }) => name === entry?.context.user);
    const cluster = clusterOf(whole);
    if (cluster === undefined) throw invalid(path, 'it has no current cluster');
    if (entry !== undefined && user === undefined)
      throw invalid(path, `it has no user '${entry.context.user ?? ''}', whom its current context names`);
    const broken = brokenRule(cluster, user?.user ?? {});
    if (broken !== undefined) throw invalid(path, broken);
    const context = entry?.context ?? { cluster: 'kubernetes', user: tlsBootstrapUser };
    const clusterName = context.cluster || 'kubernetes';
    const name = entry?.name ?? `${context.user}@${clusterName}`;
    const kubeconfig: Kubeconfig = {
      apiVersion: 'v1',
      kind: 'Config',
      clusters: [{ name: clusterName, cluster: await embedded(cluster, clusterFiles, options) }],
      contexts: [{ name, context: { ...context, cluster: clusterName } }],
      'current-context': name,
      users: user === undefined ? [] : [{ ...user, user: await embedded(user.user, userFiles, options) }],
    };
    const { token, hasCredentials } = currentContextOf(kubeconfig);
    if (token !== undefined && unsendable.test(token)) {
      throw invalid(path, 'its token holds a line end or another character that no request can carry');
    }
    return { kubeconfig, hasCredentials, refersTo: localFields(cluster, user?.user ?? {}) };
  } catch (thrown) {
    if (!isGroundplaneError(thrown) || thrown.code.startsWith('DISCOVERY_')) throw thrown;
    throw invalid(path, `it is no kubeconfig: ${messageOf(thrown)}`);
  }
}

interface Rule {
  readonly breaks: (cluster: Cluster, user: User) => boolean;
  readonly why: string;
}

const has = (section: Readonly<Record<string, unknown>>, field: string) => Boolean(section[field]);
const execOf = (user: User): Readonly<Record<string, unknown>> => (user.exec ?? {}) as Record<string, unknown>;

/** What client-go's Validate and a secure connection ask for (client-go: tools/clientcmd/validation.go). */
const rules: readonly Rule[] = [
  {
    breaks: ({ server = '' }) => httpsServer(server) === undefined,
    why: 'the server of its current cluster is no https URL of a host and a port',
  },
  {
    breaks: (cluster) => has(cluster, 'certificate-authority') && has(cluster, 'certificate-authority-data'),
    why: 'certificate-authority and certificate-authority-data are both given',
  },
  {
    breaks: (cluster) =>
      has(cluster, 'insecure-skip-tls-verify') &&
      (has(cluster, 'certificate-authority') || has(cluster, 'certificate-authority-data')),
    why: 'a CA is given, and insecure-skip-tls-verify as well',
  },
  {
    breaks: (_, user) => has(user, 'client-certificate') && has(user, 'client-certificate-data'),
    why: 'client-certificate and client-certificate-data are both given',
  },
  {
    breaks: (_, user) => has(user, 'client-key') && has(user, 'client-key-data'),
    why: 'client-key and client-key-data are both given',
  },
  {
    breaks: (_, user) =>
      (has(user, 'client-certificate') || has(user, 'client-certificate-data')) &&
      !(has(user, 'client-key') || has(user, 'client-key-data')),
    why: 'a client certificate is given without its key',
  },
  {
    breaks: (_, user) => has(user, 'token') && (has(user, 'username') || has(user, 'password')),
    why: 'a token and a password are both given',
  },
  {
    breaks: (_, user) => has(user, 'exec') && has(user, 'auth-provider'),
    why: 'exec and auth-provider are both given',
  },
  {
    breaks: (_, user) => has(user, 'exec') && !(has(execOf(user), 'command') && has(execOf(user), 'apiVersion')),
    why: 'exec is given without command or apiVersion',
  },
  {
    breaks: (_, user) => has(user, 'auth-provider') && !has(user['auth-provider'] as Record<string, unknown>, 'name'),
    why: 'auth-provider is given without a name',
  },
];

function brokenRule(cluster: Cluster, user: User): string | undefined {
  return rules.find(({ breaks }) => breaks(cluster, user))?.why;
}

interface FileField {
  /** Holds a path. */
  readonly file: string;
  /** Takes its content, unless it is there already. */
  readonly data: string;
  readonly encode: (text: string) => string;
}

const base64 = (text: string) => encodeBase64(new TextEncoder().encode(text));

const clusterFiles: readonly FileField[] = [
  { file: 'certificate-authority', data: 'certificate-authority-data', encode: base64 },
];

const userFiles: readonly FileField[] = [
  { file: 'client-certificate', data: 'client-certificate-data', encode: base64 },
  { file: 'client-key', data: 'client-key-data', encode: base64 },
  // No HTTP header can hold a line end; client-go takes it off a token file, too.
  { file: 'tokenFile', data: 'token', encode: (text) => text.trim() },
];

/** No HTTP header can hold them (RFC 9110 5.5). */
const unsendable = /[\u0000-\u001f\u007f]|[^\u0000-\u00ff]/;

/** Fields that have something of this machine read or run. */
function localFields(cluster: Cluster, user: User): readonly string[] {
  const files = userFiles.filter(({ file, data }) => has(user, file) && !has(user, data)).map(({ file }) => file);
  const ca = clusterFiles.filter(({ file }) => has(cluster, file)).map(({ file }) => file);
  return [
    ...ca,
    ...files,
    ...(has(user, 'exec') ? ['exec'] : []),
    ...(has(user, 'auth-provider') ? ['auth-provider'] : []),
  ];
}

async function embedded<S extends Readonly<Record<string, unknown>>>(
  section: S,
  fields: readonly FileField[],
  options: { readonly path: string; readonly readFile: ReadFile },
): Promise<S> {
  const result: Record<string, unknown> = { ...section };
  for (const { file, data, encode } of fields) {
    const path = section[file];
    if (typeof path !== 'string' || path === '') continue;
    if (!has(section, data)) result[data] = encode(await readReferred(path, { field: file, ...options }));
    delete result[file];
  }
  return result as S;
}

async function readReferred(
  path: string,
  options: { readonly field: string; readonly path: string; readonly readFile: ReadFile },
): Promise<string> {
  const what = `${options.field} of the discovery file ${options.path}`;
  return readText(path, { what, readFile: options.readFile });
}

/**
 * The text of a file that has to be there.
 *
 * @param options.what what it is, for the error
 * @throws DISCOVERY_FILE_UNREADABLE
 */
export async function readText(
  path: string,
  options: { readonly what: string; readonly readFile: ReadFile },
): Promise<string> {
  let text: string | undefined;
  let reason = 'it does not exist';
  let cause: unknown;
  try {
    text = await options.readFile(path);
  } catch (thrown) {
    reason = messageOf(thrown);
    cause = thrown;
  }
  if (text !== undefined) return text;
  throw discoveryError('DISCOVERY_FILE_UNREADABLE', `Cannot read ${options.what} as ${reason}: ${path}`, {
    hint: 'Relative paths are looked up from the working directory, not from the folder of the discovery file',
    cause,
  });
}

function invalid(path: string, why: string) {
  return discoveryError('DISCOVERY_FILE_INVALID', `Cannot use the discovery file as ${why}: ${path}`, {
    hint: `See what it holds: kubectl config view --kubeconfig ${path}`,
  });
}
