import type { Severity } from '@groundplane/errors';
import type { CurrentSections } from './current-context.ts';
import type { KubeconfigFindingCode } from './error-codes.ts';

type Sections = Pick<CurrentSections, 'cluster' | 'user'>;

/** What is asked of the cluster and the user of a kubeconfig besides CA, server and client certificate. */
export interface ConnectionRequirement {
  readonly code: KubeconfigFindingCode;
  readonly severity: Severity;
  /** The requirement as a sentence. */
  readonly demand: string;
  /** What is wrong, after "as"; undefined if it is met. */
  readonly problem: (sections: Sections) => string | undefined;
  /** Whose user nothing is expected of may authenticate as it likes. @default false */
  readonly ofKnownUsers?: boolean;
}

/** Means to authenticate of which a file alone does not say whom they stand for. */
const otherMeans = ['token', 'tokenFile', 'username', 'password', 'exec', 'auth-provider'] as const;
const proxySchemes = ['http:', 'https:', 'socks5:'];
const execVersions = ['v1', 'v1beta1'].map((version) => `client.authentication.k8s.io/${version}`);
const interactiveModes = ['Never', 'IfAvailable', 'Always'];

/**
 * In the order in which they are told. What is refused is what the components refuse to start with or cannot connect by; what they
 * work with is only told (client-go: tools/clientcmd/validation.go; tried with kube-controller-manager and kubectl).
 */
export const connectionRequirements: readonly ConnectionRequirement[] = [
  {
    code: 'KUBECONFIG_SERVER_PLAIN',
    severity: 'error',
    demand: 'Its server is a URL of https: API servers do not answer http, and credentials would travel in the clear',
    problem: ({ cluster: { server = '' } }) =>
      /^https:\/\//i.test(server) && URL.canParse(server)
        ? undefined
        : `its server is no URL of https: '${withoutPassword(server)}'`,
  },
  {
    code: 'KUBECONFIG_UNUSABLE',
    severity: 'error',
    demand:
      'It has no insecure-skip-tls-verify, which clients refuse beside a CA, and a proxy-url, if it has one, is of http, https or socks5',
    problem: ({ cluster }) => clusterContradiction(cluster),
  },
  {
    code: 'KUBECONFIG_UNUSABLE',
    severity: 'error',
    demand:
      'What it gives as data it does not give as a file too; its client certificate has a key; token and password are not together; an exec plugin is complete (command, apiVersion, interactiveMode), the auth-provider is oidc and not beside exec; as-groups, as-uid and as-user-extra go with as',
    problem: ({ user }) => userContradiction(user),
  },
  {
    code: 'KUBECONFIG_CONNECTION_UNUSUAL',
    severity: 'warning',
    demand: 'It has no proxy-url: whoever uses it depends on that proxy',
    problem: ({ cluster: { 'proxy-url': url } }) =>
      typeof url === 'string' && isProxy(url) ? `it goes through a proxy: ${withoutPassword(url)}` : undefined,
  },
  {
    code: 'KUBECONFIG_CONNECTION_UNUSUAL',
    severity: 'warning',
    demand: 'It has no tls-server-name: the certificate of the server would have to hold that name',
    problem: ({ cluster: { 'tls-server-name': name } }) =>
      name ? `the certificate of its server has to hold another name than the one in the URL: ${name}` : undefined,
  },
  {
    code: 'KUBECONFIG_CREDENTIALS_REFUSED',
    severity: 'error',
    demand: 'Its user has more than username and password, which no API server takes since v1.19',
    problem: ({ user }) =>
      hasCertificate(user) || !user.username || otherMeans.some((means) => !isBasic(means) && Boolean(user[means]))
        ? undefined
        : 'API servers take no username and password, and its user has nothing else',
  },
  {
    code: 'KUBECONFIG_CREDENTIALS_UNJUDGED',
    severity: 'warning',
    ofKnownUsers: true,
    demand:
      'Its user has a client certificate, and no token, password, exec plugin or auth-provider beside it or in its place: whom those stand for is not looked at',
    problem: ({ user }) => {
      const means = otherMeans.filter((field) => Boolean(user[field]));
      if (means.length === 0) return undefined;
      const place = hasCertificate(user) ? 'besides a certificate' : 'and no certificate';
      return `its user has other credentials ${place}, and whom they stand for is not looked at: ${means.join(', ')}`;
    },
  },
];

