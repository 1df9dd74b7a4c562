import { execFileSync } from 'node:child_process';
import { createHash, generateKeyPairSync, X509Certificate } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { NodeSpecification } from './cluster-specification.ts';
import type { NodeFile } from './node-bundle.ts';
import { kept, type Store } from './store.ts';

interface CertificateRow {
  /** As openssl reads it. */
  readonly subject: string;
  /** Name of the CA's row; absent for a CA. */
  readonly issuer?: string;
  readonly usages?: string;
  readonly names?: (node: NodeSpecification) => string;
}

const etcdNames = ({ name, address }: NodeSpecification) =>
  `DNS:${name},DNS:localhost,IP:${address},IP:127.0.0.1,IP:::1`;
const both = 'serverAuth,clientAuth';

/** Every certificate of a control-plane node, by its file below the folder of certificates: what `phases describe certs` demands. */
const rows: Readonly<Record<string, CertificateRow>> = {
  ca: { subject: '/CN=provisioner cluster CA' },
  'front-proxy-ca': { subject: '/CN=provisioner front proxy CA' },
  'etcd/ca': { subject: '/CN=provisioner etcd CA' },
  apiserver: {
    subject: '/CN=kube-apiserver',
    issuer: 'ca',
    usages: 'serverAuth',
    names: ({ name, address }) =>
      `DNS:${name},DNS:kubernetes,DNS:kubernetes.default,DNS:kubernetes.default.svc,DNS:kubernetes.default.svc.cluster.local,IP:10.96.0.1,IP:${address}`,
  },
  'apiserver-kubelet-client': {
    subject: '/O=kubeadm:cluster-admins/CN=kube-apiserver-kubelet-client',
    issuer: 'ca',
    usages: 'clientAuth',
  },
  'front-proxy-client': { subject: '/CN=front-proxy-client', issuer: 'front-proxy-ca', usages: 'clientAuth' },
  'etcd/server': { subject: '/CN=etcd-server', issuer: 'etcd/ca', usages: both, names: etcdNames },
  'etcd/peer': { subject: '/CN=etcd-peer', issuer: 'etcd/ca', usages: both, names: etcdNames },
  'etcd/healthcheck-client': { subject: '/CN=kube-etcd-healthcheck-client', issuer: 'etcd/ca', usages: 'clientAuth' },
  'apiserver-etcd-client': { subject: '/CN=kube-apiserver-etcd-client', issuer: 'etcd/ca', usages: 'clientAuth' },
};

/** Keys of CAs that stay in the store. That of the cluster's CA goes along, as the controller manager signs for kubelets with it. */
const keysThatStay: ReadonlySet<string> = new Set(['front-proxy-ca', 'etcd/ca']);

const folder = '/etc/kubernetes/pki';
const days = '365';

/** Makes what the store does not have yet, and returns the files that go to the control-plane node. */
export function controlPlaneCertificates(store: Store, node: NodeSpecification): readonly NodeFile[] {
  const files = Object.entries(rows).flatMap(([name, row]) => {
    const key = kept(store, `pki/${name}.key`, newKey);
    const certificate = kept(store, `pki/${name}.crt`, () => issue(store, row, { key, node }));
    return [
      { path: `${folder}/${name}.crt`, mode: 0o644, text: certificate },
      ...(keysThatStay.has(name) ? [] : [{ path: `${folder}/${name}.key`, mode: 0o600, text: key }]),
    ];
  });
  const serviceAccounts = kept(store, 'pki/sa.key', () => {
    const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
    return privateKey.export({ type: 'pkcs8', format: 'pem' }).toString();
  });
  return [
    ...files,
    { path: `${folder}/sa.key`, mode: 0o600, text: serviceAccounts },
    { path: `${folder}/sa.pub`, mode: 0o644, text: openssl(['pkey', '-pubout'], serviceAccounts) },
  ];
}

/** What those who join know the cluster by: a digest of the public key of its CA. */
export function authorityPin(store: Store): string {
  const { publicKey } = new X509Certificate(store.read('pki/ca.crt') ?? '');
  return `sha256:${createHash('sha256')
    .update(publicKey.export({ type: 'spki', format: 'der' }))
    .digest('hex')}`;
}

function newKey(): string {
  const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  return privateKey.export({ type: 'pkcs8', format: 'pem' }).toString();
}

function issue(
  store: Store,
  { subject, issuer, usages, names }: CertificateRow,
  { key, node }: { readonly key: string; readonly node: NodeSpecification },
): string {
  const directory = mkdtempSync(join(tmpdir(), 'provisioner-'));
  try {
    const put = (name: string, text = '') => {
      const path = join(directory, name);
      writeFileSync(path, text, { mode: 0o600 });
      return path;
    };
    const isCA = issuer === undefined;
    const extensions = [
      `basicConstraints=critical,CA:${isCA ? 'TRUE' : 'FALSE'}`,
      `keyUsage=critical,${isCA ? 'digitalSignature,keyCertSign,cRLSign' : 'digitalSignature'}`,
      ...(usages === undefined ? [] : [`extendedKeyUsage=${usages}`]),
      ...(names === undefined ? [] : [`subjectAltName=${names(node)}`]),
    ];
    return openssl([
      ...['req', '-x509', '-new', '-key', put('own.key', key), '-subj', subject, '-days', days],
      ...['-config', put('openssl.cnf', '[req]\ndistinguished_name=dn\n[dn]\n')],
      ...extensions.flatMap((extension) => ['-addext', extension]),
      ...(isCA
        ? []
        : [
            ...['-CA', put('ca.crt', store.read(`pki/${issuer}.crt`))],
            ...['-CAkey', put('ca.key', store.read(`pki/${issuer}.key`))],
          ]),
    ]);
  } finally {
    rmSync(directory, { recursive: true });
  }
}

function openssl(args: readonly string[], input = ''): string {
  return execFileSync('openssl', args, { input, encoding: 'utf8', stdio: ['pipe', 'pipe', 'pipe'] });
}
