import { execFileSync } from 'node:child_process';
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { ofAuthority, ofClient, ofServer, opensslPair, rsaKey } from './openssl-pair.ts';
import { secretsBelow } from './secrets-below.ts';

/** Names that would be markup, or turn text around, if they were not shown as they are. */
export const hostileNames = {
  commonName: '<script>window.hostile=1</script>',
  organization: '"><img src=http://192.0.2.1/x onerror=window.hostile=2>',
  dnsName: '<svg onload=window.hostile=3>',
  turned: '‮evil‬',
  entity: '&lt;b&gt;&amp;',
} as const;

/** What is wrong with the certificates of the node, by the finding that says so. */
export const faults = {
  apiserver: ['PKI_SAN_MISSING', 'PKI_SUBJECT_DIFFERS'],
  'front-proxy-client': ['PKI_CERTIFICATE_EXPIRED'],
  'etcd-peer': ['PKI_KEY_WEAK', 'BOOTSTRAP_CERTIFICATE_OUTLIVES_ISSUER'],
  'etcd-server': ['PKI_CERTIFICATE_UNTRUSTED'],
  'apiserver-etcd-client': ['BOOTSTRAP_CERTIFICATE_EXPIRES_SOON'],
  'scheduler.conf': ['BOOTSTRAP_CERTIFICATE_MISSING'],
  'super-admin.conf': ['KUBECONFIG_CREDENTIALS_UNJUDGED'],
} as const;

const header = 'apiVersion: kubeadm.k8s.io/v1beta4\nkind:';
const configuration = `${header} ClusterConfiguration
kubernetesVersion: v1.37.2
encryptionAlgorithm: ECDSA-P256
---
${header} InitConfiguration
localAPIEndpoint: { advertiseAddress: 192.0.2.10 }
nodeRegistration: { name: node-a }
`;

const escaped = (name: string) => name.replaceAll('/', '\\/');

/**
 * Makes the files of a control-plane node below a folder: the real kubeadm those that are in order, openssl the others.
 *
 * @returns every text that is secret: lines of private keys, and a token
 */
export function makeHostileNode(kubeadm: string, folder: string): readonly string[] {
  const kubernetes = join(folder, 'etc/kubernetes');
  const kubelet = join(folder, 'var/lib/kubelet/pki');
  const pki = join(kubernetes, 'pki');
  mkdirSync(kubernetes, { recursive: true });
  mkdirSync(kubelet, { recursive: true });
  const made = join(folder, 'made.yaml');
  writeFileSync(
    made,
    `${configuration}---\n`.replace('kubernetesVersion', `certificatesDir: ${pki}\nkubernetesVersion`),
  );
  const phase = (...words: readonly string[]) =>
    execFileSync(kubeadm, ['init', 'phase', ...words, `--config=${made}`], { stdio: 'pipe' });
  phase('certs', 'all');
  phase('kubeconfig', 'all', `--kubeconfig-dir=${kubernetes}`);
  writeFileSync(join(folder, 'asked.yaml'), configuration);

  const read = (name: string) => readFileSync(join(pki, name), 'utf8');
  const pairOf = (name: string) => ({ certificate: read(`${name}.crt`), key: read(`${name}.key`) });
  const put = (name: string, { certificate, key }: { readonly certificate: string; readonly key: string }) => {
    writeFileSync(join(pki, `${name}.crt`), certificate);
    writeFileSync(join(pki, `${name}.key`), key);
  };
  const { commonName, organization, dnsName, turned, entity } = hostileNames;
  const authority = pairOf('ca');
  const etcd = pairOf('etcd/ca');
  const day = (offset: number) =>
    new Date(Date.now() + offset * 86_400_000).toISOString().slice(0, 10).replaceAll('-', '');
  put(
    'apiserver',
    opensslPair({
      commonName: escaped(commonName),
      organization: escaped(organization),
      extensions: [...ofServer, `subjectAltName=DNS:${dnsName},DNS:api.example.org`],
      issuer: authority,
      from: day(-10),
      until: day(355),
    }),
  );
  put(
    'front-proxy-client',
    opensslPair({
      commonName: 'front-proxy-client',
      extensions: ofClient,
      issuer: pairOf('front-proxy-ca'),
      from: day(-400),
      until: day(-30),
    }),
  );
  put(
    'etcd/peer',
    opensslPair({
      commonName: 'node-a',
      extensions: [
        ...ofServer.slice(0, 2),
        'extendedKeyUsage=serverAuth,clientAuth',
        'subjectAltName=DNS:node-a,DNS:localhost,IP:192.0.2.10,IP:127.0.0.1,IP:::1',
      ],
      issuer: etcd,
      from: day(-1),
      until: day(5000),
      key: rsaKey(1024),
    }),
  );
  put(
    'apiserver-etcd-client',
    opensslPair({
      commonName: 'kube-apiserver-etcd-client',
      extensions: ofClient,
      issuer: etcd,
      from: day(-350),
      until: day(10),
    }),
  );
  // Of a CA that has nothing to do with it.
  put(
    'etcd/server',
    opensslPair({ commonName: 'node-a', extensions: ofServer, issuer: authority, from: day(-1), until: day(300) }),
  );
  // By way of another CA.
  const intermediate = opensslPair({
    commonName: `${turned} ${escaped(entity)}`,
    utf8: true,
    extensions: ofAuthority,
    issuer: authority,
    from: day(-5),
    until: day(2000),
  });
  const client = opensslPair({
    commonName: 'kube-apiserver-kubelet-client',
    organization: 'kubeadm:cluster-admins',
    extensions: ofClient,
    issuer: intermediate,
    from: day(-5),
    until: day(1500),
  });
  put('apiserver-kubelet-client', { ...client, certificate: client.certificate + intermediate.certificate });
  const kubeletClient = opensslPair({
    commonName: 'system:node:node-a',
    organization: 'system:nodes',
    extensions: ofClient,
    issuer: authority,
    from: day(-30),
    until: day(335),
  });
  writeFileSync(join(kubelet, 'kubelet-client-current.pem'), kubeletClient.certificate + kubeletClient.key);
  const serving = opensslPair({ commonName: 'node-a-ca@1', extensions: ofServer, from: day(-30), until: day(335) });
  writeFileSync(join(kubelet, 'kubelet.crt'), serving.certificate);
  writeFileSync(join(kubelet, 'kubelet.key'), serving.key);
  rmSync(join(kubernetes, 'scheduler.conf'));
  const token = 'abcdef.0123456789abcdef';
  const admin = join(kubernetes, 'super-admin.conf');
  const adminText = readFileSync(admin, 'utf8');
  const adminKey = /client-key-data: (.*)/.exec(adminText)?.[1] ?? '';
  writeFileSync(
    admin,
    adminText.replace(/ {4}client-certificate-data: .*\n {4}client-key-data: .*/, `    token: ${token}`),
  );
  return [token, adminKey, ...secretsBelow(folder)];
}
