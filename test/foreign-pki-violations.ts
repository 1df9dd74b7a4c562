/** One thing that a maker is told wrongly, so that what it makes does not meet one demand. */
export interface Violation {
  readonly name: string;
  /** Id of the artifact that becomes wrong; the finding names its place. */
  readonly artifact: string;
  /** What the maker is told wrongly: a jq program in the words of {@link violationVocabulary}. */
  readonly change: string;
  /** Ids of the artifacts that the maker makes again. @default the artifact alone */
  readonly anew?: readonly string[];
  /** Of the demand that is not met. */
  readonly code: string;
  readonly severity: 'error' | 'warning';
  /** What the message or its hint says that is expected, or what to do. */
  readonly says: RegExp;
}

/** Places in a description, for jq. */
export const violationVocabulary = [
  'def artifact($id): .phases[].writes[] | select(.id == $id);',
  'def certificate($id): artifact($id).demands[] | select(.certificate) | .certificate;',
  'def key($id): artifact($id).demands[] | select(.key) | .key;',
  'def kubeconfig($id): artifact($id).demands[] | select(.kubeconfig) | .kubeconfig;',
].join(' ');

const expired = '.validityDays = -1';

const ofCertificates: readonly Violation[] = [
  {
    name: 'a name by which the cluster reaches its API server is left out',
    artifact: 'pki/apiserver.crt',
    change: 'certificate("pki/apiserver.crt").ipAddresses -= ["192.0.2.10"]',
    code: 'PKI_SAN_MISSING',
    severity: 'error',
    says: /by 192\.0\.2\.10 .*signed again with these names/s,
  },
  {
    name: 'a name that only people use is left out',
    artifact: 'pki/apiserver.crt',
    change: 'certificate("pki/apiserver.crt").dnsNames -= ["kubernetes"]',
    code: 'PKI_SAN_MISSING',
    severity: 'warning',
    says: /by kubernetes .*signed again with these names/s,
  },
  {
    name: 'no name at all in the certificate of etcd',
    artifact: 'pki/etcd/server.crt',
    change: 'certificate("pki/etcd/server.crt") |= (.dnsNames = [] | .ipAddresses = [])',
    code: 'PKI_SAN_MISSING',
    severity: 'error',
    says: /by .*127\.0\.0\.1.* are others: none.*signed again with these names/s,
  },
  {
    name: "another usage in the API server's certificate",
    artifact: 'pki/apiserver.crt',
    change: 'certificate("pki/apiserver.crt").extendedKeyUsage = ["clientAuth"]',
    code: 'PKI_USAGE_MISSING',
    severity: 'error',
    says: /lacks serverAuth: clientAuth/,
  },
  {
    name: 'half of the usages in a certificate of etcd',
    artifact: 'pki/etcd/peer.crt',
    change: 'certificate("pki/etcd/peer.crt").extendedKeyUsage -= ["clientAuth"]',
    code: 'PKI_USAGE_MISSING',
    severity: 'error',
    says: /lacks clientAuth: serverAuth/,
  },
  {
    name: 'a usage in a CA, which restricts what it signs',
    artifact: 'pki/front-proxy-ca.crt',
    change: 'certificate("pki/front-proxy-ca.crt").extendedKeyUsage = ["serverAuth"]',
    code: 'PKI_USAGE_MISSING',
    severity: 'warning',
    says: /lacks clientAuth: serverAuth/,
  },
  {
    name: 'another user',
    artifact: 'pki/apiserver-kubelet-client.crt',
    change: 'certificate("pki/apiserver-kubelet-client.crt").subject.CN = "somebody"',
    code: 'PKI_SUBJECT_DIFFERS',
    severity: 'error',
    says: /not 'CN=kube-apiserver-kubelet-client': CN=somebody/,
  },
  {
    name: 'another name than the one that a flag asks for',
    artifact: 'pki/front-proxy-client.crt',
    change: 'certificate("pki/front-proxy-client.crt").subject.CN = "somebody"',
    code: 'PKI_SUBJECT_DIFFERS',
    severity: 'error',
    says: /not 'CN=front-proxy-client': CN=somebody/,
  },
  {
    name: 'another label',
    artifact: 'pki/apiserver.crt',
    change: 'certificate("pki/apiserver.crt").subject.CN = "somebody"',
    code: 'PKI_SUBJECT_DIFFERS',
    severity: 'warning',
    says: /not 'CN=kube-apiserver': CN=somebody/,
  },
  {
    name: 'a validity that is over',
    artifact: 'pki/apiserver.crt',
    change: `certificate("pki/apiserver.crt") |= (${expired})`,
    code: 'PKI_CERTIFICATE_EXPIRED',
    severity: 'error',
    says: /expired: 20.*Renew it/s,
  },
  {
    name: 'what a CA signed whose validity is over',
    artifact: 'pki/etcd/server.crt',
    change: `certificate("pki/etcd/ca.crt") |= (${expired})`,
    anew: ['pki/etcd/ca.crt', 'pki/etcd/server.crt'],
    code: 'PKI_ISSUER_OUTSIDE_VALIDITY',
    severity: 'error',
    says: /Renew the CA/,
  },
  {
    name: 'another issuer',
    artifact: 'pki/apiserver-etcd-client.crt',
    change: 'certificate("pki/apiserver-etcd-client.crt").issuer = "pki/ca.crt"',
    code: 'PKI_CERTIFICATE_UNTRUSTED',
    severity: 'error',
    says: /not signed by its CA.*signed by the CA/s,
  },
  {
    name: 'a CA that is none',
    artifact: 'pki/front-proxy-ca.crt',
    change: 'certificate("pki/front-proxy-ca.crt").isAuthority = false',
    code: 'PKI_CERTIFICATE_NOT_CA',
    severity: 'error',
    says: /do not say CA:TRUE.*basicConstraints=critical,CA:TRUE/s,
  },
  {
    name: 'a CA that may not sign certificates',
    artifact: 'pki/front-proxy-ca.crt',
    change: 'certificate("pki/front-proxy-ca.crt").keyUsage -= ["keyCertSign"]',
    code: 'PKI_CERTIFICATE_CANNOT_SIGN',
    severity: 'warning',
    says: /lacks keyCertSign.*keyUsage=critical,keyCertSign/s,
  },
  {
    name: 'what a CA signed that may not sign certificates',
    artifact: 'pki/front-proxy-client.crt',
    change: 'certificate("pki/front-proxy-ca.crt").keyUsage -= ["keyCertSign"]',
    anew: ['pki/front-proxy-ca.crt', 'pki/front-proxy-client.crt'],
    code: 'PKI_CERTIFICATE_UNTRUSTED',
    severity: 'warning',
    says: /Give a CA that may sign such certificates/,
  },
  {
    name: 'a certificate in another place',
    artifact: 'pki/apiserver.crt',
    change: 'artifact("pki/apiserver.crt").location.path += ".pem"',
    code: 'PHASES_ARTIFACT_MISSING',
    severity: 'error',
    says: /is needed and does not exist.*init phase certs apiserver/s,
  },
  {
    name: 'a certificate that everybody may write',
    artifact: 'pki/apiserver.crt',
    change: 'artifact("pki/apiserver.crt").mode = "0666"',
    code: 'PHASES_MODE_TOO_OPEN',
    severity: 'warning',
    says: /mode 0666, at most 0644.*chmod 0644/s,
  },
  {
    name: 'the key in the place of the certificate',
    artifact: 'pki/etcd/peer.crt',
    change:
      'artifact("pki/etcd/peer.crt").location.path as $path | artifact("pki/etcd/peer.crt").location.path += ".pem" | artifact("pki/etcd/peer.key").location.path = $path',
    anew: ['pki/etcd/peer.crt', 'pki/etcd/peer.key'],
    code: 'PHASES_ARTIFACT_MALFORMED',
    severity: 'error',
    says: /is not a PEM certificate.*move it away/s,
  },
];

