import { rbacError } from './error-codes.ts';
import {
  anonymous,
  groupIdentity,
  type Identity,
  nodeIdentity,
  nodeTokenGroup,
  serviceAccountIdentity,
  tokenIdentity,
  userIdentity,
} from './identity.ts';

/** Somebody that bootstrap knows by name. */
export interface KnownSubject {
  /** What to write for it. */
  readonly subject: string;
  /** Who it is, and by what it is recognised. */
  readonly description: string;
  readonly identity: Identity;
}

const clusterAdmins = 'kubeadm:cluster-admins';

const users: readonly KnownSubject[] = [
  { subject: 'anonymous', description: 'anybody without credentials', identity: anonymous },
  {
    subject: 'token',
    description: 'the bearer of a bootstrap token for joining nodes',
    identity: tokenIdentity('TOKEN-ID'),
  },
  {
    subject: 'kubernetes-admin',
    description: 'admin.conf',
    identity: userIdentity('kubernetes-admin', clusterAdmins),
  },
  {
    subject: 'kubernetes-super-admin',
    description: 'super-admin.conf',
    identity: userIdentity('kubernetes-super-admin', 'system:masters'),
  },
  {
    subject: 'kube-apiserver-kubelet-client',
    description: 'the API server towards kubelets, apiserver-kubelet-client.crt',
    identity: userIdentity('kube-apiserver-kubelet-client'),
  },
  {
    subject: 'system:kube-controller-manager',
    description: 'controller-manager.conf',
    identity: userIdentity('system:kube-controller-manager'),
  },
  { subject: 'system:kube-scheduler', description: 'scheduler.conf', identity: userIdentity('system:kube-scheduler') },
];

const serviceAccounts: readonly KnownSubject[] = (
  [
    ['coredns', 'CoreDNS'],
    ['kube-proxy', 'kube-proxy'],
    ['bootstrap-signer', 'the signer of cluster-info'],
    ['token-cleaner', 'the remover of expired tokens'],
    ['certificate-controller', 'the approver and signer of certificates of kubelets'],
  ] as const
).map(([name, description]) => ({
  subject: `serviceaccount:kube-system/${name}`,
  description,
  identity: serviceAccountIdentity('kube-system', name),
}));

const groups: readonly KnownSubject[] = (
  [
    [nodeTokenGroup, 'bootstrap tokens for joining nodes'],
    ['system:bootstrappers', 'all bootstrap tokens'],
    ['system:nodes', 'all kubelets; for one of them ask for node:NAME'],
    [clusterAdmins, 'the administrators of admin.conf'],
    ['system:masters', 'may do everything'],
    ['system:authenticated', 'whoever has logged in'],
    ['system:unauthenticated', 'whoever has not'],
    ['system:serviceaccounts', 'all service accounts'],
  ] as const
).map(([name, description]) => ({ subject: `group:${name}`, description, identity: groupIdentity(name) }));

/** Whom bootstrap knows by name; every node, user, group and service account can be asked for as well. */
export const knownSubjects: readonly KnownSubject[] = [...users, ...serviceAccounts, ...groups];

/** The forms for everybody else. */
export const subjectForms: readonly string[] = [
  'node:NAME',
  'user:NAME',
  'group:NAME',
  'serviceaccount:NAMESPACE/NAME',
];

/**
 * Who is meant. Names that begin with `system:` are understood as the API server uses them.
 *
 * @param text `anonymous`, `token`, one of {@link subjectForms}, or a name of {@link knownSubjects}
 * @throws GroundplaneError RBAC_SUBJECT_UNKNOWN with the known ones
 */
export function parseSubject(text: string): Identity {
  const found = knownSubjects.find(({ subject, identity }) =>
    [subject, subject.replace(/^group:/, ''), identity.user].some((name) => name !== '' && name === text),
  );
  if (found !== undefined) return found.identity;
  const [, form, name = ''] = /^(user|group|node|serviceaccount):(.+)$/s.exec(text) ?? [];
  const identity = form === 'user' || form === undefined ? systemIdentity(form === undefined ? text : name) : undefined;
  if (identity !== undefined) return identity;
  if (form === 'user')
    return knownSubjects.find(({ identity: { user } }) => user === name)?.identity ?? userIdentity(name);
  if (form === 'group') return groupIdentity(name);
  if (form === 'node') return nodeIdentity(name);
  const [, namespace, account] = form === 'serviceaccount' ? (/^([^/:]+)[/:]([^/:]+)$/.exec(name) ?? []) : [];
  if (namespace !== undefined && account !== undefined) return serviceAccountIdentity(namespace, account);
  throw rbacError(
    'RBAC_SUBJECT_UNKNOWN',
    `Cannot tell the rights of somebody of that name as it has no known form: ${text}`,
    {
      hint: `Known are ${[...knownSubjects.map(({ subject }) => subject), ...subjectForms].join(', ')}`,
      details: { subject: text, known: knownSubjects.map(({ subject }) => subject), forms: subjectForms },
    },
  );
}

/** User names whose groups follow from them. */
function systemIdentity(user: string): Identity | undefined {
  const [, kind, rest = ''] = /^system:(node|serviceaccount|bootstrap):(.+)$/s.exec(user) ?? [];
  if (kind === 'node') return nodeIdentity(rest);
  if (kind === 'bootstrap') return tokenIdentity(rest);
  const [namespace, name, ...more] = rest.split(':');
  return kind === 'serviceaccount' && namespace && name && more.length === 0
    ? serviceAccountIdentity(namespace, name)
    : undefined;
}
