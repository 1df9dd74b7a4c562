import { lastArgument } from './command-arguments.ts';
import type { ComponentSettings, ControlPlaneComponent, ControlPlaneFacts } from './control-plane-facts.ts';
import { etcdClientURL, etcdPorts, joinHostPort, loopbackOf } from './etcd-urls.ts';
import { metricsEndpoint } from './metrics-endpoint.ts';

/** Where a component answers the kubelet's probes. */
export interface ProbeEndpoint {
  /** Undefined: the kubelet uses the pod's address. */
  readonly host: string | undefined;
  readonly port: number;
  readonly scheme: 'HTTP' | 'HTTPS';
}

/** What distinguishes the static pods of the control plane from each other, flags and volumes apart. */
export interface ComponentRow {
  readonly requests: Readonly<Record<string, string>>;
  readonly annotations: (facts: ControlPlaneFacts) => Readonly<Record<string, string>>;
  readonly settings: (facts: ControlPlaneFacts) => Pick<ComponentSettings, 'extraArgs' | 'extraEnvs'>;
  /** True if the process environment's proxy variables are handed on. */
  readonly usesProxy: boolean;
  readonly probeEndpoint: (facts: ControlPlaneFacts) => ProbeEndpoint;
  readonly probePaths: { readonly startup: string; readonly liveness: string; readonly readiness?: string };
}

/** Annotations under which others find the endpoints of this node's static pods. */
export const endpointAnnotations = {
  apiServer: 'kubeadm.kubernetes.io/kube-apiserver.advertise-address.endpoint',
  etcd: 'kubeadm.kubernetes.io/etcd.advertise-client-urls',
} as const;

/** Source: kubeadm's phases/controlplane/manifests.go, phases/etcd/local.go and util/staticpod/utils.go. */
export const componentTable: Readonly<Record<ControlPlaneComponent, ComponentRow>> = {
  etcd: {
    requests: { cpu: '100m', memory: '100Mi' },
    annotations: ({ advertiseAddress }) => ({ [endpointAnnotations.etcd]: etcdClientURL(advertiseAddress) }),
    settings: ({ etcd }) => etcd.local ?? {},
    usesProxy: false,
    probeEndpoint: etcdProbeEndpoint,
    probePaths: { startup: '/readyz', liveness: '/livez', readiness: '/readyz' },
  },
  'kube-apiserver': {
    requests: { cpu: '250m' },
    annotations: ({ advertiseAddress, bindPort }) => ({
      [endpointAnnotations.apiServer]: joinHostPort(advertiseAddress, bindPort),
    }),
    settings: ({ apiServer }) => apiServer,
    usesProxy: true,
    probeEndpoint: ({ advertiseAddress, bindPort }) => secure(advertiseAddress, bindPort),
    probePaths: { startup: '/livez', liveness: '/livez', readiness: '/readyz' },
  },
  'kube-controller-manager': {
    requests: { cpu: '200m' },
    annotations: () => ({}),
    settings: ({ controllerManager }) => controllerManager,
    usesProxy: true,
    // The port is the default one even where extraArgs move it; kubeadm's users patch the probes then.
    probeEndpoint: ({ controllerManager }) => secure(bindAddress(controllerManager), 10257),
    probePaths: { startup: '/healthz', liveness: '/healthz' },
  },
  'kube-scheduler': {
    requests: { cpu: '100m' },
    annotations: () => ({}),
    settings: ({ scheduler }) => scheduler,
    usesProxy: true,
    probeEndpoint: ({ scheduler }) => secure(bindAddress(scheduler), 10259),
    probePaths: { startup: '/livez', liveness: '/livez', readiness: '/readyz' },
  },
};

function bindAddress({ extraArgs }: ComponentSettings): string {
  return lastArgument(extraArgs, 'bind-address')?.value ?? '127.0.0.1';
}

/** A probe cannot be sent to the unspecified address. */
function secure(address: string, port: number): ProbeEndpoint {
  return { host: ['0.0.0.0', '::', ''].includes(address) ? undefined : address, port, scheme: 'HTTPS' };
}

/** etcd answers probes on its metrics URL; where the user moves that, on the first of the new ones. */
function etcdProbeEndpoint({ etcd, advertiseAddress }: ControlPlaneFacts): ProbeEndpoint {
  const standard: ProbeEndpoint = { host: loopbackOf(advertiseAddress), port: etcdPorts.metrics, scheme: 'HTTP' };
  const moved = lastArgument(etcd.local?.extraArgs, 'listen-metrics-urls');
  return moved === undefined ? standard : metricsEndpoint(moved.value, standard);
}
