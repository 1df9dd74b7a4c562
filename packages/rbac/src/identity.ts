/** Whom a request comes from, as the API server sees it after authentication. */
export interface Identity {
  /** The user name; empty where only the group counts. */
  readonly user: string;
  /** All groups, those included that the API server adds. */
  readonly groups: readonly string[];
}

const authenticated = 'system:authenticated';
const unauthenticated = 'system:unauthenticated';
const bootstrappers = 'system:bootstrappers';
const serviceAccounts = 'system:serviceaccounts';

/** The group of tokens for joining nodes (kubeadm: constants.NodeBootstrapTokenAuthGroup). */
export const nodeTokenGroup = `${bootstrappers}:kubeadm:default-node-token`;

export const anonymous: Identity = { user: 'system:anonymous', groups: [unauthenticated] };

/** A user with a certificate of the cluster's CA: CN is the name, O the groups. */
export function userIdentity(user: string, ...groups: readonly string[]): Identity {
  return { user, groups: [...groups, authenticated] };
}

/** The bearer of a bootstrap token (kubernetes plugin/pkg/auth/authenticator/token/bootstrap). */
export function tokenIdentity(tokenId: string, extraGroups: readonly string[] = [nodeTokenGroup]): Identity {
  return userIdentity(`system:bootstrap:${tokenId}`, bootstrappers, ...extraGroups);
}

/** A kubelet with its client certificate. */
export function nodeIdentity(name: string): Identity {
  return userIdentity(`system:node:${name}`, 'system:nodes');
}

export function serviceAccountIdentity(namespace: string, name: string): Identity {
  return userIdentity(`system:serviceaccount:${namespace}:${name}`, serviceAccounts, `${serviceAccounts}:${namespace}`);
}

/** Anybody of a group, with the groups that its members are in as well. */
export function groupIdentity(group: string): Identity {
  const implied = [group];
  if (group.startsWith(`${bootstrappers}:`)) implied.push(bootstrappers);
  if (group.startsWith(`${serviceAccounts}:`)) implied.push(serviceAccounts);
  if (group !== authenticated && group !== unauthenticated) implied.push(authenticated);
  return { user: '', groups: implied };
}

/** The name of the node whose kubelet it is; undefined for anybody else (kubernetes pkg/auth/nodeidentifier). */
export function nodeNameOf({ user, groups }: Identity): string | undefined {
  const prefix = 'system:node:';
  return user.startsWith(prefix) && user.length > prefix.length && groups.includes('system:nodes')
    ? user.slice(prefix.length)
    : undefined;
}