const ofKeys: readonly Violation[] = [
  {
    name: 'a key in another place',
    artifact: 'pki/sa.key',
    change: 'artifact("pki/sa.key").location.path += ".pem"',
    anew: ['pki/sa.key', 'pki/sa.pub'],
    code: 'PHASES_ARTIFACT_MISSING',
    severity: 'error',
    says: /is needed and does not exist.*init phase certs sa/s,
  },
  {
    name: 'a key that everybody may read',
    artifact: 'pki/sa.key',
    change: 'artifact("pki/sa.key").mode = "0644"',
    anew: ['pki/sa.key', 'pki/sa.pub'],
    code: 'PHASES_SECRET_EXPOSED',
    severity: 'warning',
    says: /mode 0644, at most 0640.*chmod 0600/s,
  },
  {
    name: 'a key of a curve that Kubernetes does not take',
    artifact: 'pki/apiserver.key',
    change: 'key("pki/apiserver.key").algorithm = "ECDSA-P224"',
    anew: ['pki/apiserver.key', 'pki/apiserver.crt'],
    code: 'PKI_KEY_UNREADABLE',
    severity: 'error',
    says: /curve is not supported.*unencrypted RSA or ECDSA key/s,
  },
  {
    name: 'a key that Kubernetes refuses as too short',
    artifact: 'pki/apiserver.crt',
    change: 'key("pki/apiserver.key").algorithm = "RSA-512"',
    anew: ['pki/apiserver.key', 'pki/apiserver.crt'],
    code: 'PKI_KEY_WEAK',
    severity: 'error',
    says: /less than 1024 bits: 512.*at least 2048 bits/s,
  },
  {
    name: 'a short key',
    artifact: 'pki/apiserver.crt',
    change: 'key("pki/apiserver.key").algorithm = "RSA-1024"',
    anew: ['pki/apiserver.key', 'pki/apiserver.crt'],
    code: 'PKI_KEY_WEAK',
    severity: 'warning',
    says: /less than 2048 bits are weak: 1024/,
  },
  {
    name: 'a key with which no token is signed',
    artifact: 'pki/sa.key',
    change: 'key("pki/sa.key").algorithm = "RSA-512"',
    anew: ['pki/sa.key', 'pki/sa.pub'],
    code: 'BOOTSTRAP_KEY_WEAK',
    severity: 'error',
    says: /512/,
  },
  {
    name: 'a short key for tokens',
    artifact: 'pki/sa.key',
    change: 'key("pki/sa.key").algorithm = "RSA-1024"',
    anew: ['pki/sa.key', 'pki/sa.pub'],
    code: 'BOOTSTRAP_KEY_WEAK',
    severity: 'warning',
    says: /1024/,
  },
  {
    name: 'two keys that are exchanged',
    artifact: 'pki/apiserver.crt',
    change:
      'key("pki/apiserver.key").matches = "pki/front-proxy-client.crt" | key("pki/front-proxy-client.key").matches = "pki/apiserver.crt"',
    anew: ['pki/apiserver.crt', 'pki/front-proxy-client.crt'],
    code: 'PKI_KEY_MISMATCH',
    severity: 'error',
    says: /the private key beside it is another one.*openssl pkey -pubout/s,
  },
  {
    name: 'the certificate in the place of the key',
    artifact: 'pki/etcd/server.key',
    change:
      'artifact("pki/etcd/server.key").location.path as $path | artifact("pki/etcd/server.key").location.path += ".pem" | artifact("pki/etcd/server.crt").location.path = $path',
    anew: ['pki/etcd/server.crt', 'pki/etcd/server.key'],
    code: 'PHASES_ARTIFACT_MALFORMED',
    severity: 'error',
    says: /is not a PEM private key.*move it away/s,
  },
  {
    name: 'the public half of another key',
    artifact: 'pki/sa.pub',
    change: 'key("pki/sa.pub").matches = "pki/ca.key"',
    code: 'BOOTSTRAP_KEY_PAIR_MISMATCH',
    severity: 'error',
    says: /not the public half of sa\.key.*openssl pkey -in .*sa\.key -pubout/s,
  },
];

