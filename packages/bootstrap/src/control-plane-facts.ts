import type { ControlPlaneFacts } from '@groundplane/controlplane';
import { type InitContext, timeoutOf } from './init-context.ts';

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
