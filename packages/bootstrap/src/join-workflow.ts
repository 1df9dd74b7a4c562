import { defineWorkflow, type Workflow } from '@groundplane/phases';
import { groundplaneConfig, kubeadmConfig, kubeletConfig, kubeletConfigFile, nodeObject } from './artifacts.ts';
import { clusterInfo } from './discovery-artifacts.ts';
import { timeoutOf } from './init-context.ts';
import { bootstrapKubeconfig, joinedAuthority, joinedKubeconfig } from './join-artifacts.ts';
import { type JoinContext, joinLayoutOf } from './join-context.ts';
import { joinKubeletStartPhase } from './join-kubelet-start-phase.ts';
import { joinKubeletWaitPhase } from './join-kubelet-wait-phase.ts';
import { joinPreflightPhase } from './join-preflight-phase.ts';
import { clientRequests } from './own-kubelet-request.ts';

/** Makes this machine a worker of a cluster, in kubeadm's order. */
export const joinWorkflow: Workflow<JoinContext> = defineWorkflow<JoinContext>({
  name: 'join',
  summary: 'Join this machine to a Kubernetes cluster',
  layout: joinLayoutOf,
  apiTimeoutMs: (context) => timeoutOf(context, 'kubernetesAPICall', '1m'),
  // Of the cluster its configuration, whether requests are signed and who has the name of the node; for a phase that is told of no cluster, what an earlier one left.
  resolvedFrom: [
    clusterInfo,
    kubeadmConfig.configMap,
    kubeletConfig.configMap,
    groundplaneConfig.configMap,
    clientRequests,
    nodeObject,
    bootstrapKubeconfig,
    joinedKubeconfig,
    joinedAuthority,
    kubeletConfigFile,
  ],
  phases: [joinPreflightPhase, joinKubeletStartPhase, joinKubeletWaitPhase],
});
