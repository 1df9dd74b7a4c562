import type { JoinConfiguration } from '@groundplane/config';
import { effectiveNodeName } from '@groundplane/kubelet';
import type { Layout } from '@groundplane/phases';
import { type InitContext, layoutOf } from './init-context.ts';

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
