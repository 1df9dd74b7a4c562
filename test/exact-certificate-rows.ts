/** Configurations that certificates and kubeconfigs depend on. */
import { advertise, type ConfigurationRow, local, networking } from './exact-configuration.ts';

/** A CA as another tool makes it: names in several string types, a serial number of 20 bytes, years ago. */
function foreignAuthority(name: string, path: string): readonly string[] {
  return [
    `mkdir -p $(dirname ${path})`,
    `openssl ecparam -name prime256v1 -genkey -noout -out ${path}.key`,
    `openssl req -x509 -key ${path}.key -days 5000 -utf8 -subj '${name}' -addext keyUsage=critical,keyCertSign,digitalSignature -out ${path}.crt 2>/dev/null`,
    `chmod 600 ${path}.key`,
  ];
}

export const algorithms: Readonly<Record<string, ConfigurationRow>> = {
  'RSA-2048, which is the default': { cluster: { encryptionAlgorithm: undefined } },
  'RSA-3072': {
    cluster: { encryptionAlgorithm: 'RSA-3072' },
    phases: ['certs ca', 'certs apiserver', 'kubeconfig scheduler'],
  },
  'RSA-4096': {
    cluster: { encryptionAlgorithm: 'RSA-4096' },
    phases: ['certs ca', 'certs apiserver', 'kubeconfig admin'],
  },
  'ECDSA-P256': {},
  'ECDSA-P384': { cluster: { encryptionAlgorithm: 'ECDSA-P384' } },
};

export const names: Readonly<Record<string, ConfigurationRow>> = {
  'more names in the API server certificate': {
    cluster: {
      apiServer: { certSANs: ['b.example.com', 'a.example.com', '203.0.113.7', 'b.example.com', '10.96.0.1'] },
    },
  },
  'names with wildcards, capitals and IPv6': {
    cluster: {
      apiServer: {
        certSANs: ['*.Example.COM', 'API.example.com', '2001:DB8:0:0::5', '::ffff:203.0.113.9', 'api.example.com'],
      },
    },
  },
  "more names in etcd's certificates": {
    cluster: local({
      serverCertSANs: ['etcd.example.com', '203.0.113.8', '*.etcd.example.com'],
      peerCertSANs: ['2001:db8::7'],
    }),
  },
  'a node name of several labels': { init: { nodeRegistration: { name: 'node-1.rack-2.example.com' } } },
  'a node name that is longer than a common name may be': {
    init: { nodeRegistration: { name: `${'long-name-'.repeat(6)}a.${'long-name-'.repeat(5)}b` } },
  },
  'a node name that looks like a number': { init: { nodeRegistration: { name: '1e3' } } },
  'a host name in capitals': { hostName: 'Node-B.Example.COM' },
  'another DNS domain': { cluster: { networking: { dnsDomain: 'k8s.example.internal' } } },
  'another cluster name': { cluster: { clusterName: 'on' } },
  'an endpoint with a name': { cluster: { controlPlaneEndpoint: 'lb.example.com' } },
  'an endpoint with a name and a port': { cluster: { controlPlaneEndpoint: 'lb.example.com:8443' } },
  'an endpoint with an address and a port': { cluster: { controlPlaneEndpoint: '203.0.113.20:443' } },
  'an endpoint with an IPv6 address and a port': { cluster: { controlPlaneEndpoint: '[2001:DB8::20]:8443' } },
  'an endpoint with an IPv6 address': {
    cluster: { controlPlaneEndpoint: '2001:db8::20' },
    init: advertise('192.0.2.10', 7443),
  },
};

export const networks: Readonly<Record<string, ConfigurationRow>> = {
  'another port and longer time-outs': {
    init: { ...advertise('192.0.2.10', 8443), timeouts: { controlPlaneComponentHealthCheck: '6m35s' } },
  },
  'pod addresses': { cluster: networking('10.32.0.0/16', '10.244.0.0/16') },
  IPv6: { cluster: networking('fd00:10:96::/112', 'fd00:10:244::/56'), init: advertise('2001:db8::10') },
  'IPv6 in a long form': { cluster: networking('FD00:AB::0:0/108'), init: advertise('2001:DB8:0:0:0:0:0:10') },
  'two families, IPv4 first': { cluster: networking('10.96.0.0/16,fd00:ab::/112', '10.244.0.0/16,fd01::/48') },
  'two families, IPv6 first': {
    cluster: networking('fd00:ab::/112,10.96.0.0/16', 'fd01::/48,10.244.0.0/16'),
    init: advertise('2001:db8::10'),
  },
  'two families, services IPv4 first, advertised as IPv6': {
    cluster: networking('10.96.0.0/16,fd00:ab::/112'),
    init: advertise('2001:db8::10'),
  },
};

export const folders: Readonly<Record<string, ConfigurationRow>> = {
  'another certificates folder': { cluster: { certificatesDir: '/opt/pki' } },
  'a certificates folder with dots and a slash at the end': {
    cluster: { certificatesDir: '/etc/kubernetes/x/../certs/' },
  },
  'folders of CA certificates on the host': {
    prepare: [
      'mkdir -p /etc/pki/ca-trust /etc/pki/tls /etc/pki/elsewhere',
      'ln -s ../elsewhere /etc/pki/tls/certs',
      'rm -rf /etc/ca-certificates',
      'ln -s /nowhere /etc/ca-certificates',
      'mount -t tmpfs none /usr/local/share',
      'touch /usr/local/share/ca-certificates',
    ],
  },
  'a umask that takes everything from others': { umask: '077' },
};

export const validity: Readonly<Record<string, ConfigurationRow>> = {
  'certificates that outlive 2049': {
    cluster: { certificateValidityPeriod: '262800h', caCertificateValidityPeriod: '438000h' },
  },
  'certificates for minutes': { cluster: { certificateValidityPeriod: '30m30s', caCertificateValidityPeriod: '1h' } },
  'certificates that outlive their CA': {
    cluster: { certificateValidityPeriod: '1000h', caCertificateValidityPeriod: '10h' },
  },
  'time-spans in fractions': {
    cluster: { certificateValidityPeriod: '100.5h', caCertificateValidityPeriod: '2000.25h' },
  },
};

export const foreign: Readonly<Record<string, ConfigurationRow>> = {
  'CAs that another tool made': {
    prepare: [
      ...foreignAuthority(
        '/C=AT/O=Ex\u00e4mple/OU=One/OU=Two/CN=Root CA/emailAddress=ca@example.com',
        '/etc/kubernetes/pki/ca',
      ),
      ...foreignAuthority('/DC=com/DC=example/CN=etcd', '/etc/kubernetes/pki/etcd/ca'),
    ],
    // Certificates in kubeconfigs begin with the CA, or for us now: a difference that the documentation names.
    phases: ['certs all', 'control-plane all', 'etcd local'],
  },
  'a CA without its key': {
    prepare: [
      'TOOL init phase certs all --config /srv/case/config.yaml > /dev/null',
      'TOOL init phase kubeconfig all --config /srv/case/config.yaml > /dev/null',
      'rm /etc/kubernetes/pki/ca.key',
    ],
  },
  'certificates in part': {
    prepare: [
      'TOOL init phase certs all --config /srv/case/config.yaml > /dev/null',
      'cd /etc/kubernetes/pki && rm apiserver.* etcd/peer.* front-proxy-*',
      'cd /',
    ],
  },
};
