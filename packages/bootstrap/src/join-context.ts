import type { JoinConfiguration } from '@groundplane/config';
import { effectiveNodeName } from '@groundplane/kubelet';
import type { Layout } from '@groundplane/phases';
import type { ClusterOfJoin } from './cluster-for-join.ts';
import { type InitContext, layoutOf } from './init-context.ts';
import { usualLayout } from './usual-layout.ts';

/** What the cluster says about a Node of the name that this machine is to have. */
export interface RegisteredNode {
  readonly isReady: boolean;
  /** True if it is this machine, as it runs now, that registered it. */
  readonly isThisMachine: boolean;
}

/**
 * Everything that the phases of join depend on: complete, resolved once, plain data. It is a context of init as well, that of the
 * cluster with this node's registration, so that phases which need no more serve both.
 */
export interface JoinContext extends InitContext {
  readonly join: JoinConfiguration;
  /** URL of the API server to which discovery led. */
  readonly server: string;
  /** PEM of the CA to which discovery led, one or several certificates. */
  readonly certificateAuthority: string;
  /** Kubeconfig by which the kubelet asks for its certificate. Secret. */
  readonly bootstrapKubeconfig: string;
  /** Absent if there is no such Node, or nobody needs to know. */
  readonly registeredNode?: RegisteredNode;
  /**
   * Contents of the files that a kubelet.conf names which somebody has brought, by path; `null` for one that is not there. Absent where nobody
   * has looked. Secret.
   */
  readonly kubeletConfFiles?: Readonly<Record<string, string | null>>;
  /** Path of a CA that the kubelet needs and nobody has put there. */
  readonly missingClientAuthority?: string;
}

/** What is found beside the configuration of the node itself. */
export interface JoinParts extends Pick<InitContext, 'machine' | 'patches' | 'ignorePreflightErrors'> {
  /** Which cluster it is, and what that keeps. */
  readonly cluster: ClusterOfJoin;
  /** Our own settings, whoever gives them. */
  readonly groundplane?: InitContext['groundplane'] | undefined;
}

/** Puts the context of a node together: the cluster says how its nodes are configured, and this one has a registration of its own. */
export function joinContextOf(join: JoinConfiguration, parts: JoinParts): JoinContext {
  const { groundplane, machine, patches, ignorePreflightErrors } = parts;
  const { stored, findings: _, ...discovered } = parts.cluster;
  return {
    join,
    init: { ...stored.init, nodeRegistration: join.nodeRegistration, timeouts: join.timeouts },
    cluster: stored.cluster,
    ...(groundplane === undefined ? {} : { groundplane }),
    kubelet: stored.kubelet,
    kubeletIsUserSupplied: false,
    kubeProxy: stored.kubeProxy,
    kubeProxyIsUserSupplied: false,
    storedKubernetesVersion: stored.storedKubernetesVersion,
    kubernetesImageRepository: stored.kubernetesImageRepository,
    machine,
    patches,
    ignorePreflightErrors,
    kubeconfigDirectory: usualLayout.kubernetes,
    ...discovered,
  };
}

/** The name that the kubelet registers. */
export function nodeNameOf({ join }: JoinContext): string {
  const { name, kubeletExtraArgs } = join.nodeRegistration;
  return effectiveNodeName(name, kubeletExtraArgs);
}

export function joinLayoutOf(context: JoinContext): Layout {
  const folder = context.join.nodeRegistration.kubeletExtraArgs.findLast(({ name }) => name === 'cert-dir')?.value;
  return {
    ...layoutOf(context),
    nodeName: nodeNameOf(context),
    certificateAuthority: context.join.caCertPath,
    ...(folder ? { kubeletClientCertificate: `${folder.replace(/\/+$/, '')}/kubelet-client-current.pem` } : {}),
  };
}
