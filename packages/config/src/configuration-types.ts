/** A Go duration in its normal form, for instance `24h0m0s`; see goDurationMilliseconds. */
export type GoDuration = string;

/** Public-key algorithms that kubeadm knows. */
export type EncryptionAlgorithm = 'RSA-2048' | 'RSA-3072' | 'RSA-4096' | 'ECDSA-P256' | 'ECDSA-P384';

export type ImagePullPolicy = 'Always' | 'IfNotPresent' | 'Never';

/** One argument of a component. The order is kept and names may repeat. */
export interface Arg {
  readonly name: string;
  readonly value: string;
}

/** Kubernetes' EnvVar: a value, or where it comes from. */
export interface EnvVar {
  readonly name: string;
  /** Empty if not given. */
  readonly value: string;
  readonly valueFrom?: EnvVarSource;
}

export interface EnvVarSource {
  readonly fieldRef?: { readonly apiVersion: string; readonly fieldPath: string };
  readonly resourceFieldRef?: { readonly containerName: string; readonly resource: string; readonly divisor: string };
  readonly configMapKeyRef?: KeySelector;
  readonly secretKeyRef?: KeySelector;
  readonly fileKeyRef?: {
    readonly volumeName: string;
    readonly path: string;
    readonly key: string;
    readonly optional?: boolean;
  };
}

export interface KeySelector {
  readonly name: string;
  readonly key: string;
  readonly optional?: boolean;
}

/** A folder or file of the host mounted into a control plane component. */
export interface HostPathMount {
  readonly name: string;
  readonly hostPath: string;
  readonly mountPath: string;
  readonly readOnly: boolean;
  readonly pathType: string;
}

/** A taint as on a Node. */
export interface Taint {
  readonly key: string;
  readonly value: string;
  readonly effect: string;
  /** RFC 3339. */
  readonly timeAdded?: string;
}

export interface BootstrapToken {
  /** `id.secret`; absent until resolved. Secret. */
  readonly token?: string;
  readonly description: string;
  /** `0s` never expires. */
  readonly ttl?: GoDuration;
  /** RFC 3339; excludes ttl. */
  readonly expires?: string;
  readonly usages: readonly string[];
  readonly groups: readonly string[];
}

export interface NodeRegistration {
  /** Empty until resolved. */
  readonly name: string;
  /** URL of scheme unix; empty until resolved. */
  readonly criSocket: string;
  /** null means the default of the node's role, an empty list means none. */
  readonly taints: readonly Taint[] | null;
  readonly kubeletExtraArgs: readonly Arg[];
  readonly ignorePreflightErrors: readonly string[];
  readonly imagePullPolicy: ImagePullPolicy;
  readonly imagePullSerial?: boolean;
}

export interface ApiEndpoint {
  /** Empty until resolved. */
  readonly advertiseAddress: string;
  readonly bindPort: number;
}

export interface Patches {
  readonly directory: string;
}

export interface Timeouts {
  readonly controlPlaneComponentHealthCheck?: GoDuration;
  readonly kubeletHealthCheck?: GoDuration;
  readonly kubernetesAPICall?: GoDuration;
  readonly etcdAPICall?: GoDuration;
  readonly tlsBootstrap?: GoDuration;
  readonly discovery?: GoDuration;
  readonly upgradeManifests?: GoDuration;
}

/** kubeadm.k8s.io/v1beta4 InitConfiguration after defaulting: lists are never absent, unset strings are empty. */
export interface InitConfiguration {
  readonly bootstrapTokens: readonly BootstrapToken[];
  readonly dryRun: boolean;
  readonly nodeRegistration: NodeRegistration;
  readonly localAPIEndpoint: ApiEndpoint;
  /** Hex of 32 bytes, or empty. Secret. */
  readonly certificateKey: string;
  readonly skipPhases: readonly string[];
  readonly patches?: Patches;
  readonly timeouts: Timeouts;
}

export interface ControlPlaneComponent {
  readonly extraArgs: readonly Arg[];
  readonly extraVolumes: readonly HostPathMount[];
  readonly extraEnvs: readonly EnvVar[];
}

export interface ApiServer extends ControlPlaneComponent {
  readonly certSANs: readonly string[];
}

export interface LocalEtcd {
  readonly imageRepository: string;
  readonly imageTag: string;
  readonly dataDir: string;
  readonly extraArgs: readonly Arg[];
  readonly extraEnvs: readonly EnvVar[];
  readonly serverCertSANs: readonly string[];
  readonly peerCertSANs: readonly string[];
}

export interface ExternalEtcd {
  readonly endpoints: readonly string[];
  readonly httpEndpoints: readonly string[];
  readonly caFile: string;
  readonly certFile: string;
  readonly keyFile: string;
}

