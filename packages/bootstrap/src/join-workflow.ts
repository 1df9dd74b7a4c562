import { defineWorkflow, type Workflow } from '@groundplane/phases';
import { timeoutOf } from './init-context.ts';
import { type JoinContext, joinLayoutOf } from './join-context.ts';
import { joinKubeletStartPhase } from './join-kubelet-start-phase.ts';
import { joinKubeletWaitPhase } from './join-kubelet-wait-phase.ts';
import { joinPreflightPhase } from './join-preflight-phase.ts';

/** Makes this machine a worker of a cluster, in kubeadm's order. */
export const joinWorkflow: Workflow<JoinContext> = defineWorkflow<JoinContext>({
  name: 'join',
  summary: 'Join this machine to a Kubernetes cluster',
  layout: joinLayoutOf,
  apiTimeoutMs: (context) => timeoutOf(context, 'kubernetesAPICall', '1m'),
  phases: [joinPreflightPhase, joinKubeletStartPhase, joinKubeletWaitPhase],
});
