/** What preflight needs to know of the configuration. Plain data, built from a resolved configuration. */
export interface PreflightConfiguration {
  /** `vMAJOR.MINOR.PATCH` of the control plane. */
  readonly kubernetesVersion: string;
  /** Newest Kubernetes version that this release knows. */
  readonly toolVersion: string;
  readonly minimumKubeletVersion: string;
  readonly nodeName: string;
  readonly advertiseAddress: string;
  readonly bindPort: number;
  /** extraArgs `bind-address` of the components, where the user set them. */
  readonly bindAddresses: {
    readonly apiServer?: string;
    readonly scheduler?: string;
    readonly controllerManager?: string;
  };
  /** Service CIDRs, then pod CIDRs, each with its first address. */
  readonly subnets: readonly { readonly cidr: string; readonly firstAddress: string }[];
  /** IP families of the subnets and of the advertise address. */
  readonly families: readonly ('ipv4' | 'ipv6')[];
  /** Folder of the static pod manifests. */
  readonly manifestsDir: string;
  /** Absent with external etcd. */
  readonly localEtcd?: { readonly dataDir: string; readonly address: string };
  /** Absent with local etcd; paths of the certificate files that are set. */
  readonly externalEtcd?: ExternalEtcdFacts;
  /** With `Never` no image is pulled. */
  readonly imagePullPolicy?: string;
  /** Absent for `init`. */
  readonly join?: JoinFacts;
}

/** What the checks of `join` look at beside what they share with `init`. */
export interface JoinFacts {
  /** Paths of kubeconfig files that only a node which has joined has. */
  readonly kubeconfigs: readonly string[];
  /** Path at which a worker gets the cluster's CA; absent on control-plane nodes. */
  readonly authority?: string;
  /** Host of the API server that is asked for the cluster's own information; absent where a file says it. */
  readonly apiServerHost?: string;
}

export interface ExternalEtcdFacts {
  /** URLs at which /version is asked for. */
  readonly httpEndpoints: readonly string[];
  readonly caFile?: string;
  readonly certFile?: string;
  readonly keyFile?: string;
}
