import {
  type ControlPlaneComponent,
  type ControlPlaneFacts,
  controlPlaneComponents,
  renderStaticPod,
  verifyStaticPod,
} from '@groundplane/controlplane';
import { type AnyPhase, contract, optional } from '@groundplane/phases';
import { certificateArtifactsOf, etcdDataDirectory, staticPods } from './artifacts.ts';
import { type InitContext, timeoutOf } from './init-context.ts';

const init = contract<InitContext>();
const authority = certificateArtifactsOf('ca');
/** Whether this node may sign decides the controller manager's flags, so both CA files are read by every static pod. */
const authorityReads = { authority: optional(authority.certificate), authorityKey: optional(authority.key) };

/** kubeadm's name of the phase of each component. */
const phaseNames: Readonly<Record<ControlPlaneComponent, string>> = {
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

function etcdPhase(): AnyPhase<InitContext> {
  return init.definePhase({
    name: phaseNames.etcd,
    summary: 'Generate the static Pod manifest file for a local, single-node local etcd instance',
    configuration: [...configuration.etcd, 'kubernetesVersion', 'imageRepository'],
    inapplicable: ({ cluster }) => (cluster.etcd.external === undefined ? undefined : 'etcd is external'),
    // Another tool's etcd may keep its data elsewhere, so only ours is sure to have this folder.
    writes: { dataDirectory: optional(etcdDataDirectory), pod: staticPods.etcd },
    render: ({ config, outputs }) =>
      outputs({ dataDirectory: undefined, pod: renderStaticPod('etcd', controlPlaneFactsOf(config, true)) }),
    verify: ({ config, outputs }) => verifyStaticPod('etcd', outputs.pod, controlPlaneFactsOf(config, true)),
  });
}

function componentPhase(component: Exclude<ControlPlaneComponent, 'etcd'>): AnyPhase<InitContext> {
  return init.definePhase({
    name: phaseNames[component],
    summary: `Generate the ${component} static Pod manifest`,
    configuration: [...configuration[component], 'kubernetesVersion', 'imageRepository'],
    reads: authorityReads,
    writes: { pod: staticPods[component] },
    render: ({ config, inputs, outputs }) =>
      outputs({ pod: renderStaticPod(component, controlPlaneFactsOf(config, mayStillSign(inputs))) }),
    verify: ({ config, inputs, outputs }) =>
      verifyStaticPod(component, outputs.pod, controlPlaneFactsOf(config, mayStillSign(inputs))),
  });
}

/** False only for an external CA: its certificate is here and its key is not (kubeadm-1.37.md 4.8). */
export function mayStillSign({
  authority: certificate,
  authorityKey,
}: {
  authority: string | undefined;
  authorityKey: string | undefined;
}): boolean {
  return certificate === undefined || authorityKey !== undefined;
}

/** What the static pods depend on, out of the resolved configuration. */
export function controlPlaneFactsOf(context: InitContext, hasCAKey: boolean): ControlPlaneFacts {
  const { init: node, cluster, machine } = context;
  return {
    advertiseAddress: node.localAPIEndpoint.advertiseAddress,
    bindPort: node.localAPIEndpoint.bindPort,
    nodeName: node.nodeRegistration.name,
    certificatesDir: cluster.certificatesDir,
    clusterName: cluster.clusterName,
    networking: cluster.networking,
    imageRepository: cluster.imageRepository,
    ciImageRepository:
      context.kubernetesImageRepository === cluster.imageRepository ? '' : context.kubernetesImageRepository,
    kubernetesVersion: cluster.kubernetesVersion,
    etcd: cluster.etcd,
    dns: cluster.dns,
    proxy: cluster.proxy,
    apiServer: cluster.apiServer,
    controllerManager: cluster.controllerManager,
    scheduler: cluster.scheduler,
    healthCheckTimeoutSeconds: timeoutOf(context, 'controlPlaneComponentHealthCheck', '4m') / 1000,
    hasCAKey,
    presentCADirectories: machine.certificateAuthorityDirectories,
    proxyEnvironment: machine.proxyEnvironment,
  };
}
