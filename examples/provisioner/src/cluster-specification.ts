import type { Cluster, ConfigurationDocument } from '@groundplane/bootstrap';

/** An object for the API server. */
export type ApiObject = Parameters<Cluster['apply']>[0];

export interface NodeSpecification {
  /** Its host name, and the name of its node. */
  readonly name: string;
  /** IPv4 address under which the other machines reach it. */
  readonly address: string;
}

/** What whoever uses the provisioner writes down. */
export interface ClusterSpecification {
  /** `v1.37.2` */
  readonly kubernetesVersion: string;
  readonly podSubnet: string;
  readonly controlPlane: NodeSpecification;
  readonly workers: readonly NodeSpecification[];
  /** Applied when the cluster is there. */
  readonly addons: readonly ApiObject[];
  /** Fields of every kubelet's configuration. */
  readonly kubelet?: Readonly<Record<string, unknown>>;
  readonly ignorePreflightErrors?: readonly string[];
}

const kubeadm = 'kubeadm.k8s.io/v1beta4';

/** Where the policy for the audit log is on the control plane; the provisioner brings it. */
export const auditPolicyPath = '/etc/kubernetes/audit-policy.yaml';

/** What `init` is told about the control-plane node. */
export function initDocuments(cluster: ClusterSpecification, token: string): readonly ConfigurationDocument[] {
  const { name, address } = cluster.controlPlane;
  return [
    {
      apiVersion: kubeadm,
      kind: 'InitConfiguration',
      localAPIEndpoint: { advertiseAddress: address },
      nodeRegistration: { name, ignorePreflightErrors: cluster.ignorePreflightErrors ?? [] },
      bootstrapTokens: [{ token, ttl: '1h0m0s' }],
    },
    {
      apiVersion: kubeadm,
      kind: 'ClusterConfiguration',
      kubernetesVersion: cluster.kubernetesVersion,
      networking: { podSubnet: cluster.podSubnet },
      apiServer: {
        extraArgs: [
          { name: 'audit-policy-file', value: auditPolicyPath },
          { name: 'audit-log-path', value: '-' },
        ],
        extraVolumes: [
          {
            name: 'audit-policy',
            hostPath: auditPolicyPath,
            mountPath: auditPolicyPath,
            readOnly: true,
            pathType: 'File',
          },
        ],
      },
    },
    { apiVersion: 'kubelet.config.k8s.io/v1beta1', kind: 'KubeletConfiguration', ...cluster.kubelet },
  ];
}

export interface JoinFacts {
  readonly token: string;
  /** `sha256:…` of the public key of the cluster's CA. */
  readonly authorityPin: string;
}

/** What `join` is told about a worker. */
export function joinDocuments(
  cluster: ClusterSpecification,
  worker: NodeSpecification,
  { token, authorityPin }: JoinFacts,
): readonly ConfigurationDocument[] {
  const bootstrapToken = {
    token,
    apiServerEndpoint: `${cluster.controlPlane.address}:6443`,
    caCertHashes: [authorityPin],
  };
  return [
    {
      apiVersion: kubeadm,
      kind: 'JoinConfiguration',
      discovery: { bootstrapToken },
      nodeRegistration: { name: worker.name, ignorePreflightErrors: cluster.ignorePreflightErrors ?? [] },
    },
  ];
}
