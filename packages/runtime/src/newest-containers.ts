import type { ContainerState } from '@groundplane/phases';
import type { Container } from './generated/cri_pb.ts';

/** Labels that the kubelet puts on every container. */
export const kubeletLabels = {
  namespace: 'io.kubernetes.pod.namespace',
  pod: 'io.kubernetes.pod.name',
  container: 'io.kubernetes.container.name',
} as const;

/** ContainerState of the CRI by its number. */
const states = ['created', 'running', 'exited', 'unknown'] as const;

export function stateOf(value: number): ContainerState['state'] {
  return states[value] ?? 'unknown';
}

export function containerName(container: Container): string {
  return container.metadata?.name ?? container.labels[kubeletLabels.container] ?? '';
}

export function podName(container: Container): string {
  return container.labels[kubeletLabels.pod] ?? '';
}

/** Of each container of each pod the one that was created last, sorted by pod and name. A static pod keeps its name when it is replaced. */
export function newestContainers(containers: readonly Container[]): readonly Container[] {
  const newest = new Map<string, Container>();
  for (const container of containers) {
    const key = `${podName(container)}/${containerName(container)}`;
    const other = newest.get(key);
    if (other === undefined || container.createdAt > other.createdAt) newest.set(key, container);
  }
  return [...newest].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, container]) => container);
}
