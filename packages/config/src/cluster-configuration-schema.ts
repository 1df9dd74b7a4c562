import type {
  ApiServer,
  ClusterConfiguration,
  ControlPlaneComponent,
  EncryptionAlgorithm,
  Etcd,
  ExternalEtcd,
  LocalEtcd,
  Networking,
} from './configuration-types.ts';
import { bool, duration, type Field, list, map, string, struct } from './field-schema.ts';
import { arg, envVar, hostPathMount } from './init-configuration-schema.ts';

const component = {
  extraArgs: list(arg),
  extraVolumes: list(hostPathMount),
  extraEnvs: list(envVar),
};

const localEtcd: Field<LocalEtcd> = struct<LocalEtcd>(
  {
    imageRepository: string(),
    imageTag: string(),
    dataDir: string({ always: true, default: '/var/lib/etcd' }),
    extraArgs: list(arg),
    extraEnvs: list(envVar),
    serverCertSANs: list(string()),
    peerCertSANs: list(string()),
  },
  { optional: true },
);

const externalEtcd: Field<ExternalEtcd> = struct<ExternalEtcd>(
  {
    endpoints: list(string(), { always: true }),
    httpEndpoints: list(string()),
    caFile: string({ always: true }),
    certFile: string({ always: true }),
    keyFile: string({ always: true }),
  },
  { optional: true },
);

/** kubeadm.k8s.io/v1beta4, types.go and defaults.go. The defaults that depend on other fields are in default-configuration.ts. */
export const clusterConfiguration: Field<ClusterConfiguration> = struct<ClusterConfiguration>({
  etcd: struct<Etcd>({ local: localEtcd, external: externalEtcd }),
  networking: struct<Networking>({
    serviceSubnet: string({ default: '10.96.0.0/12' }),
    podSubnet: string(),
    dnsDomain: string({ default: 'cluster.local' }),
  }),
  kubernetesVersion: string({ default: 'stable-1' }),
  controlPlaneEndpoint: string(),
  apiServer: struct<ApiServer>({ ...component, certSANs: list(string()) }),
  controllerManager: struct<ControlPlaneComponent>(component),
  scheduler: struct<ControlPlaneComponent>(component),
  dns: struct<ClusterConfiguration['dns']>({ imageRepository: string(), imageTag: string(), disabled: bool() }),
  proxy: struct<ClusterConfiguration['proxy']>({ disabled: bool() }),
  certificatesDir: string({ default: '/etc/kubernetes/pki' }),
  imageRepository: string({ default: 'registry.k8s.io' }),
  featureGates: map(bool()),
  clusterName: string({ default: 'kubernetes' }),
  encryptionAlgorithm: string<EncryptionAlgorithm>({ default: 'RSA-2048' }),
  certificateValidityPeriod: duration({ optional: true, default: '8760h0m0s' }),
  caCertificateValidityPeriod: duration({ optional: true, default: '87600h0m0s' }),
});