const ofKubeconfigs: readonly Violation[] = [
  {
    name: 'a component that is somebody else',
    artifact: 'scheduler.conf',
    change: 'kubeconfig("scheduler.conf").certificate.subject.CN = "somebody"',
    code: 'PKI_SUBJECT_DIFFERS',
    severity: 'error',
    says: /not 'CN=system:kube-scheduler': CN=somebody/,
  },
  {
    name: 'a node that is not in the group of nodes',
    artifact: 'kubelet.conf',
    change: 'kubeconfig("kubelet.conf").certificate.subject.O = ["nodes"]',
    code: 'PKI_SUBJECT_DIFFERS',
    severity: 'error',
    says: /not 'O=system:nodes, CN=system:node:node-a'/,
  },
  {
    name: 'another server',
    artifact: 'admin.conf',
    change: 'kubeconfig("admin.conf").server = "https://elsewhere.example:6443"',
    code: 'KUBECONFIG_SERVER_DIFFERS',
    severity: 'warning',
    says: /another server than expected, 'https:\/\/192\.0\.2\.10:6443': 'https:\/\/elsewhere\.example:6443'/,
  },
  {
    name: 'a server without TLS',
    artifact: 'scheduler.conf',
    change: 'kubeconfig("scheduler.conf").server |= sub("^https"; "http")',
    code: 'KUBECONFIG_SERVER_PLAIN',
    severity: 'error',
    says: /http:/,
  },
  {
    name: 'the CA of etcd as the CA of the cluster',
    artifact: 'controller-manager.conf',
    change: 'kubeconfig("controller-manager.conf").authority = "pki/etcd/ca.crt"',
    code: 'KUBECONFIG_CA_DIFFERS',
    severity: 'error',
    says: /not the one of this cluster.*Move .*controller-manager\.conf away/s,
  },
  {
    name: 'a client certificate of another CA',
    artifact: 'admin.conf',
    change: 'kubeconfig("admin.conf").certificate.issuer = "pki/front-proxy-ca.crt"',
    code: 'PKI_CERTIFICATE_UNTRUSTED',
    severity: 'error',
    says: /not signed by its CA/,
  },
  {
    name: 'a client certificate of a server',
    artifact: 'kubelet.conf',
    change: 'kubeconfig("kubelet.conf").certificate.extendedKeyUsage = ["serverAuth"]',
    code: 'PKI_USAGE_MISSING',
    severity: 'error',
    says: /lacks clientAuth: serverAuth/,
  },
  {
    name: 'a client certificate whose validity is over',
    artifact: 'admin.conf',
    change: `kubeconfig("admin.conf").certificate |= (${expired})`,
    code: 'PKI_CERTIFICATE_EXPIRED',
    severity: 'error',
    says: /expired: 20/,
  },
  {
    name: 'a kubeconfig that everybody may read',
    artifact: 'admin.conf',
    change: 'artifact("admin.conf").mode = "0644"',
    code: 'PHASES_SECRET_EXPOSED',
    severity: 'warning',
    says: /mode 0644, at most 0640.*chmod 0600/s,
  },
  {
    name: 'a kubeconfig in another place',
    artifact: 'scheduler.conf',
    change: 'artifact("scheduler.conf").location.path += ".yaml"',
    code: 'PHASES_ARTIFACT_MISSING',
    severity: 'error',
    says: /is needed and does not exist.*init phase kubeconfig scheduler/s,
  },
];