function clusterContradiction(cluster: Sections['cluster']): string | undefined {
  if (cluster['insecure-skip-tls-verify'] === true)
    return 'it trusts every server (insecure-skip-tls-verify), which clients refuse beside a CA';
  if (isGivenTwice(cluster, 'certificate-authority')) return 'its CA is given as data and as a file';
  const proxy = cluster['proxy-url'];
  if (typeof proxy !== 'string' || proxy === '' || isProxy(proxy)) return undefined;
  return `its proxy-url is not of http, https or socks5: '${withoutPassword(proxy)}'`;
}

function userContradiction(user: Sections['user']): string | undefined {
  const twice = ['client-certificate', 'client-key'].find((field) => isGivenTwice(user, field));
  if (twice !== undefined) return `its ${twice} is given as data and as a file`;
  if (hasCertificate(user) && !user['client-key'] && !user['client-key-data'])
    return 'its client certificate has no key';
  if (user.token && (user.username || user.password)) return 'its user has both a token and a password';
  if (user.exec && user['auth-provider']) return 'its user has both an exec plugin and an auth-provider';
  const lone = ['as-groups', 'as-uid', 'as-user-extra'].find((field) => !isEmpty(user[field]));
  if (!user.as && lone !== undefined) return `it has ${lone} and nobody in whose name to ask (as)`;
  return execProblem(user.exec) ?? providerProblem(user['auth-provider']);
}

function execProblem(exec: unknown): string | undefined {
  if (!exec) return undefined;
  const { command, apiVersion, interactiveMode } = exec as Readonly<Record<string, unknown>>;
  if (typeof command !== 'string' || command === '') return 'its exec plugin has no command';
  if (!execVersions.includes(String(apiVersion)))
    return `the apiVersion of its exec plugin is not ${execVersions.join(' or ')}: ${shown(apiVersion)}`;
  // With v1beta1 clients take a missing mode for IfAvailable.
  const mode = interactiveMode ?? (apiVersion === execVersions[1] ? 'IfAvailable' : '');
  if (interactiveModes.includes(String(mode))) return undefined;
  return `the interactiveMode of its exec plugin is not ${interactiveModes.join(', ')}: ${shown(mode)}`;
}

function providerProblem(provider: unknown): string | undefined {
  if (!provider) return undefined;
  const { name } = provider as Readonly<Record<string, unknown>>;
  return name === 'oidc' ? undefined : `its auth-provider is one that clients no longer know: ${shown(name)}`;
}

function shown(value: unknown): string {
  if (typeof value === 'string' && value !== '') return value;
  return value === undefined || value === null || value === '' ? 'missing' : 'no text';
}

/** True if the user has a client certificate, wherever it is. */
export function hasCertificate(user: Sections['user']): boolean {
  return Boolean(user['client-certificate'] || user['client-certificate-data']);
}

/** What people may see of a URL: a password is left out. */
export function withoutPassword(url: string): string {
  return url.replace(/\/\/.*@/, '//');
}

function isBasic(means: string): boolean {
  return means === 'username' || means === 'password';
}

function isProxy(url: string): boolean {
  return proxySchemes.includes(URL.parse(url)?.protocol ?? '');
}

function isGivenTwice(section: Readonly<Record<string, unknown>>, field: string): boolean {
  return Boolean(section[field]) && Boolean(section[`${field}-data`]);
}

function isEmpty(value: unknown): boolean {
  return !value || Object.keys(value).length === 0;
}
