import { defineWorkflow, type Workflow } from '@groundplane/phases';
import { adminAccessPhase } from './admin-access-phase.ts';
import { certificatePhases } from './certificate-phases.ts';
import { type InitContext, layoutOf, localEndpointOf, timeoutOf } from './init-context.ts';
import { kubeconfigPhases } from './kubeconfig-phases.ts';
import { kubeletAccessPhase } from './kubelet-access-phase.ts';
import { kubeletStartPhase } from './kubelet-start-phase.ts';
import { markControlPlanePhase } from './mark-control-plane-phase.ts';
import { preflightPhase } from './preflight-phase.ts';
import { staticPodPhases } from './static-pod-phases.ts';
import { uploadConfigPhases } from './upload-config-phases.ts';
import { waitControlPlanePhase } from './wait-control-plane-phase.ts';

/** Makes the first control-plane node of a cluster, in kubeadm's order. */
export const initWorkflow: Workflow<InitContext> = defineWorkflow<InitContext>({
  name: 'init',
  summary: 'Set up the Kubernetes control plane',
  layout: layoutOf,
  localEndpoint: localEndpointOf,
  apiTimeoutMs: (context) => timeoutOf(context, 'kubernetesAPICall', '1m'),
  phases: [
    preflightPhase,
    ...certificatePhases,
    ...kubeconfigPhases,
    ...staticPodPhases,
    kubeletStartPhase,
    waitControlPlanePhase,
    adminAccessPhase,
    kubeletAccessPhase,
    ...uploadConfigPhases,
    markControlPlanePhase,
  ],
});
