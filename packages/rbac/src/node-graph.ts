/** Kinds of objects that the Node authorizer connects with nodes (kubernetes plugin/pkg/auth/authorizer/node/graph.go). */
export type NodeRelated =
  | 'configmaps'
  | 'persistentvolumeclaims'
  | 'persistentvolumes'
  | 'podcertificaterequests'
  | 'pods'
  | 'resourceclaims'
  | 'resourceslices'
  | 'secrets'
  | 'serviceaccounts'
  | 'volumeattachments';

/** Which objects belong to which node, as far as it is known. */
export interface NodeGraph {
  /**
   * Whether an object belongs to a node: a pod that is bound to it, what such a pod uses, or what names the node.
   *
   * @param namespace the empty string for an object that lives in none
   */
  belongs(node: string, kind: NodeRelated, object: { readonly namespace: string; readonly name: string }): boolean;
}

/** The graph of a cluster where no pod is bound to any node. */
export const emptyNodeGraph: NodeGraph = { belongs: () => false };
