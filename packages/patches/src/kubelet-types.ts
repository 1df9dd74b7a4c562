/** The fields of the configuration of the kubelet, as k8s.io/kubelet/config/v1beta1 v0.37.2 declares them; printed by testdata/go-patches, read by field-table.ts. */
export const kubeletTypes: string = `
CrashLoopBackOffConfig: maxContainerRestartPeriod *duration
FormatOptions: text TextOptions! | json JSONOptions!
JSONOptions: splitStream bool | infoBufferSize quantity!
KubeletAnonymousAuthentication: enabled *bool
KubeletAuthentication: x509 KubeletX509Authentication! | webhook KubeletWebhookAuthentication! |
  anonymous KubeletAnonymousAuthentication!
KubeletAuthorization: mode string | webhook KubeletWebhookAuthorization!
KubeletConfiguration: kind string | apiVersion string | enableServer *bool | staticPodPath string | podLogsDir string |
  syncFrequency duration! | fileCheckFrequency duration! | httpCheckFrequency duration! | staticPodURL string |
  staticPodURLHeader map:[]string | address string | port int32 | readOnlyPort int32 | tlsCertFile string |
  tlsPrivateKeyFile string | tlsCipherSuites []string | tlsCurvePreferences []int32 | tlsMinVersion string |
  rotateCertificates bool | serverTLSBootstrap bool | authentication KubeletAuthentication! |
  authorization KubeletAuthorization! | registryPullQPS *int32 | registryBurst int32 |
  imagePullCredentialsVerificationPolicy string | preloadedImagesVerificationAllowlist []string |
  eventRecordQPS *int32 | eventBurst int32 | enableDebuggingHandlers *bool | enableContentionProfiling bool |
  healthzPort *int32 | healthzBindAddress string | oomScoreAdj *int32 | clusterDomain string | clusterDNS []string |
  streamingConnectionIdleTimeout duration! | nodeStatusUpdateFrequency duration! | nodeStatusReportFrequency duration! |
  nodeLeaseDurationSeconds int32 | imageMinimumGCAge duration! | imageMaximumGCAge duration! |
  imageGCHighThresholdPercent *int32 | imageGCLowThresholdPercent *int32 | volumeStatsAggPeriod duration! |
  kubeletCgroups string | systemCgroups string | cgroupRoot string | cgroupsPerQOS *bool | cgroupDriver string |
  cpuManagerPolicy string | singleProcessOOMKill *bool | cpuManagerPolicyOptions map:string |
  cpuManagerReconcilePeriod duration! | memoryManagerPolicy string | topologyManagerPolicy string |
  topologyManagerScope string | topologyManagerPolicyOptions map:string | qosReserved map:string |
  runtimeRequestTimeout duration! | hairpinMode string | maxPods int32 | podCIDR string | podPidsLimit *int64 |
  resolvConf *string | runOnce bool | cpuCFSQuota *bool | cpuCFSQuotaPeriod *duration | nodeStatusMaxImages *int32 |
  maxOpenFiles int64 | contentType string | kubeAPIQPS *int32 | kubeAPIBurst int32 | serializeImagePulls *bool |
  maxParallelImagePulls *int32 | evictionHard map:string | evictionSoft map:string |
  evictionSoftGracePeriod map:string | evictionPressureTransitionPeriod duration! | evictionMaxPodGracePeriod int32 |
  evictionMinimumReclaim map:string | mergeDefaultEvictionSettings *bool | podsPerCore int32 |
  enableControllerAttachDetach *bool | protectKernelDefaults bool | makeIPTablesUtilChains *bool |
  iptablesMasqueradeBit *int32 | iptablesDropBit *int32 | featureGates map:bool | failSwapOn *bool |
  memorySwap MemorySwapConfiguration! | containerLogMaxSize string | containerLogMaxFiles *int32 |
  containerLogMaxWorkers *int32 | containerLogMonitorInterval *duration |
  configMapAndSecretChangeDetectionStrategy string | systemReserved map:string | kubeReserved map:string |
  reservedSystemCPUs string | showHiddenMetricsForVersion string | systemReservedCgroup string |
  kubeReservedCgroup string | enforceNodeAllocatable []string | allowedUnsafeSysctls []string |
  defaultPodSysctls map:string | volumePluginDir string | providerID string | kernelMemcgNotification bool |
  logging LoggingConfiguration! | enableSystemLogHandler *bool | enableSystemLogQuery *bool |
  shutdownGracePeriod duration! | shutdownGracePeriodCriticalPods duration! |
  shutdownGracePeriodByPodPriority []ShutdownGracePeriodByPodPriority | crashLoopBackOff CrashLoopBackOffConfig! |
  reservedMemory []MemoryReservation | enableProfilingHandler *bool | enableDebugFlagsHandler *bool |
  seccompDefault *bool | memoryThrottlingFactor *float64 | memoryReservationPolicy string | registerWithTaints []Taint |
  registerNode *bool | tracing *TracingConfiguration | localStorageCapacityIsolation *bool |
  containerRuntimeEndpoint string! | imageServiceEndpoint string | failCgroupV1 *bool | userNamespaces *UserNamespaces
KubeletWebhookAuthentication: enabled *bool | cacheTTL duration!
KubeletWebhookAuthorization: cacheAuthorizedTTL duration! | cacheUnauthorizedTTL duration!
KubeletX509Authentication: clientCAFile string
LoggingConfiguration: format string | flushFrequency any! | verbosity uint32! | vmodule []VModuleItem |
  options FormatOptions!
MemoryReservation: numaNode int32! | limits map:quantity!
MemorySwapConfiguration: swapBehavior string
ShutdownGracePeriodByPodPriority: priority int32! | shutdownGracePeriodSeconds int64!
TextOptions: splitStream bool | infoBufferSize quantity!
TracingConfiguration: endpoint *string | samplingRatePerMillion *int32
UserNamespaces: idsPerPod *int64
VModuleItem: filePattern string! | verbosity uint32!
`;
