import type { DecodedKubeProxyConfiguration } from './configuration-types.ts';
import {
  bool,
  duration,
  type Field,
  type Fields,
  float32,
  int32,
  map,
  nullableList,
  string,
  struct,
} from './field-schema.ts';
import { logging, section } from './kubelet-configuration-schema.ts';

const always = { always: true } as const;
/** A Go pointer without omitempty: written as null when unset. */
const nullable = { optional: true, always: true } as const;

const syncPeriods = { syncPeriod: duration(always), minSyncPeriod: duration(always) };

/**
 * kubeproxy.config.k8s.io/v1alpha1 of Kubernetes 1.37 (k8s.io/kube-proxy, config/v1alpha1/types.go). Without defaults:
 * kubeadm's are in kube-proxy-configuration.ts.
 */
export const kubeProxyConfigurationSchema: Field<DecodedKubeProxyConfiguration> = struct<DecodedKubeProxyConfiguration>(
  {
    featureGates: map(bool()),
    clientConnection: struct<DecodedKubeProxyConfiguration['clientConnection']>({
      kubeconfig: string(always),
      acceptContentTypes: string(always),
      contentType: string(always),
      qps: float32(always),
      burst: int32(always),
    }),
    logging,
    hostnameOverride: string(always),
    bindAddress: string(always),
    healthzBindAddress: string(always),
    metricsBindAddress: string(always),
    bindAddressHardFail: bool(always),
    enableProfiling: bool(always),
    showHiddenMetricsForVersion: string(always),
    mode: string(always),
    iptables: section({
      ...syncPeriods,
      masqueradeBit: int32(nullable),
      masqueradeAll: bool(always),
      localhostNodePorts: bool(nullable),
    }),
    ipvs: section({
      ...syncPeriods,
      scheduler: string(always),
      excludeCIDRs: nullableList(string(), always),
      strictARP: bool(always),
      tcpTimeout: duration(always),
      tcpFinTimeout: duration(always),
      udpTimeout: duration(always),
    }),
    nftables: section({ ...syncPeriods, masqueradeBit: int32(nullable), masqueradeAll: bool(always) }),
    winkernel: section({
      networkName: string(always),
      sourceVip: string(always),
      enableDSR: bool(always),
      rootHnsEndpointName: string(always),
      forwardHealthCheckVip: bool(always),
    }),
    detectLocalMode: string(always),
    detectLocal: section({ bridgeInterface: string(always), interfaceNamePrefix: string(always) }),
    clusterCIDR: string(always),
    nodePortAddresses: nullableList(string(), always),
    oomScoreAdj: int32(nullable),
    conntrack: section({
      maxPerCore: int32(nullable),
      min: int32(nullable),
      tcpEstablishedTimeout: duration(nullable),
      tcpCloseWaitTimeout: duration(nullable),
      tcpBeLiberal: bool(always),
      udpTimeout: duration(always),
      udpStreamTimeout: duration(always),
    }),
    configSyncPeriod: duration(always),
    portRange: string(always),
    windowsRunAsService: bool(),
  } as Fields<DecodedKubeProxyConfiguration>,
);
