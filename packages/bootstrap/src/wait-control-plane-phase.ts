import type { Finding } from '@groundplane/errors';
import { type AnyPhase, contract, optional, whereApplicable } from '@groundplane/phases';
import {
  adminKubeconfig,
  certificateArtifacts,
  kubeconfigArtifact,
  kubeletConfigFile,
  kubeletFlagsFile,
  serviceAccountKey,
  serviceAccountPublicKey,
  staticPods,
} from './artifacts.ts';
import { bootstrapFinding } from './error-codes.ts';
import { componentHealthChecks, healthDemand, kubeletHealthCheck, lookAtHealth } from './health-checks.ts';
import type { InitContext } from './init-context.ts';
import { patchedStaticPod } from './patched-documents.ts';
import { waitForHealth } from './wait-for-health.ts';

/** Certificates that no component on this node starts with: the health check of etcd is asked for by later commands. */
const unusedAtStart: ReadonlySet<string> = new Set(['etcd-healthcheck-client']);

/** Certificate name → its file. With external etcd there are none of etcd's. */
const certificates = Object.fromEntries(
  certificateArtifacts
    .filter(({ row }) => !unusedAtStart.has(row.name))
    .map(({ row, certificate }) => [`certificate ${row.name}`, whereApplicable(certificate)]),
);

/**
 * Waits until kubelet, API server, controller manager and scheduler are healthy (kubeadm: cmd/phases/init/waitcontrolplane.go).
 * It reads what the components start with, so that files of a replaced phase are judged before anything is started; the keys are
 * judged with their certificates.
 */
export const waitControlPlanePhase: AnyPhase<InitContext> = contract<InitContext>().defineEffect({
  name: 'wait-control-plane',
  summary: 'Wait for the control plane to start',
  configuration: [
    'timeouts.kubeletHealthCheck',
    'timeouts.controlPlaneComponentHealthCheck',
    'KubeletConfiguration.healthzPort',
  ],
  reads: {
    apiserver: staticPods['kube-apiserver'],
    controllerManager: staticPods['kube-controller-manager'],
    scheduler: staticPods['kube-scheduler'],
    etcd: whereApplicable(staticPods.etcd),
    ...certificates,
    serviceAccountKey,
    serviceAccountPublicKey,
    controllerManagerKubeconfig: kubeconfigArtifact('controller-manager.conf'),
    schedulerKubeconfig: kubeconfigArtifact('scheduler.conf'),
    kubeletKubeconfig: kubeconfigArtifact('kubelet.conf'),
    // A kubelet that somebody else starts may have them elsewhere.
    kubeletConfig: optional(kubeletConfigFile),
    kubeletFlags: optional(kubeletFlagsFile),
  },
  connect: { kubeconfig: adminKubeconfig, endpoint: 'local' },
  uses: ['host', 'cluster', 'runtime', 'clock'],
  conditions(config) {
    const kubelet = kubeletHealthCheck(config);
    const pods = {
      apiserver: patchedStaticPod('kube-apiserver', config, true),
      controllerManager: patchedStaticPod('kube-controller-manager', config, true),
      scheduler: patchedStaticPod('kube-scheduler', config, true),
    };
    return [...(kubelet === undefined ? [] : [kubelet]), ...componentHealthChecks(config, pods)].map(healthDemand);
  },
  async verify({ config, inputs, ports: { host, cluster } }) {
    const kubelet = kubeletHealthCheck(config);
    const checks = [...(kubelet === undefined ? [] : [kubelet]), ...componentHealthChecks(config, inputs)];
    const looks = await Promise.all(checks.map((check) => lookAtHealth(check, host, cluster)));
    return checks.flatMap(({ name }, index): Finding[] => {
      const look = looks[index];
      if (look === undefined || look.done) return [];
      const message = `${name} is not healthy: ${look.reason}`;
      return [bootstrapFinding({ code: 'BOOTSTRAP_COMPONENT_UNHEALTHY', severity: 'error', artifact: name, message })];
    });
  },
  run: ({ config, inputs, ports, wait, progress }) =>
    waitForHealth(
      { kubelet: kubeletHealthCheck(config), components: componentHealthChecks(config, inputs) },
      { ports, wait, progress },
    ),
});
