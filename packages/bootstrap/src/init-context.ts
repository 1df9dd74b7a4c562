import {
  type ClusterConfiguration,
  type GroundplaneConfiguration,
  goDurationMilliseconds,
  type InitConfiguration,
  type KubeletConfiguration,
  type KubeProxyConfiguration,
  parseHostPort,
} from '@groundplane/config';
import { joinPath } from '@groundplane/controlplane';
import { type KubeconfigFacts, localEndpoint } from '@groundplane/kubeconfig';
import type { PatchSet } from '@groundplane/patches';
import type { Layout } from '@groundplane/phases';
import {
  type CertificateFacts,
  defaultValidityPeriods,
  type KeyAlgorithm,
  type ValidityPeriods,
} from '@groundplane/pki';
import type { LostAuthorities } from './lost-authorities.ts';

/** What resolve found out about this machine and what artifacts depend on. Plain data. */
export interface MachineFacts {
  readonly hostName: string;
  /** Which of the optional host CA directories exist (kubeadm: phases/controlplane/volumes.go). */
  readonly certificateAuthorityDirectories: readonly string[];
  /** Proxy variables that the control plane passes on, sorted by name. */
  readonly proxyEnvironment: readonly { readonly name: string; readonly value: string }[];
  /** resolv.conf of systemd-resolved, where that runs. */
  readonly resolvConf?: string;
}

/** Everything that the phases of init depend on: complete, resolved once, plain data. */
export interface InitContext {
  readonly init: InitConfiguration;
  readonly cluster: ClusterConfiguration;
  /** Our own settings; absent where nobody gave any, and the defaults count. */
  readonly groundplane?: GroundplaneConfiguration;
  readonly kubelet: KubeletConfiguration;
  /** True if the user's file holds a KubeletConfiguration of its own. */
  readonly kubeletIsUserSupplied: boolean;
  readonly kubeProxy: KubeProxyConfiguration;
  /** True if the user's file holds a KubeProxyConfiguration of its own. */
  readonly kubeProxyIsUserSupplied: boolean;
  /** What kubeadm-config says as kubernetesVersion: with the prefix `ci/` for CI builds. */
  readonly storedKubernetesVersion: string;
  /** Repository of the images that carry the Kubernetes version. */
  readonly kubernetesImageRepository: string;
  readonly machine: MachineFacts;
  /** The user's patches for documents of this node, in their order. */
  readonly patches: readonly PatchSet[];
  /** Lower-cased names, flag and configuration together. */
  readonly ignorePreflightErrors: readonly string[];
  /** Absolute path of a kubeconfig that is used as it is in place of admin.conf; it is nothing that we made. */
  readonly adminKubeconfig?: string;
  /** For each of the bootstrap tokens, in their order, whether its value was made up: one that is there already may take its place. */
  readonly tokenIsGenerated?: readonly boolean[];
  /** True if the certificates are to be shared; `init.certificateKey` is there then. */
  readonly uploadCerts?: boolean;
  /** Token whose Secret owns the shared certificates: with it they expire. Secret. */
  readonly certificatesOwner?: string;
  readonly skipTokenPrint?: boolean;
  readonly skipCertificateKeyPrint?: boolean;
  /** Folder of the kubeconfig files; `/etc/kubernetes` unless `--kubeconfig-dir` says otherwise. */
  readonly kubeconfigDirectory: string;
  /** True if a single phase was told nothing of the cluster's endpoint, so that what kubeconfigs name is as likely to be right. */
  readonly endpointIsAssumed?: boolean;
  /** True if the CA is external and the service account keys are still to come from there. */
  readonly serviceAccountKeysElsewhere?: boolean;
  /**
   * True if the CA is external and the controller manager gets no key, so that nothing in the cluster signs the requests of kubelets. Absent
   * where this machine does not tell.
   */
  readonly isWithoutClusterSigner?: boolean;
  /** CAs that are gone and must not be made anew, as what hangs on them is still there. */
  readonly lostAuthorities?: LostAuthorities;
  /** The folder in which the CA of this node is, where that is known to be another one than the configuration says. */
  readonly certificatesElsewhere?: string;
}

/** The file in which the kubelet keeps its client certificate, in the folder that its flag `cert-dir` names (k8s.io/client-go, util/certificate). */
const kubeletClientFile = 'kubelet-client-current.pem';

export function layoutOf(context: InitContext): Layout {
  const { external } = context.cluster.etcd;
  const kubeletArgs = context.init.nodeRegistration.kubeletExtraArgs;
  const certDir = kubeletArgs.findLast(({ name }) => name === 'cert-dir')?.value || '/var/lib/kubelet/pki';
  return {
    // Like kubeadm's filepath.Join: a/../b makes no folder a.
    kubernetes: joinPath(context.kubeconfigDirectory),
    pki: joinPath(context.cluster.certificatesDir),
    kubelet: '/var/lib/kubelet',
    etcdData: context.cluster.etcd.local?.dataDir ?? '/var/lib/etcd',
    nodeName: context.init.nodeRegistration.name,
    kubeletClientCertificate: joinPath(certDir, kubeletClientFile),
    ...(context.adminKubeconfig === undefined ? {} : { adminKubeconfig: context.adminKubeconfig }),
    ...(external === undefined ? {} : { externalEtcd: external satisfies Layout['externalEtcd'] }),
  };
}

/** The names and addresses that certificates carry. */
export function certificateFactsOf({ init, cluster }: InitContext): CertificateFacts {
  const host = parseHostPort(cluster.controlPlaneEndpoint)?.host;
  return {
    nodeName: init.nodeRegistration.name,
    advertiseAddress: init.localAPIEndpoint.advertiseAddress,
    dnsDomain: cluster.networking.dnsDomain,
    serviceSubnet: cluster.networking.serviceSubnet,
    apiServerCertSANs: cluster.apiServer.certSANs,
    etcdServerCertSANs: cluster.etcd.local?.serverCertSANs ?? [],
    etcdPeerCertSANs: cluster.etcd.local?.peerCertSANs ?? [],
    ...(host === undefined ? {} : { controlPlaneEndpointHost: host }),
  };
}

export function keyAlgorithmOf({ cluster }: InitContext): KeyAlgorithm {
  return cluster.encryptionAlgorithm;
}

export function validityPeriodsOf({ cluster }: InitContext): ValidityPeriods {
  const period = (text: string | undefined, fallback: number) =>
    text === undefined ? fallback : goDurationMilliseconds(text);
  return {
    certificate: period(cluster.certificateValidityPeriod, defaultValidityPeriods.certificate),
    authority: period(cluster.caCertificateValidityPeriod, defaultValidityPeriods.authority),
  };
}

/** A timeout of the configuration in milliseconds. */
export function timeoutOf({ init }: InitContext, name: keyof InitConfiguration['timeouts'], fallback: string): number {
  return goDurationMilliseconds(init.timeouts[name] ?? fallback);
}

/** URL of this node's API server. */
export function localEndpointOf({ init }: InitContext): string {
  return localEndpoint(init.localAPIEndpoint);
}

export function kubeconfigFactsOf({ init, cluster }: InitContext): KubeconfigFacts {
  return {
    ...init.localAPIEndpoint,
    clusterName: cluster.clusterName,
    nodeName: init.nodeRegistration.name,
    controlPlaneEndpoint: cluster.controlPlaneEndpoint,
  };
}
