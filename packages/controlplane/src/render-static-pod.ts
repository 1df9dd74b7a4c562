import type { Pod, Probe } from '@groundplane/manifest';
import { commandArguments } from './command-arguments.ts';
import { ownFlags } from './component-flags.ts';
import { componentTable, type ProbeEndpoint } from './component-table.ts';
import type { ControlPlaneComponent, ControlPlaneFacts } from './control-plane-facts.ts';
import { mergeEnvironment } from './environment.ts';
import { controlPlaneError } from './error-codes.ts';
import { hostPathVolumes } from './host-path-volumes.ts';
import { componentImage } from './image-references.ts';

const probePort = 'probe-port';

/**
 * The static pod of a control plane component; `stringifyYaml` of it is the text that kubeadm writes to
 * `/etc/kubernetes/manifests/<component>.yaml`, before patches.
 *
 * @throws CONTROLPLANE_ETCD_EXTERNAL for etcd if it is external
 */
export function renderStaticPod(component: ControlPlaneComponent, facts: ControlPlaneFacts): Pod {
  if (component === 'etcd' && (facts.etcd.external !== undefined || facts.etcd.local === undefined)) {
    throw controlPlaneError('CONTROLPLANE_ETCD_EXTERNAL', 'Cannot make the static pod of etcd as etcd is external', {
      hint: 'Skip the phase etcd/local, or remove etcd.external from the configuration',
    });
  }
  const row = componentTable[component];
  const { extraArgs, extraEnvs } = row.settings(facts);
  const annotations = row.annotations(facts);
  const endpoint = row.probeEndpoint(facts);
  const environment = mergeEnvironment(row.usesProxy ? facts.proxyEnvironment : [], extraEnvs);
  const { volumes, volumeMounts } = hostPathVolumes(component, facts);
  return {
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: {
      name: component,
      namespace: 'kube-system',
      labels: { component, tier: 'control-plane' },
      ...(Object.keys(annotations).length > 0 ? { annotations } : {}),
    },
    spec: {
      containers: [
        {
          name: component,
          image: componentImage(component, facts),
          imagePullPolicy: 'IfNotPresent',
          command: [component, ...commandArguments(ownFlags(component, facts), extraArgs)],
          ...(environment.length > 0 ? { env: environment } : {}),
          ports: [{ name: probePort, containerPort: endpoint.port, protocol: 'TCP' }],
          ...probes(row.probePaths, endpoint, facts.healthCheckTimeoutSeconds),
          resources: { requests: { ...row.requests } },
          volumeMounts,
        },
      ],
      hostNetwork: true,
      priority: 2_000_001_000,
      priorityClassName: 'system-node-critical',
      securityContext: { seccompProfile: { type: 'RuntimeDefault' } },
      volumes,
    },
    status: {},
  };
}

/** A component may take its whole time to start, has a bit more than a minute to recover, and is unready at once. */
function probes(
  paths: { readonly startup: string; readonly liveness: string; readonly readiness?: string },
  endpoint: ProbeEndpoint,
  healthCheckTimeoutSeconds: number,
): { startupProbe: Probe; livenessProbe: Probe; readinessProbe?: Probe } {
  const probe = (path: string, timing: Probe): Probe => ({
    httpGet: {
      ...(endpoint.host === undefined ? {} : { host: endpoint.host }),
      path,
      port: probePort,
      scheme: endpoint.scheme,
    },
    timeoutSeconds: 15,
    ...timing,
  });
  const period = 10;
  const failures = Math.ceil(healthCheckTimeoutSeconds / period);
  return {
    startupProbe: probe(paths.startup, {
      initialDelaySeconds: 10,
      periodSeconds: period,
      ...(failures > 0 ? { failureThreshold: failures } : {}),
    }),
    livenessProbe: probe(paths.liveness, { initialDelaySeconds: 10, periodSeconds: period, failureThreshold: 8 }),
    ...(paths.readiness === undefined
      ? {}
      : { readinessProbe: probe(paths.readiness, { periodSeconds: 1, failureThreshold: 3 }) }),
  };
}
