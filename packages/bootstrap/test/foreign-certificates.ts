import type { MemoryContent } from '@groundplane/phases/testing';
import { type OpensslPair, type OpensslRequest, openssl, opensslCertificate, opensslKey } from './openssl.ts';

/** How one certificate is made; `issuer` is the file name of another one. */
export interface ForeignRow extends Omit<OpensslRequest, 'issuer'> {
  readonly issuer?: string;
}

const ofEtcd = 'DNS:node-a,DNS:localhost,IP:192.0.2.10,IP:127.0.0.1,IP:::1';

/** All certificates of the certs phase as openssl makes them, by file name below the PKI folder without ending. */
export const foreignTable: Readonly<Record<string, ForeignRow>> = {
  ca: { subject: '/CN=my own CA' },
  apiserver: {
    subject: '/CN=kube-apiserver',
    issuer: 'ca',
    usages: 'serverAuth',
    names:
      'DNS:node-a,DNS:kubernetes,DNS:kubernetes.default,DNS:kubernetes.default.svc,DNS:kubernetes.default.svc.cluster.local,IP:10.96.0.1,IP:192.0.2.10',
  },
  'apiserver-kubelet-client': { subject: '/CN=kube-apiserver-kubelet-client', issuer: 'ca', usages: 'clientAuth' },
  'front-proxy-ca': { subject: '/CN=my front proxy CA' },
  'front-proxy-client': { subject: '/CN=front-proxy-client', issuer: 'front-proxy-ca', usages: 'clientAuth' },
  'etcd/ca': { subject: '/CN=my etcd CA' },
  'etcd/server': { subject: '/CN=node-a', issuer: 'etcd/ca', usages: 'serverAuth,clientAuth', names: ofEtcd },
  'etcd/peer': { subject: '/CN=node-a', issuer: 'etcd/ca', usages: 'serverAuth,clientAuth', names: ofEtcd },
  'etcd/healthcheck-client': { subject: '/CN=kube-etcd-healthcheck-client', issuer: 'etcd/ca', usages: 'clientAuth' },
  'apiserver-etcd-client': { subject: '/CN=kube-apiserver-etcd-client', issuer: 'etcd/ca', usages: 'clientAuth' },
};

/** Makes the certificates of the table, in its order; a row that is given takes the place of the table's. */
export function foreignPairs(rows: Readonly<Record<string, ForeignRow>> = {}): Readonly<Record<string, OpensslPair>> {
  const pairs: Record<string, OpensslPair> = {};
  for (const [name, { issuer, ...request }] of Object.entries({ ...foreignTable, ...rows })) {
    const authority = issuer === undefined ? undefined : pairs[issuer];
    pairs[name] = opensslCertificate({ ...request, ...(authority === undefined ? {} : { issuer: authority }) });
  }
  return pairs;
}

/** The files of certificates below /etc/kubernetes/pki, and those of the service account keys. */
export function foreignFiles(pairs: Readonly<Record<string, OpensslPair>>): Record<string, MemoryContent> {
  const files: Record<string, MemoryContent> = {};
  for (const [name, { certificate, key }] of Object.entries(pairs)) {
    files[`/etc/kubernetes/pki/${name}.crt`] = certificate;
    files[`/etc/kubernetes/pki/${name}.key`] = { content: key, mode: 0o600 };
  }
  const serviceAccountKey = opensslKey();
  files['/etc/kubernetes/pki/sa.key'] = { content: serviceAccountKey, mode: 0o600 };
  files['/etc/kubernetes/pki/sa.pub'] = openssl(['pkey', '-pubout'], serviceAccountKey);
  return files;
}