/** Each makes one demand of a description unmet. */
export const violations: readonly Violation[] = [...ofCertificates, ...ofKeys, ...ofKubeconfigs];

/** What a maker may do otherwise than the description has it, as no demand asks for it: nothing is said about it. */
export const liberties: readonly Pick<Violation, 'name' | 'change' | 'anew'>[] = [
  {
    name: 'more names',
    change: 'certificate("pki/apiserver.crt").dnsNames += ["api.example.net", "*.example.org"]',
    anew: ['pki/apiserver.crt'],
  },
  {
    name: 'more usages',
    change: 'certificate("pki/apiserver.crt").extendedKeyUsage += ["clientAuth"]',
    anew: ['pki/apiserver.crt'],
  },
  {
    name: 'less time',
    change: 'certificate("pki/front-proxy-client.crt").validityDays = 0.5',
    anew: ['pki/front-proxy-client.crt'],
  },
  {
    name: 'another name of a CA',
    change: 'certificate("pki/front-proxy-ca.crt").subject = { CN: "Front Proxy $1 CA", O: ["Example, Inc."] }',
    anew: ['pki/front-proxy-ca.crt', 'pki/front-proxy-client.crt'],
  },
  {
    name: 'another algorithm',
    change: 'key("pki/etcd/server.key") |= (.algorithm = "RSA-3072" | .encoding = "PKCS#1")',
    anew: ['pki/etcd/server.key', 'pki/etcd/server.crt'],
  },
  { name: 'another encoding', change: 'key("pki/sa.key").encoding = "PKCS#8"', anew: ['pki/sa.key', 'pki/sa.pub'] },
  {
    name: 'a key that fewer may read',
    change: 'artifact("pki/sa.key").mode = "0400"',
    anew: ['pki/sa.key', 'pki/sa.pub'],
  },
  {
    name: 'other names inside a kubeconfig',
    change:
      'kubeconfig("super-admin.conf") |= (.userName = "root" | .clusterName = "here" | .contextName = "root@here")',
    anew: ['super-admin.conf'],
  },
];

