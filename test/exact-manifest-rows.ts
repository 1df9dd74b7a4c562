/** Configurations of etcd, images, patches and flags. */
import { annotation, args, type ConfigurationRow, external, local } from './exact-configuration.ts';
import { caseFolder } from './sandbox-node.ts';

const version = ['--kubernetes-version', 'v1.37.2'];

export const etcd: Readonly<Record<string, ConfigurationRow>> = {
  'external etcd with TLS': {
    cluster: external({
      endpoints: ['https://e1.example.com:2379', 'https://[2001:db8::5]:2379'],
      caFile: '/srv/etcd/pki/ca.crt',
      certFile: '/srv/etcd/pki/client/c.crt',
      keyFile: '/srv/etcd/keys/c.key',
    }),
  },
  'external etcd without TLS': {
    cluster: external({ endpoints: ['http://192.0.2.21:2379', 'http://192.0.2.22:2379'] }),
  },
  'external etcd with a CA alone, health elsewhere': {
    cluster: external({
      endpoints: ['https://e1:2379'],
      httpEndpoints: ['https://e1:2382'],
      caFile: '/etc/kubernetes/pki2/ca.crt',
    }),
  },
  'external etcd in folders whose names begin alike': {
    cluster: external({
      endpoints: ['https://e1:2379'],
      caFile: '/srv/a/ca.crt',
      certFile: '/srv/ab/c.crt',
      keyFile: '/etc/ssl/certs/etcd/c.key',
    }),
  },
  'another data folder': { cluster: local({ dataDir: '/opt/etcd/data' }) },
  "etcd's arguments and environment": {
    cluster: local({
      extraArgs: args(
        'quota-backend-bytes=8589934592',
        'snapshot-count=5000',
        'listen-metrics-urls=https://[2001:db8::10]:4001/metrics,http://127.0.0.1:2381',
      ),
      extraEnvs: [{ name: 'ETCD_LOG_LEVEL', value: 'off' }],
    }),
  },
};

export const metrics: Readonly<Record<string, ConfigurationRow>> = {
  'metrics at an address without a scheme': {
    cluster: local({ extraArgs: args('listen-metrics-urls=//192.0.2.10:4001') }),
  },
  'metrics where no address is': { cluster: local({ extraArgs: args('listen-metrics-urls=192.0.2.10:4001') }) },
  'metrics at a port that is too large': {
    cluster: local({ extraArgs: args('listen-metrics-urls=http://192.0.2.10:99999') }),
  },
  'metrics at an address with a zone': {
    cluster: local({ extraArgs: args('listen-metrics-urls=http://[fe80::1%25veth0]:4001') }),
  },
  'metrics at a host that is none': { cluster: local({ extraArgs: args('listen-metrics-urls=http://a b:4001') }) },
  'other client URLs': {
    cluster: local({
      extraArgs: args(
        'advertise-client-urls=https://a.example.com:2379',
        'advertise-client-urls=https://b.example.com:2379',
      ),
    }),
  },
};

export const images: Readonly<Record<string, ConfigurationRow>> = {
  'a repository with a port': { cluster: { imageRepository: 'registry.example.com:5000/a/b' } },
  'images of etcd and DNS from elsewhere': {
    cluster: { ...local({ imageRepository: '[2001:db8::1]:5000/e', imageTag: '3.7.0-1' }), dns: { imageTag: 'v9' } },
  },
  'a version with build metadata': { cluster: { kubernetesVersion: 'v1.37.1+custom.1' } },
  'the minor version before': { cluster: { kubernetesVersion: '1.36.3' } },
};

export const patching: Readonly<Record<string, ConfigurationRow>> = {
  'strategic patches of all pods': {
    patches: {
      'etcd.yaml': annotation('etcd'),
      'kube-apiserver0.yaml':
        'spec: {containers: [{name: kube-apiserver, env: [{name: GOGC, value: "50"}], resources: {requests: {cpu: 0.5}}}]}\n',
      'kube-controller-manager.json':
        '{"spec": {"containers": [{"name": "kube-controller-manager", "livenessProbe": {"failureThreshold": 20}}]}}',
      'sub/kube-scheduler+strategic.yaml':
        'spec: {tolerations: [{operator: Exists}], volumes: [{name: kubeconfig, $patch: delete}]}\n',
    },
  },
  'merge patches of all pods': {
    patches: {
      'etcd+merge.yaml': 'metadata: {labels: {tier: null}}\n',
      'kube-apiserver+merge.json': '{"spec": {"hostAliases": [{"ip": "192.0.2.1", "hostnames": ["a"]}]}}',
      'kube-controller-manager1+merge.yaml': 'spec: {priority: null, dnsPolicy: ClusterFirstWithHostNet}\n',
      'kube-scheduler+merge.yaml': 'spec: {containers: [{name: kube-scheduler, image: x}], volumes: null}\n',
    },
  },
  'JSON patches of all pods': {
    patches: Object.fromEntries(
      ['etcd', 'kube-apiserver', 'kube-controller-manager', 'kube-scheduler'].map((target) => [
        `${target}+json.${target === 'etcd' ? 'json' : 'yaml'}`,
        JSON.stringify([
          { op: 'add', path: '/spec/containers/0/command/-', value: '--v=4' },
          { op: 'replace', path: '/spec/containers/0/imagePullPolicy', value: 'Always' },
          { op: 'test', path: '/kind', value: 'Pod' },
        ]),
      ]),
    ),
  },
};

export const flags: Readonly<Record<string, ConfigurationRow>> = {
  'flags in place of a file': {
    flags: {
      'certs all': [
        ...version,
        '--apiserver-cert-extra-sans',
        'a.example.com,203.0.113.7',
        '--apiserver-advertise-address',
        '192.0.2.10',
        '--control-plane-endpoint',
        'lb.example.com:8443',
        '--service-cidr',
        '10.32.0.0/16',
        '--service-dns-domain',
        'k8s.example',
      ],
      'kubeconfig all': [
        ...version,
        '--apiserver-bind-port',
        '7443',
        '--control-plane-endpoint',
        'lb.example.com:8443',
        '--node-name',
        'node-z',
      ],
      'control-plane all': [
        ...version,
        '--apiserver-bind-port',
        '7443',
        '--pod-network-cidr',
        '10.244.0.0/16',
        '--image-repository',
        'registry.example.com:5000/k8s',
        '--feature-gates',
        'RootlessControlPlane=false',
      ],
    },
  },
  'deprecated flags of arguments': {
    flags: {
      'control-plane all': [
        ...version,
        '--apiserver-extra-args',
        'a=b,c=d',
        '--apiserver-extra-args=a=again,e=',
        '--controller-manager-extra-args',
        'v=4',
        '--scheduler-extra-args',
        'bind-address=0.0.0.0',
      ],
    },
  },
  'folders by flags, patches too': {
    patches: { 'kube-scheduler.yaml': annotation('patched') },
    flags: {
      'certs all': [...version, '--cert-dir', '/opt/pki'],
      'kubeconfig all': [...version, '--cert-dir', '/opt/pki', '--kubeconfig-dir', '/opt/conf'],
      'control-plane all': [...version, '--cert-dir=/opt/pki', '--patches', `${caseFolder}/patches`],
    },
  },
};
