import type { DecodedKubeletConfiguration } from './configuration-types.ts';
import {
  any,
  bool,
  duration,
  type Field,
  type Fields,
  float,
  int32,
  int64,
  list,
  map,
  nullableList,
  quantity,
  string,
  struct,
  uint32,
} from './field-schema.ts';

type Struct = Readonly<Record<string, unknown>>;
type Rows = Readonly<Record<string, Field<unknown>>>;
/** A struct whose fields nobody here looks at. */
export const section = (rows: Rows, options: Partial<Field<Struct>> = {}): Field<Struct> =>
  struct<Struct>(rows as Fields<Struct>, options);

const optional = { optional: true } as const;
const always = { always: true } as const;

const outputRouting = section({ splitStream: bool(), infoBufferSize: quantity() });

/** component-base, logs/api/v1, LoggingConfiguration. */
export const logging: Field<Struct> = section({
  format: string(),
  flushFrequency: { kind: 'log-duration', always: true },
  verbosity: uint32(always),
  vmodule: list(section({ filePattern: string(always), verbosity: uint32(always) })),
  options: section({ text: outputRouting, json: outputRouting }),
});

/** Rows of fields that have one shape: name → row. */
const named = (names: string, row: Field<unknown>): Rows =>
  Object.fromEntries(
    names
      .trim()
      .split(/\s+/)
      .map((name) => [name, row]),
  );

const plainRows: Rows = {
  ...named(
    `podLogsDir staticPodURL address tlsCertFile tlsPrivateKeyFile tlsMinVersion imagePullCredentialsVerificationPolicy
    kubeletCgroups systemCgroups cgroupRoot cpuManagerPolicy memoryManagerPolicy topologyManagerPolicy topologyManagerScope
    hairpinMode podCIDR contentType containerLogMaxSize configMapAndSecretChangeDetectionStrategy reservedSystemCPUs
    showHiddenMetricsForVersion systemReservedCgroup kubeReservedCgroup volumePluginDir providerID memoryReservationPolicy
    imageServiceEndpoint`,
    string(),
  ),
  ...named(
    `syncFrequency fileCheckFrequency httpCheckFrequency streamingConnectionIdleTimeout nodeStatusUpdateFrequency
    nodeStatusReportFrequency imageMinimumGCAge imageMaximumGCAge volumeStatsAggPeriod cpuManagerReconcilePeriod
    runtimeRequestTimeout evictionPressureTransitionPeriod shutdownGracePeriod shutdownGracePeriodCriticalPods`,
    duration(),
  ),
  ...named('cpuCFSQuotaPeriod containerLogMonitorInterval', duration(optional)),
  ...named(
    `port registryBurst eventBurst nodeLeaseDurationSeconds maxPods kubeAPIBurst evictionMaxPodGracePeriod podsPerCore`,
    int32(),
  ),
  ...named(
    `registryPullQPS eventRecordQPS oomScoreAdj imageGCHighThresholdPercent imageGCLowThresholdPercent nodeStatusMaxImages
    kubeAPIQPS maxParallelImagePulls iptablesMasqueradeBit iptablesDropBit containerLogMaxFiles containerLogMaxWorkers`,
    int32(optional),
  ),
  maxOpenFiles: int64(),
  podPidsLimit: int64(optional),
  memoryThrottlingFactor: float(optional),
  ...named(
    `serverTLSBootstrap enableContentionProfiling runOnce protectKernelDefaults kernelMemcgNotification`,
    bool(),
  ),
  ...named(
    `enableServer enableDebuggingHandlers cgroupsPerQOS singleProcessOOMKill cpuCFSQuota serializeImagePulls
    mergeDefaultEvictionSettings enableControllerAttachDetach makeIPTablesUtilChains failSwapOn enableSystemLogHandler
    enableSystemLogQuery enableProfilingHandler enableDebugFlagsHandler seccompDefault registerNode
    localStorageCapacityIsolation failCgroupV1`,
    bool(optional),
  ),
  ...named(
    `tlsCipherSuites preloadedImagesVerificationAllowlist enforceNodeAllocatable allowedUnsafeSysctls`,
    list(string()),
  ),
  tlsCurvePreferences: list(int32()),
  ...named(
    `cpuManagerPolicyOptions topologyManagerPolicyOptions qosReserved evictionHard evictionSoft evictionSoftGracePeriod
    evictionMinimumReclaim systemReserved kubeReserved defaultPodSysctls`,
    map(string()),
  ),
  staticPodURLHeader: map(list(string())),
  featureGates: map(bool()),
  memorySwap: section({ swapBehavior: string() }),
  logging,
  shutdownGracePeriodByPodPriority: list(
    section({ priority: int32(always), shutdownGracePeriodSeconds: int64(always) }),
  ),
  crashLoopBackOff: section({ maxContainerRestartPeriod: duration(optional) }),
  reservedMemory: list(section({ numaNode: int32(always), limits: map(quantity(), { always: true, nullable: true }) })),
  registerWithTaints: list(section({ key: string(always), value: string(), effect: string(always), timeAdded: any() })),
  tracing: section({ endpoint: string(optional), samplingRatePerMillion: int32(optional) }, optional),
  userNamespaces: section({ idsPerPod: int64(optional) }, optional),
};

/**
 * kubelet.config.k8s.io/v1beta1 of Kubernetes 1.37 (k8s.io/kubelet, config/v1beta1/types.go). Without defaults: the
 * kubelet has its own, and kubeadm's are in kubelet-configuration.ts.
 */
export const kubeletConfigurationSchema: Field<DecodedKubeletConfiguration> = struct<DecodedKubeletConfiguration>({
  ...(plainRows as Readonly<Record<string, Field<unknown>>>),
  authentication: struct<DecodedKubeletConfiguration['authentication']>({
    anonymous: struct<{ enabled?: boolean }>({ enabled: bool(optional) }),
    webhook: struct<{ enabled?: boolean; cacheTTL: string }>({ enabled: bool(optional), cacheTTL: duration() }),
    x509: struct<{ clientCAFile: string }>({ clientCAFile: string() }),
  }),
  authorization: struct<DecodedKubeletConfiguration['authorization']>({
    mode: string(),
    webhook: section({ cacheAuthorizedTTL: duration(), cacheUnauthorizedTTL: duration() }),
  } as Fields<DecodedKubeletConfiguration['authorization']>),
  cgroupDriver: string(),
  clusterDNS: nullableList(string()),
  clusterDomain: string(),
  containerRuntimeEndpoint: string(always),
  healthzBindAddress: string(),
  healthzPort: int32(optional),
  readOnlyPort: int32(),
  resolvConf: string(optional),
  rotateCertificates: bool(),
  staticPodPath: string(),
} as Fields<DecodedKubeletConfiguration>);
