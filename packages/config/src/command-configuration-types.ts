import type { ApiEndpoint, ImagePullPolicy, NodeRegistration, Patches, Timeouts } from './configuration-types.ts';

/** Where a joining node learns about the cluster: at most one of bootstrapToken and file. */
export interface Discovery {
  readonly bootstrapToken?: BootstrapTokenDiscovery;
  readonly file?: FileDiscovery;
  /** `id.secret` for the kubelet's own request; the discovery token unless given. Secret. */
  readonly tlsBootstrapToken: string;
}

export interface BootstrapTokenDiscovery {
  /** `id.secret`. Secret. */
  readonly token: string;
  /** `host:port`. */
  readonly apiServerEndpoint: string;
  /** Pins of the cluster's CA, `sha256:` and hex. */
  readonly caCertHashes: readonly string[];
  readonly unsafeSkipCAVerification: boolean;
}

export interface FileDiscovery {
  /** A path, or a URL of scheme https. */
  readonly kubeConfigPath: string;
}

export interface JoinControlPlane {
  readonly localAPIEndpoint: ApiEndpoint;
  /** Hex of 32 bytes, or empty. Secret. */
  readonly certificateKey: string;
}

/** kubeadm.k8s.io/v1beta4 JoinConfiguration after defaulting: lists are never absent, unset strings are empty. */
export interface JoinConfiguration {
  readonly dryRun: boolean;
  readonly nodeRegistration: NodeRegistration;
  readonly caCertPath: string;
  readonly discovery: Discovery;
  /** Absent for workers. */
  readonly controlPlane?: JoinControlPlane;
  readonly skipPhases: readonly string[];
  readonly patches?: Patches;
  readonly timeouts: Timeouts;
}

/** kubeadm.k8s.io/v1beta4 ResetConfiguration after defaulting. */
export interface ResetConfiguration {
  readonly cleanupTmpDir: boolean;
  readonly certificatesDir: string;
  /** URL of scheme unix; empty until resolved. */
  readonly criSocket: string;
  readonly dryRun: boolean;
  readonly force: boolean;
  readonly ignorePreflightErrors: readonly string[];
  readonly skipPhases: readonly string[];
  /** Flags of umount2(2). */
  readonly unmountFlags: readonly string[];
  readonly timeouts: Timeouts;
}

export interface UpgradeApply {
  readonly kubernetesVersion: string;
  readonly allowExperimentalUpgrades?: boolean;
  readonly allowRCUpgrades?: boolean;
  readonly certificateRenewal?: boolean;
  readonly dryRun?: boolean;
  readonly etcdUpgrade?: boolean;
  readonly forceUpgrade?: boolean;
  readonly ignorePreflightErrors: readonly string[];
  readonly patches?: Patches;
  readonly printConfig?: boolean;
  readonly skipPhases: readonly string[];
  readonly imagePullPolicy: ImagePullPolicy;
  readonly imagePullSerial?: boolean;
}

export interface UpgradeDiff {
  readonly kubernetesVersion: string;
  readonly contextLines: number;
}

export interface UpgradeNode {
  readonly certificateRenewal?: boolean;
  readonly dryRun?: boolean;
  readonly etcdUpgrade?: boolean;
  readonly ignorePreflightErrors: readonly string[];
  readonly skipPhases: readonly string[];
  readonly patches?: Patches;
  readonly imagePullPolicy: ImagePullPolicy;
  readonly imagePullSerial?: boolean;
}

export interface UpgradePlan {
  readonly kubernetesVersion: string;
  readonly allowExperimentalUpgrades?: boolean;
  readonly allowRCUpgrades?: boolean;
  readonly dryRun?: boolean;
  readonly etcdUpgrade?: boolean;
  readonly ignorePreflightErrors: readonly string[];
  readonly printConfig?: boolean;
}

/** kubeadm.k8s.io/v1beta4 UpgradeConfiguration after defaulting. Absent booleans count as false. */
export interface UpgradeConfiguration {
  readonly apply: UpgradeApply;
  readonly diff: UpgradeDiff;
  readonly node: UpgradeNode;
  readonly plan: UpgradePlan;
  readonly timeouts: Timeouts;
}
