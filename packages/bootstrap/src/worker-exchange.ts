import { type Finding, isGroundplaneError } from '@groundplane/errors';
import { currentContextOf, parseHostPort, parseKubeconfig } from '@groundplane/kubeconfig';
import type { Host } from '@groundplane/phases';
import { absolutePath } from './absolute-path.ts';
import { bootstrapError } from './error-codes.ts';
import type { InitContext } from './init-context.ts';
import { type JoinContext, nodeNameOf } from './join-context.ts';
import { joinedNodeConfiguration } from './joined-node-configuration.ts';
import type { NodeConfigurationRequest } from './node-configuration.ts';
import { readText } from './read-text.ts';

export interface WorkerExchangeRequest extends NodeConfigurationRequest {
  /** `host:port` of the API server; without it what the configuration says, or the kubelet.conf that waits for its certificate. */
  readonly endpoint?: string | undefined;
  /** Absolute path of the folder from which relative paths count. */
  readonly workingDirectory: string;
  /** Absolute path of the folder with kubelet.conf. */
  readonly kubeconfigDirectory: string;
}

/**
 * What the exchange of certificates with a CA elsewhere goes by on a machine that is to be a worker: the name of its node, and the API server
 * that it is told of. Its cluster is not asked.
 *
 * @throws GroundplaneError BOOTSTRAP_SERVER_UNKNOWN if nothing says where the API server is; KUBECONFIG_ENDPOINT_INVALID; of kind usage for a
 *   configuration that cannot be used
 */
export async function workerExchange(
  request: WorkerExchangeRequest,
): Promise<{ readonly context: InitContext; readonly warnings: readonly Finding[] }> {
  const { context, warnings } = await joinedNodeConfiguration(request);
  const server = await serverOf(context, request);
  if (server === undefined) {
    throw bootstrapError(
      'BOOTSTRAP_SERVER_UNKNOWN',
      'Cannot tell what the kubelet of this node needs as nothing says where the API server of its cluster is',
      { hint: 'Name it as for join: HOST:PORT, or discovery.bootstrapToken.apiServerEndpoint in a JoinConfiguration' },
    );
  }
  parseHostPort(server);
  const { caCertPath } = context.join;
  const folder = /^(.+)\/ca\.crt$/.exec(caCertPath)?.[1];
  const { nodeRegistration } = context.init;
  return {
    warnings,
    context: {
      ...context,
      // Which one discovery leads to is found out by join.
      endpointIsAssumed: true,
      init: {
        ...context.init,
        localAPIEndpoint: noApiServer,
        nodeRegistration: { ...nodeRegistration, name: nodeNameOf(context) },
      },
      cluster: {
        ...context.cluster,
        controlPlaneEndpoint: server,
        ...(folder === undefined ? {} : { certificatesDir: folder }),
      },
    },
  };
}

/** A worker has none; nothing is made of it where the control plane has an endpoint. */
const noApiServer = { advertiseAddress: '0.0.0.0', bindPort: 6443 };

/** `host:port` of the API server: what discovery begins with, or what is on the node already. */
async function serverOf(
  { join, server }: JoinContext,
  { ports: { host }, endpoint, workingDirectory, kubeconfigDirectory }: WorkerExchangeRequest,
): Promise<string | undefined> {
  if (endpoint !== undefined) return endpoint;
  const { bootstrapToken, file } = join.discovery;
  if (bootstrapToken?.apiServerEndpoint) return bootstrapToken.apiServerEndpoint;
  const path = file?.kubeConfigPath;
  const named = path ? await serverIn(host, absolutePath(path, workingDirectory)) : undefined;
  const url = URL.parse(named ?? ((await serverIn(host, `${kubeconfigDirectory}/kubelet.conf`)) || server));
  return url === null ? undefined : `${url.hostname}:${url.port || '443'}`;
}

/** One that is elsewhere, or cannot be used, says nothing. */
async function serverIn(host: Host, path: string): Promise<string | undefined> {
  try {
    const text = await readText(host, path);
    return text === undefined ? undefined : currentContextOf(parseKubeconfig(text)).server;
  } catch (thrown) {
    if (!isGroundplaneError(thrown)) throw thrown;
    return undefined;
  }
}
