import type { Finding } from '@groundplane/errors';
import { type AnyPhase, contract, whereApplicable } from '@groundplane/phases';
import {
  adminKubeconfig,
  certificateArtifacts,
  kubeconfigArtifact,
  serviceAccountKey,
  serviceAccountPublicKey,
  staticPods,
} from './artifacts.ts';
import { bootstrapFinding } from './error-codes.ts';
import { componentHealthChecks, type HealthCheck, kubeletHealthCheck, lookAtHealth } from './health-checks.ts';
import { explainHealth, withReasons } from './health-explanation.ts';
import type { InitContext } from './init-context.ts';

/** How often health is asked for, in milliseconds. */
const intervalMs = 100;

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
  },
  connect: { kubeconfig: adminKubeconfig, endpoint: 'local' },
  uses: ['host', 'cluster', 'runtime', 'clock'],
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
  async run({ config, inputs, ports: { host, cluster, runtime, clock }, wait, progress }) {
    const waitFor = async (check: HealthCheck) => {
      const start = clock.monotonicMs();
      const explain = () => explainHealth(check, { runtime, host });
      const subject = `${check.name} at ${check.url}`;
      const look = withReasons(check, { runtime, host, clock }, () => lookAtHealth(check, host, cluster));
      await wait({ subject, timeoutMs: check.timeoutMs, intervalMs, explain }, look);
      progress(`${check.name} is healthy after ${((clock.monotonicMs() - start) / 1000).toFixed(1)} s`);
    };
    const kubelet = kubeletHealthCheck(config);
    if (kubelet !== undefined) await waitFor(kubelet);
    await Promise.all(componentHealthChecks(config, inputs).map(waitFor));
  },
});
