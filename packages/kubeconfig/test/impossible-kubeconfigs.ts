/** A kubeconfig that can be changed at will. */
export interface KubeconfigDocument {
  [field: string]: unknown;
  readonly clusters: { name: unknown; cluster: Record<string, unknown> }[];
  readonly contexts: { name: unknown; context: Record<string, unknown> }[];
  readonly users: { name: unknown; user: Record<string, unknown> }[];
}

export function kubeconfigDocument(): KubeconfigDocument {
  return {
    apiVersion: 'v1',
    kind: 'Config',
    clusters: [{ name: 'c', cluster: { server: 'https://192.0.2.1:6443' } }],
    contexts: [{ name: 'x', context: { cluster: 'c', user: 'u' } }],
    'current-context': 'x',
    users: [{ name: 'u', user: { token: 'none' } }],
  };
}

type Change = (document: KubeconfigDocument) => void;

const top =
  (field: string, value: unknown): Change =>
  (document) => {
    document[field] = value;
  };
const inCluster =
  (field: string, value: unknown): Change =>
  ({ clusters: [first] }) => {
    if (first !== undefined) first.cluster[field] = value;
  };
const inContext =
  (field: string, value: unknown): Change =>
  ({ contexts: [first] }) => {
    if (first !== undefined) first.context[field] = value;
  };
const inUser =
  (field: string, value: unknown): Change =>
  ({ users: [first] }) => {
    if (first !== undefined) first.user[field] = value;
  };

const cluster = 'clusters[0].cluster';
const context = 'contexts[0].context';
const user = 'users[0].user';
const exec = { apiVersion: 'client.authentication.k8s.io/v1', command: 'x', interactiveMode: 'Never' };

/** Name, field and change of what no client of Kubernetes decodes. */
export const impossibleKubeconfigs: readonly (readonly [name: string, path: string, change: Change])[] = [
  ['a namespace that is a number', `${context}.namespace`, inContext('namespace', 5)],
  ['a user that is a number', `${context}.user`, inContext('user', 5)],
  ['extensions that are a number', 'extensions', top('extensions', 5)],
  ['extensions of a context that are a mapping', `${context}.extensions`, inContext('extensions', { a: 1 })],
  ['an extension whose name is a number', 'extensions[0].name', top('extensions', [{ name: 5, extension: {} }])],
  ['colors in words', 'preferences.colors', top('preferences', { colors: 'maybe' })],
  ['preferences that are a list', 'preferences', top('preferences', [])],
  ['a current context that is a number', 'current-context', top('current-context', 5)],
  ['compression in quotes', `${cluster}.disable-compression`, inCluster('disable-compression', 'yes')],
  ['a server that is a list', `${cluster}.server`, inCluster('server', ['https://192.0.2.1'])],
  ['no verification in quotes', `${cluster}.insecure-skip-tls-verify`, inCluster('insecure-skip-tls-verify', 'true')],
  ['a CA that is no base64', `${cluster}.certificate-authority-data`, inCluster('certificate-authority-data', '-----')],
  ['a token that is a number', `${user}.token`, inUser('token', 12)],
  ['a key that is cut', `${user}.client-key-data`, inUser('client-key-data', 'AAA')],
  ['groups that are one text', `${user}.as-groups`, inUser('as-groups', 'system:masters')],
  ['further facts that are texts', `${user}.as-user-extra.reason`, inUser('as-user-extra', { reason: 'none' })],
  ['a program of numbers', `${user}.exec.args[0]`, inUser('exec', { ...exec, args: [5] })],
  ['a program with variables as a mapping', `${user}.exec.env`, inUser('exec', { ...exec, env: { A: 'b' } })],
  ['a program of yes', `${user}.exec.provideClusterInfo`, inUser('exec', { ...exec, provideClusterInfo: 'yes' })],
  [
    'a provider with a number',
    `${user}.auth-provider.config.port`,
    inUser('auth-provider', { name: 'oidc', config: { port: 5 } }),
  ],
];

/** What looks odd, and is taken. */
export const possibleKubeconfigs: readonly (readonly [name: string, change: Change])[] = [
  ['as it is', () => {}],
  ['fields that there are not', inUser('colour', 5)],
  ['fields in other letter cases', inUser('Token', 5)],
  ['fields that are null', inCluster('disable-compression', null)],
  ['extensions', top('extensions', [{ name: 'a', extension: { of: ['any', 5] } }])],
  ['base64 over several lines', inCluster('certificate-authority-data', 'QUJD\nREVG\n')],
  ['preferences', top('preferences', { colors: true })],
];
