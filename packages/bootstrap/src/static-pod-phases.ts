import { type ControlPlaneComponent, controlPlaneComponents } from '@groundplane/controlplane';
import type { Finding } from '@groundplane/errors';
import { type AnyPhase, contract, optional } from '@groundplane/phases';
import { certificateArtifactsOf, etcdDataDirectory, staticPods } from './artifacts.ts';
import { mayStillSign } from './control-plane-facts.ts';
import { externalEtcdFiles } from './discovery-artifacts.ts';
import { externalEtcdDemands, externalEtcdFindings } from './external-etcd-findings.ts';
import { findingsAbout, placeIn } from './findings-about.ts';
import type { InitContext } from './init-context.ts';
import { patchedStaticPod, staticPodFindings } from './patched-documents.ts';
import { staticPodDemands } from './static-pod-demands.ts';

const init = contract<InitContext>();
const authority = certificateArtifactsOf('ca');
/** Whether this node may sign decides the controller manager's flags, so both CA files are read by every static pod. */
const authorityReads = { authority: optional(authority.certificate), authorityKey: optional(authority.key) };

const etcdReads = {
  caFile: optional(externalEtcdFiles.caFile),
  certFile: optional(externalEtcdFiles.certFile),
  keyFile: optional(externalEtcdFiles.keyFile),
};

/** kubeadm's name of the phase of each component. */
export const staticPodPhaseNames: Readonly<Record<ControlPlaneComponent, string>> = {
  etcd: 'etcd/local',
  'kube-apiserver': 'control-plane/apiserver',
  'kube-controller-manager': 'control-plane/controller-manager',
  'kube-scheduler': 'control-plane/scheduler',
};

const configuration: Readonly<Record<ControlPlaneComponent, readonly string[]>> = {
  etcd: ['etcd.local', 'localAPIEndpoint.advertiseAddress', 'nodeRegistration.name'],
  'kube-apiserver': ['apiServer', 'localAPIEndpoint', 'networking.serviceSubnet', 'etcd', 'certificatesDir'],
  'kube-controller-manager': ['controllerManager', 'networking', 'clusterName', 'certificatesDir'],
  'kube-scheduler': ['scheduler'],
};

/** One phase for each static pod, etcd first (kubeadm: phases/etcd, phases/controlplane). */
export const staticPodPhases: readonly AnyPhase<InitContext>[] = controlPlaneComponents.map((component) =>
  component === 'etcd' ? etcdPhase() : componentPhase(component),
);

function podFindings(...given: Parameters<typeof staticPodFindings>): readonly Finding[] {
  const [component, , { context }] = given;
  return findingsAbout(placeIn(context, staticPods[component]), staticPodFindings(...given));
}

function etcdPhase(): AnyPhase<InitContext> {
  return init.definePhase({
    name: staticPodPhaseNames.etcd,
    summary: 'Generate the static Pod manifest file for a local, single-node local etcd instance',
    configuration: [...configuration.etcd, 'kubernetesVersion', 'imageRepository', 'patches'],
    inapplicable: ({ cluster }) => (cluster.etcd.external === undefined ? undefined : 'etcd is external'),
    // Another tool's etcd may keep its data elsewhere, so only ours is sure to have this folder.
    writes: { dataDirectory: optional(etcdDataDirectory), pod: staticPods.etcd },
    render: ({ config, outputs }) => outputs({ dataDirectory: undefined, pod: patchedStaticPod('etcd', config, true) }),
    verify: ({ config, outputs }) => podFindings('etcd', outputs.pod, { context: config, hasCAKey: true }),
    demands: (config) => ({
      dataDirectory: [{ text: 'Made here: an empty directory; what is in one that is there belongs to etcd' }],
      pod: staticPodDemands('etcd', config),
    }),
  });
}

function componentPhase(component: Exclude<ControlPlaneComponent, 'etcd'>): AnyPhase<InitContext> {
  return init.definePhase({
    name: staticPodPhaseNames[component],
    summary: `Generate the ${component} static Pod manifest`,
    configuration: [...configuration[component], 'kubernetesVersion', 'imageRepository', 'patches'],
    reads: component === 'kube-apiserver' ? { ...authorityReads, ...etcdReads } : authorityReads,
    writes: { pod: staticPods[component] },
    render: ({ config, inputs, outputs }) =>
      outputs({ pod: patchedStaticPod(component, config, mayStillSign(inputs)) }),
    verify: async ({ config, inputs, outputs, now }) => [
      ...podFindings(component, outputs.pod, { context: config, hasCAKey: mayStillSign(inputs) }),
      ...('caFile' in inputs ? await externalEtcdFindings(config, inputs, now) : []),
    ],
    demands: (config) => ({ pod: staticPodDemands(component, config) }),
    conditions: (config) => (component === 'kube-apiserver' ? externalEtcdDemands(config) : []),
  });
}
