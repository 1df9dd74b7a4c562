import type { Condition, NamedObject, Taint } from './kubernetes-objects.ts';

export interface EnvVar {
  name: string;
  value?: string;
  valueFrom?: Record<string, unknown>;
}

export interface VolumeMount {
  name: string;
  mountPath: string;
  readOnly?: boolean;
  /** Of the volume, below its root. */
  subPath?: string;
}

export interface HttpGetAction {
  host?: string;
  path?: string;
  port: number | string;
  scheme?: 'HTTP' | 'HTTPS';
}

export interface Probe {
  httpGet?: HttpGetAction;
  failureThreshold?: number;
  initialDelaySeconds?: number;
  periodSeconds?: number;
  successThreshold?: number;
  timeoutSeconds?: number;
}

export interface ContainerPort {
  name?: string;
  containerPort: number;
  protocol?: 'TCP' | 'UDP' | 'SCTP';
}

export interface Container {
  name: string;
  image: string;
  imagePullPolicy?: 'Always' | 'IfNotPresent' | 'Never';
  command?: string[];
  args?: string[];
  env?: EnvVar[];
  ports?: ContainerPort[];
  livenessProbe?: Probe;
  readinessProbe?: Probe;
  startupProbe?: Probe;
  resources?: { requests?: Record<string, string>; limits?: Record<string, string> };
  securityContext?: Record<string, unknown>;
  volumeMounts?: VolumeMount[];
}

/** Kubernetes' host path types; the empty string asks for no check. */
export type HostPathType =
  | ''
  | 'Directory'
  | 'DirectoryOrCreate'
  | 'File'
  | 'FileOrCreate'
  | 'Socket'
  | 'CharDevice'
  | 'BlockDevice';

export interface Volume {
  name: string;
  hostPath?: { path: string; type?: HostPathType };
  configMap?: { name: string; items?: { key: string; path: string }[] };
}

/** An absent operator is `Equal`; an absent key with `Exists` tolerates every taint. */
export interface Toleration {
  key?: string;
  operator?: 'Equal' | 'Exists';
  value?: string;
  effect?: Taint['effect'];
}

export interface PodSpec {
  containers: Container[];
  initContainers?: Container[];
  volumes?: Volume[];
  hostNetwork?: boolean;
  nodeName?: string;
  priority?: number;
  priorityClassName?: string;
  serviceAccountName?: string;
  affinity?: Record<string, unknown>;
  tolerations?: Toleration[];
  nodeSelector?: Record<string, string>;
  dnsPolicy?: 'ClusterFirst' | 'ClusterFirstWithHostNet' | 'Default' | 'None';
  securityContext?: {
    seccompProfile?: { type: string };
    runAsUser?: number;
    runAsGroup?: number;
    runAsNonRoot?: boolean;
    fsGroup?: number;
    supplementalGroups?: number[];
  };
}

export interface ContainerStatus {
  name: string;
  ready: boolean;
  restartCount: number;
  state?: { waiting?: { reason?: string; message?: string }; running?: object; terminated?: { exitCode: number } };
}

export interface PodStatus {
  phase?: string;
  podIP?: string;
  conditions?: Condition[];
  containerStatuses?: ContainerStatus[];
}

export interface Pod extends NamedObject {
  apiVersion: 'v1';
  kind: 'Pod';
  spec: PodSpec;
  status?: PodStatus;
}
