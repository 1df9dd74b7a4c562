import {
  type ArtifactChange,
  authority,
  clusterOf,
  type KubeconfigDocument,
  ofClientPair,
  ofKubeconfig,
  userOf,
} from './artifact-changes.ts';
import { withShortKey } from './certificate-changes.ts';

type Fields = Readonly<Record<string, unknown>>;

const withCluster = (fields: Fields) => ofKubeconfig((document) => void Object.assign(clusterOf(document), fields));
const withUser = (fields: Fields) => ofKubeconfig((document) => void Object.assign(userOf(document), fields));

function withoutCertificate(document: KubeconfigDocument): Record<string, unknown> {
  const user = userOf(document);
  for (const field of ['client-certificate', 'client-key']) {
    delete user[field];
    delete user[`${field}-data`];
  }
  return user;
}

const instead = (fields: Fields) =>
  ofKubeconfig((document) => void Object.assign(withoutCertificate(document), fields));

function authorityIn(file: string): ArtifactChange {
  return ofKubeconfig((document) => {
    const cluster = clusterOf(document);
    delete cluster['certificate-authority-data'];
    cluster['certificate-authority'] = file;
  });
}

const withRsaOf = (bits: number) => ofClientPair((issued) => withShortKey(issued, bits));

const exec = { apiVersion: 'client.authentication.k8s.io/v1', command: '/opt/plugin', interactiveMode: 'Never' };

/** What else can be in a kubeconfig, and which clients of Kubernetes go by. */
export const kubeconfigFieldChanges = {
  'with a server of http': ofKubeconfig((document) => {
    const cluster = clusterOf(document);
    cluster.server = String(cluster.server).replace('https://', 'http://');
  }),
  'with a path behind the server': ofKubeconfig((document) => {
    clusterOf(document).server += '/k8s';
  }),
  'that trusts every server': withCluster({ 'insecure-skip-tls-verify': true }),
  'through a proxy': withCluster({ 'proxy-url': 'http://proxy.example:3128' }),
  'through a proxy of an unknown kind': withCluster({ 'proxy-url': 'ftp://proxy.example' }),
  'with another name of the server': withCluster({ 'tls-server-name': 'elsewhere.example' }),
  'with its CA in the file of the phases': authorityIn(authority),
  'with its CA in a file of somebody': authorityIn('/srv/ca.crt'),
  'with a CA as data and as a file': withCluster({ 'certificate-authority': authority }),
  'with its certificate in a file of somebody': instead({
    'client-certificate': '/srv/client.crt',
    'client-key': '/srv/client.key',
  }),
  'with a token beside its certificate': withUser({ token: 'somebody' }),
  'with a token in place of its certificate': instead({ token: 'somebody' }),
  'with a password beside its certificate': withUser({ username: 'somebody', password: 'something' }),
  'with a password in place of its certificate': instead({ username: 'somebody', password: 'something' }),
  'with a token and a password': withUser({ username: 'somebody', password: 'something', token: 'somebody' }),
  'with a plugin in place of its certificate': instead({ exec }),
  'with a plugin that is not whole': withUser({ exec: { command: exec.command } }),
  'with OpenID Connect in place of its certificate': instead({ 'auth-provider': { name: 'oidc' } }),
  'with a provider that is gone': withUser({ 'auth-provider': { name: 'gcp' } }),
  'in the name of somebody': withUser({ as: 'somebody' }),
  'with groups of nobody': withUser({ 'as-groups': ['system:masters'] }),
  'with several contexts': ofKubeconfig((document) => {
    document.clusters.unshift({ name: 'other', cluster: { server: 'http://elsewhere.example' } });
    document.users.unshift({ name: 'other', user: {} });
    document.contexts.unshift({ name: 'other', context: { cluster: 'other', user: 'other' } });
  }),
  'with a key of 1024 bits': withRsaOf(1024),
  'with a key of 512 bits': withRsaOf(512),
} satisfies Readonly<Record<string, ArtifactChange>>;