/** Demands, as code and severity, that no change of a description makes the scripts miss alone, and why. */
export const inviolable: Readonly<Record<string, string>> = {
  'BOOTSTRAP_KEY_PUBLIC warning': 'the scripts put keys into files of their own',
  'BOOTSTRAP_KEY_UNFIT error': 'the scripts make no keys of other kinds',
  'BOOTSTRAP_KUBECONFIG_FILE_NOT_MOUNTED warning': 'the credentials are always embedded',
  'BOOTSTRAP_KUBELET_CERTIFICATE_LOST error': 'the credentials are always embedded',
  'KUBECONFIG_CA_ELSEWHERE warning': 'the CA is always embedded',
  'KUBECONFIG_CA_UNREADABLE error': 'the CA is always embedded',
  'KUBECONFIG_CONNECTION_UNUSUAL warning': 'a description has no such fields',
  'KUBECONFIG_CONTEXT_MISSING error': 'the context comes from the same data as what it names',
  'KUBECONFIG_CREDENTIALS_MISSING error': 'the credentials are always embedded',
  'KUBECONFIG_CREDENTIALS_REFUSED error': 'credentials are always a certificate',
  'KUBECONFIG_CREDENTIALS_UNJUDGED warning': 'the credentials are always embedded',
  'KUBECONFIG_IMPERSONATES error': 'a description has no such fields',
  'KUBECONFIG_IMPERSONATES warning': 'a description has no such fields',
  'KUBECONFIG_UNREADABLE error': 'jq writes readable documents',
  'KUBECONFIG_UNUSABLE error': 'a description has no such fields',
  'PKI_CERTIFICATE_EXPIRED warning': 'of a CA; what it signed is refused, and that is what init tells',
  'PKI_CERTIFICATE_NOT_ALONE error': 'each certificate has a file of its own',
  'PKI_CERTIFICATE_NOT_YET_VALID error': 'a validity is asked for in days from now',
  'PKI_CERTIFICATE_NOT_YET_VALID warning': 'a validity is asked for in days from now',
  'PKI_CERTIFICATE_UNREADABLE error': 'openssl and cfssl write readable certificates',
  'PHASES_OWNER_FOREIGN warning': 'the scripts run as root',
};
