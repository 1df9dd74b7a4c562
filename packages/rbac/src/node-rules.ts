import type { PolicyRule } from '@groundplane/manifest';
import { parsePolicyRule } from './policy-rule.ts';

/** One right that kubelets have from the Node authorizer, without any binding. */
export interface NodeRule {
  readonly rule: PolicyRule;
  /** To which objects it is narrowed, by the authorizer or by admission (NodeRestriction); absent: to none. */
  readonly scope?: string;
}

const usedByPods = 'one by its name, of pods on the node alone';
const ownNode = 'its own Node alone';
const boundPods = 'pods on the node alone';
const ownName = 'the one that has the name of the node';

/**
 * In the form of {@link parsePolicyRule}. The ClusterRole system:node, which is bound to nobody, has the same rules.
 * Source: kubernetes plugin/pkg/auth/authorizer/rbac/bootstrappolicy/policy.go, NodeRules; the scopes are those of
 * plugin/pkg/auth/authorizer/node/node_authorizer.go and plugin/pkg/admission/noderestriction.
 */
const rows: readonly (readonly [rule: string, scope?: string])[] = [
  ['create authentication.k8s.io tokenreviews'],
  ['create authorization.k8s.io localsubjectaccessreviews,subjectaccessreviews'],
  ['get,list,watch core services'],
  ['create,get,list,watch core nodes', ownNode],
  ['patch,update core nodes/status', ownNode],
  ['patch,update core nodes', ownNode],
  ['create,patch,update core,events.k8s.io events'],
  ['get,list,watch core pods', boundPods],
  ['create,delete core pods', 'mirror pods and pods on the node alone'],
  ['patch,update core pods/status', boundPods],
  ['create core pods/eviction', boundPods],
  ['get,list,watch core configmaps,secrets', usedByPods],
  ['get core persistentvolumeclaims,persistentvolumes', usedByPods],
  ['get core endpoints'],
  ['create,get,list,watch certificates.k8s.io certificatesigningrequests'],
  ['create,delete,get,patch,update coordination.k8s.io leases', `${ownName}, in kube-node-lease`],
  ['get storage.k8s.io volumeattachments', 'those for the node alone'],
  ['create core serviceaccounts/token', usedByPods],
  ['get,patch,update core persistentvolumeclaims/status', `${usedByPods}, and no get`],
  ['get,list,watch storage.k8s.io csidrivers'],
  ['create,delete,get,patch,update storage.k8s.io csinodes', ownName],
  ['get,list,watch node.k8s.io runtimeclasses'],
  ['get resource.k8s.io resourceclaims', usedByPods],
  ['deletecollection resource.k8s.io resourceslices', 'those that name the node; one of these by its name, too'],
  ['get,list,watch certificates.k8s.io clustertrustbundles'],
  ['get core serviceaccounts', usedByPods],
  ['create,get,list,watch certificates.k8s.io podcertificaterequests', 'those that name the node'],
];

/** What the Node authorizer gives at most to every kubelet. */
export function nodeRules(): readonly NodeRule[] {
  rules ??= rows.map(([text, scope]) => ({ rule: parsePolicyRule(text), ...(scope === undefined ? {} : { scope }) }));
  return rules;
}

let rules: readonly NodeRule[] | undefined;
