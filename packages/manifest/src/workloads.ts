import type { NamedObject, ObjectMeta } from './kubernetes-objects.ts';
import type { PodSpec } from './pod.ts';

export interface LabelSelector {
  matchLabels?: Record<string, string>;
}

export interface PodTemplate {
  metadata?: ObjectMeta;
  spec: PodSpec;
}

interface UpdateStrategy {
  type?: string;
  rollingUpdate?: { maxUnavailable?: number | string; maxSurge?: number | string };
}

export interface Deployment extends NamedObject {
  apiVersion: 'apps/v1';
  kind: 'Deployment';
  spec: { replicas?: number; strategy?: UpdateStrategy; selector: LabelSelector; template: PodTemplate };
}

export interface DaemonSet extends NamedObject {
  apiVersion: 'apps/v1';
  kind: 'DaemonSet';
  spec: { updateStrategy?: UpdateStrategy; selector: LabelSelector; template: PodTemplate };
}

export interface ServicePort {
  name?: string;
  port: number;
  protocol?: 'TCP' | 'UDP' | 'SCTP';
  targetPort?: number | string;
}

export interface Service extends NamedObject {
  apiVersion: 'v1';
  kind: 'Service';
  spec: { clusterIP?: string; clusterIPs?: string[]; ports?: ServicePort[]; selector?: Record<string, string> };
}
