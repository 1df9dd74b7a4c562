import type { Clock, Cluster, Clusters } from '@groundplane/phases';
import { apiCaller } from './api-caller.ts';
import { clusterClient } from './cluster-client.ts';
import { openConnection } from './connection.ts';
import type { Environment } from './proxy-environment.ts';

export interface ConnectOptions {
  /** Text of a kubeconfig; its current context is used. */
  readonly kubeconfig: string;
  /** Overrides the server that the kubeconfig names: `https://192.0.2.1:6443`. */
  readonly server?: string;
  /** How long a call goes on retrying passing faults, in milliseconds. */
  readonly timeoutMs: number;
  /**
   * Also retry when the API server says that the identity may not do this (403): for rights that were granted a moment ago.
   * Without it, a 403 is retried only while the API server is not ready.
   */
  readonly retryForbidden?: boolean;
  /** Of one answer; no more of a larger one is read, and the call fails. @default 64 MiB */
  readonly maximumBytes?: number;
}

/** A program that fetches credentials may ask somebody over the network, or a person. */
const longestCredentialsMs = 30_000;

export interface KubernetesClusters extends Clusters {
  connect(options: ConnectOptions): Promise<Cluster>;
}

/**
 * Clusters reached over HTTPS with what a kubeconfig holds: client certificates, tokens, exec plugins, proxies. The Kubernetes
 * client library is loaded at the first connection. Each request is given ten seconds; passing faults (no connection, 429, 5xx,
 * a namespace or bootstrap role that is not there yet) are retried after 50 to 500 ms until the deadline.
 *
 * @param options.environment where proxies are read from; default: that of this process
 */
export function kubernetesClusters(options: {
  readonly clock: Clock;
  readonly environment?: Environment;
}): KubernetesClusters {
  const { clock, environment = process.env } = options;
  return {
    async connect({ kubeconfig, server, timeoutMs, retryForbidden = false, maximumBytes }) {
      const credentialsMs = Math.min(timeoutMs, longestCredentialsMs);
      const connection = await openConnection({ kubeconfig, server, environment, maximumBytes, credentialsMs });
      return clusterClient(apiCaller(connection, { clock, timeoutMs, retryForbidden }));
    },
  };
}
