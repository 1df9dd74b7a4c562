import { defineWorkflow, type Workflow } from '@groundplane/phases';
import { addonPhases } from './addon-phases.ts';
import { adminAccessPhase } from './admin-access-phase.ts';
import { certificateArtifactsOf } from './artifacts.ts';
import { bootstrapTokenPhase } from './bootstrap-token-phase.ts';
import { certificatePhases } from './certificate-phases.ts';
import { controllerAccountsPhase } from './controller-accounts-phase.ts';
import { type InitContext, layoutOf, localEndpointOf, timeoutOf } from './init-context.ts';
import { kubeconfigPhases } from './kubeconfig-phases.ts';
import { kubeletAccessPhase } from './kubelet-access-phase.ts';
import { kubeletFinalizePhase } from './kubelet-finalize-phase.ts';
import { kubeletStartPhase } from './kubelet-start-phase.ts';
import { hangingOn } from './lost-authorities.ts';
import { markControlPlanePhase } from './mark-control-plane-phase.ts';
import { preflightPhase } from './preflight-phase.ts';
import { showJoinCommandPhase } from './show-join-command-phase.ts';
import { staticPodPhases } from './static-pod-phases.ts';
import { uploadCertsPhase } from './upload-certs-phase.ts';
import { uploadConfigPhases } from './upload-config-phases.ts';
import { waitControlPlanePhase } from './wait-control-plane-phase.ts';

/** Makes the first control-plane node of a cluster, in kubeadm's order. */
export const initWorkflow: Workflow<InitContext> = defineWorkflow<InitContext>({
  name: 'init',
  summary: 'Set up the Kubernetes control plane',
  layout: layoutOf,
  // Another kubeconfig than ours is used with the server that it names.
  localEndpoint: (context) => (context.adminKubeconfig === undefined ? localEndpointOf(context) : undefined),
  apiTimeoutMs: (context) => timeoutOf(context, 'kubernetesAPICall', '1m'),
  // Whether a CA is kept elsewhere; then all that it would sign has to be here, and is looked at too.
  resolvedFrom: ['ca', 'front-proxy-ca']
    .map(certificateArtifactsOf)
    .flatMap(({ certificate, key }) => [certificate, key]),
  lookedFor: hangingOn,
  phases: [
    preflightPhase,
    ...certificatePhases,
    ...kubeconfigPhases,
    ...staticPodPhases,
    kubeletStartPhase,
    waitControlPlanePhase,
    adminAccessPhase,
    controllerAccountsPhase,
    kubeletAccessPhase,
    ...uploadConfigPhases,
    uploadCertsPhase,
    markControlPlanePhase,
    bootstrapTokenPhase,
    kubeletFinalizePhase,
    ...addonPhases,
    showJoinCommandPhase,
  ],
});
