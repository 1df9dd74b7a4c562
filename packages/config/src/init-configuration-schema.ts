import type {
  ApiEndpoint,
  Arg,
  BootstrapToken,
  EnvVar,
  EnvVarSource,
  HostPathMount,
  ImagePullPolicy,
  InitConfiguration,
  KeySelector,
  NodeRegistration,
  Patches,
  Taint,
  Timeouts,
} from './configuration-types.ts';
import {
  bool,
  duration,
  type Field,
  int32,
  list,
  nullableList,
  quantity,
  string,
  struct,
  time,
  token,
} from './field-schema.ts';

/** kubeadm.k8s.io/v1beta4, types.go and defaults.go. */
const argRows = { name: string({ always: true }), value: string({ always: true }) };
export const arg: Field<Arg> = struct<Arg>(argRows);

/** An argument of kubeadm.k8s.io/v1: how it is combined with a default argument of the same name. */
export interface ArgWithMergeMethod extends Arg {
  /** `append`, `prepend`, or empty: replace. */
  readonly mergeMethod: string;
}

export const argWithMergeMethod: Field<ArgWithMergeMethod> = struct<ArgWithMergeMethod>({
  ...argRows,
  mergeMethod: string(),
});

const keySelector: Field<KeySelector> = struct<KeySelector>(
  { name: string(), key: string({ always: true }), optional: bool({ optional: true }) },
  { optional: true },
);

const envVarSource: Field<EnvVarSource> = struct<EnvVarSource>(
  {
    fieldRef: struct<NonNullable<EnvVarSource['fieldRef']>>(
      { apiVersion: string({ default: 'v1' }), fieldPath: string({ always: true }) },
      { optional: true },
    ),
    resourceFieldRef: struct<NonNullable<EnvVarSource['resourceFieldRef']>>(
      {
        containerName: string(),
        resource: string({ always: true }),
        divisor: quantity({ always: true, default: '0' }),
      },
      { optional: true },
    ),
    configMapKeyRef: keySelector,
    secretKeyRef: keySelector,
    fileKeyRef: struct<NonNullable<EnvVarSource['fileKeyRef']>>(
      {
        volumeName: string({ always: true }),
        path: string({ always: true }),
        key: string({ always: true }),
        optional: bool({ optional: true }),
      },
      { optional: true },
    ),
  },
  { optional: true },
);

export const envVar: Field<EnvVar> = struct<EnvVar>({
  name: string({ always: true }),
  value: string(),
  valueFrom: envVarSource,
});

export const hostPathMount: Field<HostPathMount> = struct<HostPathMount>({
  name: string({ always: true }),
  hostPath: string({ always: true }),
  mountPath: string({ always: true }),
  readOnly: bool(),
  pathType: string(),
});

const taint: Field<Taint> = struct<Taint>({
  key: string({ always: true }),
  value: string(),
  effect: string({ always: true }),
  timeAdded: time({ optional: true }),
});

export const defaultTokenUsages: readonly string[] = ['signing', 'authentication'];
export const defaultTokenGroups: readonly string[] = ['system:bootstrappers:kubeadm:default-node-token'];

export const bootstrapToken: Field<BootstrapToken> = struct<BootstrapToken>({
  token: token({ optional: true, always: true }),
  description: string(),
  ttl: duration({ optional: true, default: '24h0m0s' }),
  expires: time({ optional: true }),
  usages: list(string(), { default: defaultTokenUsages }),
  groups: list(string(), { default: defaultTokenGroups }),
});

export const nodeRegistrationOf = (argument: Field<Arg>): Field<NodeRegistration> =>
  struct<NodeRegistration>({
    name: string(),
    criSocket: string(),
    taints: nullableList(taint, { always: true }),
    kubeletExtraArgs: list(argument),
    ignorePreflightErrors: list(string()),
    imagePullPolicy: string<ImagePullPolicy>({ default: 'IfNotPresent' }),
    imagePullSerial: bool({ optional: true, default: true }),
  });

export const apiEndpoint: Field<ApiEndpoint> = struct<ApiEndpoint>({
  advertiseAddress: string(),
  bindPort: int32({ default: 6443 }),
});

export const patches: Field<Patches> = struct<Patches>({ directory: string() }, { optional: true });

export const timeouts: Field<Timeouts> = struct<Timeouts>({
  controlPlaneComponentHealthCheck: duration({ optional: true, default: '4m0s' }),
  kubeletHealthCheck: duration({ optional: true, default: '4m0s' }),
  kubernetesAPICall: duration({ optional: true, default: '1m0s' }),
  etcdAPICall: duration({ optional: true, default: '2m0s' }),
  tlsBootstrap: duration({ optional: true, default: '5m0s' }),
  discovery: duration({ optional: true, default: '5m0s' }),
  upgradeManifests: duration({ optional: true, default: '5m0s' }),
});

const initConfigurationOf = (argument: Field<Arg>): Field<InitConfiguration> =>
  struct<InitConfiguration>({
    // One token is made if none is asked for; its own fields are defaulted from its rows.
    bootstrapTokens: list(bootstrapToken, { default: [{}] as unknown as readonly BootstrapToken[] }),
    dryRun: bool(),
    nodeRegistration: nodeRegistrationOf(argument),
    localAPIEndpoint: apiEndpoint,
    certificateKey: string({ secret: true }),
    skipPhases: list(string()),
    patches,
    timeouts,
  });

export const initConfiguration: Field<InitConfiguration> = initConfigurationOf(arg);

/** kubeadm.k8s.io/v1, which only adds a merge method to arguments. */
export const initConfigurationV1: Field<InitConfiguration> = initConfigurationOf(argWithMergeMethod);
