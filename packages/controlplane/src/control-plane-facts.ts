/** The components that kubeadm's control plane runs as static pods, in the order in which they are started. */
export const controlPlaneComponents = ['etcd', 'kube-apiserver', 'kube-controller-manager', 'kube-scheduler'] as const;

export type ControlPlaneComponent = (typeof controlPlaneComponents)[number];

/** One argument that the user adds. The order counts and names may repeat. */
export interface ExtraArgument {
  /** Without leading dashes. */
  readonly name: string;
  readonly value: string;
  /** How it joins our own value of the flag: not at all, behind it or before it, without any separator. */
  readonly mergeMethod?: '' | 'append' | 'prepend';
}

/** A host path that the user mounts into a component. */
export interface ExtraVolume {
  readonly name: string;
  readonly hostPath: string;
  readonly mountPath: string;
  readonly readOnly?: boolean;
  /** Kubernetes' HostPathType; the empty string asks for no check. */
  readonly pathType?: string;
}

/** An environment variable that the user sets. */
export interface ExtraEnv {
  readonly name: string;
  readonly value?: string;
  /** Kubernetes' EnvVarSource. */
  readonly valueFrom?: object;
}

/** What the user changes about the API server, the controller manager or the scheduler. */
export interface ComponentSettings {
  readonly extraArgs?: readonly ExtraArgument[];
  readonly extraVolumes?: readonly ExtraVolume[];
  readonly extraEnvs?: readonly ExtraEnv[];
}

/** etcd as a static pod on this node. Empty strings stand for "not set". */
export interface LocalEtcdFacts {
  /** Absolute path. */
  readonly dataDir: string;
  readonly imageRepository?: string;
  readonly imageTag?: string;
  readonly extraArgs?: readonly ExtraArgument[];
  readonly extraEnvs?: readonly ExtraEnv[];
}

/** etcd that somebody else runs. Empty strings stand for "not set". */
export interface ExternalEtcdFacts {
  /** URLs, passed on as they are. */
  readonly endpoints: readonly string[];
  readonly caFile?: string;
  readonly certFile?: string;
  readonly keyFile?: string;
}

/** One of the two; `external` counts if both are there. */
export interface EtcdFacts {
  readonly local?: LocalEtcdFacts;
  readonly external?: ExternalEtcdFacts;
}

/** A member of the etcd cluster that a new member joins. */
export interface EtcdMember {
  /** The member's name, or its hexadecimal id if it has none. */
  readonly name: string;
  /** URL, for instance `https://192.0.2.10:2380`. */
  readonly peerURL: string;
}

/** What image references depend on. */
export interface ImageFacts {
  /** For instance `registry.k8s.io`, without a slash at the end. */
  readonly imageRepository: string;
  /** Where the images of CI builds are, for those of Kubernetes itself; empty or absent for releases. */
  readonly ciImageRepository?: string;
  /** For instance `v1.37.2`. */
  readonly kubernetesVersion: string;
  readonly etcd: EtcdFacts;
  readonly dns?: { readonly imageRepository?: string; readonly imageTag?: string; readonly disabled?: boolean };
  readonly proxy?: { readonly disabled?: boolean };
}

/** Everything that the static pods of one node depend on. */
export interface ControlPlaneFacts extends ImageFacts {
  /** IP address without brackets. */
  readonly advertiseAddress: string;
  readonly bindPort: number;
  readonly nodeName: string;
  /** Absolute path, used in volumes as it is. */
  readonly certificatesDir: string;
  readonly clusterName: string;
  readonly networking: {
    readonly serviceSubnet: string;
    readonly podSubnet: string;
    readonly dnsDomain: string;
  };
  readonly apiServer: ComponentSettings;
  readonly controllerManager: ComponentSettings;
  readonly scheduler: ComponentSettings;
  /** How long a component may take to start. */
  readonly healthCheckTimeoutSeconds: number;
  /** False with an external CA: the controller manager then signs no requests. */
  readonly hasCAKey: boolean;
  /** Those of {@link optionalCADirectories} that exist on the host. */
  readonly presentCADirectories: readonly string[];
  /** The proxy variables of the process environment, see {@link proxyEnvironment}. */
  readonly proxyEnvironment: readonly ExtraEnv[];
  /** The members of the cluster that this node's etcd joins, this node among them; absent or empty for a new cluster. */
  readonly etcdInitialCluster?: readonly EtcdMember[];
}
