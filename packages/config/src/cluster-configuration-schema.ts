import type {
  ApiServer,
  Arg,
  ClusterConfiguration,
  ControlPlaneComponent,
  EncryptionAlgorithm,
  Etcd,
  ExternalEtcd,
  LocalEtcd,
  Networking,
} from './configuration-types.ts';
import { bool, duration, type Field, list, map, string, struct } from './field-schema.ts';
import { arg, argWithMergeMethod, envVar, hostPathMount } from './init-configuration-schema.ts';

const componentRows = (argument: Field<Arg>) => ({
  extraArgs: list(argument),
  extraVolumes: list(hostPathMount),
  extraEnvs: list(envVar),
});

const localEtcdOf = (argument: Field<Arg>): Field<LocalEtcd> =>
  struct<LocalEtcd>(
    {
      imageRepository: string(),
      imageTag: string(),
      dataDir: string({ always: true, default: '/var/lib/etcd' }),
      extraArgs: list(argument),
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

const clusterConfigurationOf = (argument: Field<Arg>): Field<ClusterConfiguration> =>
  struct<ClusterConfiguration>({
    etcd: struct<Etcd>({ local: localEtcdOf(argument), external: externalEtcd }),
    networking: struct<Networking>({
      serviceSubnet: string({ default: '10.96.0.0/12' }),
      podSubnet: string(),
      dnsDomain: string({ default: 'cluster.local' }),
    }),
    kubernetesVersion: string({ default: 'stable-1' }),
    controlPlaneEndpoint: string(),
    apiServer: struct<ApiServer>({ ...componentRows(argument), certSANs: list(string()) }),
    controllerManager: struct<ControlPlaneComponent>(componentRows(argument)),
    scheduler: struct<ControlPlaneComponent>(componentRows(argument)),
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

/**
 * kubeadm.k8s.io/v1beta4, types.go and defaults.go. The defaults that depend on other fields are in
 * normalize-configuration.ts.
 */
export const clusterConfiguration: Field<ClusterConfiguration> = clusterConfigurationOf(arg);

/** kubeadm.k8s.io/v1, which only adds a merge method to arguments. */
export const clusterConfigurationV1: Field<ClusterConfiguration> = clusterConfigurationOf(argWithMergeMethod);