/** Exactly one of the two. */
export interface Etcd {
  readonly local?: LocalEtcd;
  readonly external?: ExternalEtcd;
}

export interface Networking {
  /** One CIDR, or two of different families separated by a comma. */
  readonly serviceSubnet: string;
  /** As serviceSubnet, or empty. */
  readonly podSubnet: string;
  readonly dnsDomain: string;
}

/** kubeadm.k8s.io/v1beta4 ClusterConfiguration after defaulting: lists are never absent, unset strings are empty. */
export interface ClusterConfiguration {
  readonly etcd: Etcd;
  readonly networking: Networking;
  /** A version or a label until resolved, then `vMAJOR.MINOR.PATCH`. */
  readonly kubernetesVersion: string;
  /** `host:port`, or empty. */
  readonly controlPlaneEndpoint: string;
  readonly apiServer: ApiServer;
  readonly controllerManager: ControlPlaneComponent;
  readonly scheduler: ControlPlaneComponent;
  readonly dns: { readonly imageRepository: string; readonly imageTag: string; readonly disabled: boolean };
  readonly proxy: { readonly disabled: boolean };
  readonly certificatesDir: string;
  readonly imageRepository: string;
  readonly featureGates: Readonly<Record<string, boolean>>;
  readonly clusterName: string;
  readonly encryptionAlgorithm: EncryptionAlgorithm;
  readonly certificateValidityPeriod?: GoDuration;
  readonly caCertificateValidityPeriod?: GoDuration;
}

/**
 * kubelet.config.k8s.io/v1beta1 KubeletConfiguration with kubeadm's defaults, as the document that Kubernetes writes:
 * unset fields are absent, but for the zero values that Go does not leave out. Ready for stringifyYaml.
 */
export interface KubeletConfiguration {
  readonly [field: string]: unknown;
  readonly apiVersion: string;
  readonly kind: string;
  readonly staticPodPath: string;
  readonly clusterDNS?: readonly string[];
  readonly clusterDomain: string;
  readonly authentication: {
    readonly anonymous: { readonly enabled: boolean };
    readonly webhook: { readonly enabled: boolean; readonly cacheTTL: GoDuration };
    readonly x509: { readonly clientCAFile: string };
  };
  readonly authorization: { readonly [field: string]: unknown; readonly mode: string };
  readonly healthzBindAddress: string;
  readonly healthzPort: number;
  readonly rotateCertificates: boolean;
  readonly cgroupDriver: string;
  readonly containerRuntimeEndpoint: string;
}

/** The user's KubeletConfiguration, decoded: every field is there, zero where the user did not set it. */
export interface DecodedKubeletConfiguration {
  readonly [field: string]: unknown;
  readonly authentication: {
    readonly anonymous: { readonly enabled?: boolean };
    readonly webhook: { readonly enabled?: boolean; readonly cacheTTL: GoDuration };
    readonly x509: { readonly clientCAFile: string };
  };
  readonly authorization: { readonly [field: string]: unknown; readonly mode: string };
  readonly cgroupDriver: string;
  readonly clusterDNS: readonly string[] | null;
  readonly clusterDomain: string;
  readonly containerRuntimeEndpoint: string;
  readonly healthzBindAddress: string;
  readonly healthzPort?: number;
  readonly readOnlyPort: number;
  readonly resolvConf?: string;
  readonly rotateCertificates: boolean;
  readonly staticPodPath: string;
}

/**
 * kubeproxy.config.k8s.io/v1alpha1 KubeProxyConfiguration with kubeadm's defaults, as the document that Kubernetes
 * writes. Ready for stringifyYaml.
 */
export interface KubeProxyConfiguration {
  readonly [field: string]: unknown;
  readonly apiVersion: string;
  readonly kind: string;
  readonly bindAddress: string;
  readonly clusterCIDR: string;
  readonly clientConnection: { readonly [field: string]: unknown; readonly kubeconfig: string };
  readonly mode: string;
}

/** The user's KubeProxyConfiguration, decoded: every field is there, zero where the user did not set it. */
export interface DecodedKubeProxyConfiguration {
  readonly [field: string]: unknown;
  readonly bindAddress: string;
  readonly clusterCIDR: string;
  readonly clientConnection: {
    readonly kubeconfig: string;
    readonly acceptContentTypes: string;
    readonly contentType: string;
    readonly qps: number;
    readonly burst: number;
  };
  readonly mode: string;
}

/** Component configuration documents of the user's file, decoded but without kubeadm's defaults. */
export interface ComponentConfigurations {
  readonly kubelet?: DecodedKubeletConfiguration;
  readonly kubeProxy?: DecodedKubeProxyConfiguration;
}
