import type { Cluster, ClusterObject, ObjectReference } from '@groundplane/phases';
import { kubernetesClusters } from '../src/kubernetes-clusters.ts';
import type { ApiServer } from './api-server.ts';
import { clock } from './clock.ts';

export const clusters = kubernetesClusters({ clock, environment: {} });

/** A connection to that API server, as the super admin and with half a minute of patience unless told otherwise. */
export function connectTo(
  api: ApiServer,
  options: {
    readonly identity?: Parameters<ApiServer['kubeconfig']>[0];
    readonly timeoutMs?: number;
    readonly server?: string;
    readonly retryForbidden?: boolean;
  } = {},
): Promise<Cluster> {
  const { identity = 'superAdmin', timeoutMs = 30_000, ...rest } = options;
  return clusters.connect({ kubeconfig: api.kubeconfig(identity), timeoutMs, ...rest });
}

export function configMap(name: string, data: Readonly<Record<string, string>>, namespace = 'default'): ClusterObject {
  return { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name, namespace }, data };
}

export function reference(name: string, namespace = 'default'): ObjectReference {
  return { apiVersion: 'v1', kind: 'ConfigMap', namespace, name };
}

/** The data of a ConfigMap as kubectl reads it. */
export function kubectlData(api: ApiServer, name: string, namespace = 'default'): unknown {
  return JSON.parse(api.kubectl('get', 'configmap', name, '-n', namespace, '-o', 'jsonpath={.data}'));
}
