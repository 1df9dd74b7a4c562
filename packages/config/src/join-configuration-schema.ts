import type {
  BootstrapTokenDiscovery,
  Discovery,
  FileDiscovery,
  JoinConfiguration,
  JoinControlPlane,
} from './command-configuration-types.ts';
import type { Arg } from './configuration-types.ts';
import { bool, type Field, list, string, struct } from './field-schema.ts';
import {
  apiEndpoint,
  arg,
  argWithMergeMethod,
  nodeRegistrationOf,
  patches,
  timeouts,
} from './init-configuration-schema.ts';

const bootstrapTokenDiscovery: Field<BootstrapTokenDiscovery> = struct<BootstrapTokenDiscovery>(
  {
    token: string({ always: true, secret: true }),
    apiServerEndpoint: string(),
    caCertHashes: list(string()),
    unsafeSkipCAVerification: bool(),
  },
  { optional: true },
);

const fileDiscovery: Field<FileDiscovery> = struct<FileDiscovery>(
  { kubeConfigPath: string({ always: true }) },
  { optional: true },
);

const joinControlPlane: Field<JoinControlPlane> = struct<JoinControlPlane>(
  { localAPIEndpoint: apiEndpoint, certificateKey: string({ secret: true }) },
  { optional: true },
);

const joinConfigurationOf = (argument: Field<Arg>): Field<JoinConfiguration> =>
  struct<JoinConfiguration>({
    dryRun: bool(),
    nodeRegistration: nodeRegistrationOf(argument),
    caCertPath: string({ default: '/etc/kubernetes/pki/ca.crt' }),
    discovery: struct<Discovery>({
      bootstrapToken: bootstrapTokenDiscovery,
      file: fileDiscovery,
      tlsBootstrapToken: string({ secret: true }),
    }),
    controlPlane: joinControlPlane,
    skipPhases: list(string()),
    patches,
    timeouts,
  });

/** kubeadm.k8s.io/v1beta4, types.go and defaults.go. The token for TLS bootstrap is defaulted when normalizing. */
export const joinConfiguration: Field<JoinConfiguration> = joinConfigurationOf(arg);

/** kubeadm.k8s.io/v1, which only adds a merge method to arguments. */
export const joinConfigurationV1: Field<JoinConfiguration> = joinConfigurationOf(argWithMergeMethod);
