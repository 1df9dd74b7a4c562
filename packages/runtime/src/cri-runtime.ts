import type { ContainerState, Runtime } from '@groundplane/phases';
import { parseContainerLog } from './container-log.ts';
import { type CriClient, CriFault, criClient, grpcStatus } from './cri-client.ts';
import { criMethods } from './cri-methods.ts';
import { runtimeError } from './error-codes.ts';
import type { Container } from './generated/cri_pb.ts';
import { containerName, kubeletLabels, newestContainers, podName, stateOf } from './newest-containers.ts';

export interface CriRuntimeOptions {
  /** `unix:///run/containerd/containerd.sock`, or the path alone. */
  readonly socket: string;
  /** Reads the end of a file, at most this many bytes; undefined if there is none. Container logs are read with it. */
  readonly readTail: (path: string, maximumBytes: number) => Promise<string | undefined>;
}

/** As kubeadm has it for every call but a pull. */
const callTimeoutMs = 2000;
const pullAttempts = 5;
/** Room for a log line of the API server, which are long. */
const bytesPerLine = 2048;

/**
 * The container runtime behind a CRI socket (CRI v1, k8s.io/cri-api). Each call is given two seconds, a pull as long as it takes and
 * five attempts. The gRPC library is loaded, and the socket opened, at the first call.
 *
 * @throws GroundplaneError RUNTIME_UNAVAILABLE, RUNTIME_UNSUPPORTED, RUNTIME_FAILED, RUNTIME_PULL_FAILED from each method
 */
export function criRuntime({ socket, readTail }: CriRuntimeOptions): Runtime {
  const client = criClient(socket.startsWith('/') ? `unix://${socket}` : socket);
  const attempt = <T>(what: string, action: (client: CriClient) => Promise<T>): Promise<T> =>
    action(client).catch((thrown: unknown) => {
      throw describeFault(what, socket, thrown);
    });
  const options = { timeoutMs: callTimeoutMs };

  return {
    version: () =>
      attempt('ask the container runtime for its version', async () => {
        const answer = await client.call(criMethods.version, {}, options);
        return { name: answer.runtimeName, version: answer.runtimeVersion, apiVersion: answer.runtimeApiVersion };
      }),
    status: () =>
      attempt('ask the container runtime for its status', async () => {
        const answer = await client.call(criMethods.status, {}, options);
        return (answer.status?.conditions ?? []).map(({ type, status, reason, message }) => ({
          type,
          status,
          reason,
          message,
        }));
      }),
    cgroupDriver: () => attempt('ask the container runtime for its cgroup driver', () => cgroupDriver(client)),
    imageExists: (image) =>
      attempt(`look for the image ${image}`, async () => {
        const answer = await client.call(criMethods.imageStatus, { image: { image } }, options);
        return answer.image !== undefined && answer.image.id !== '';
      }),
    pullImage: (image) => pull(client, image),
    containers: (namespace) =>
      attempt(`list the containers of namespace ${namespace}`, async () => {
        const filter = { labelSelector: { [kubeletLabels.namespace]: namespace } };
        const { containers } = await client.call(criMethods.listContainers, { filter }, options);
        const states = await Promise.all(
          newestContainers(containers).map((container) => describeContainer(client, container)),
        );
        return states.filter((state) => state !== undefined);
      }),
    async log(container, lines) {
      if (container.logPath === undefined) return [];
      const text = await readTail(container.logPath, lines * bytesPerLine);
      return text === undefined ? [] : parseContainerLog(text).slice(-lines);
    },
  };
}

async function cgroupDriver(client: CriClient): Promise<'systemd' | 'cgroupfs' | undefined> {
  try {
    const { linux } = await client.call(criMethods.runtimeConfig, {}, { timeoutMs: callTimeoutMs });
    if (linux === undefined) return undefined;
    return linux.cgroupDriver === 0 ? 'systemd' : 'cgroupfs';
  } catch (thrown) {
    if (thrown instanceof CriFault && thrown.code === grpcStatus.unimplemented) return undefined;
    throw thrown;
  }
}

/** Undefined for a container that was removed between the list and this look at it. */
async function describeContainer(client: CriClient, container: Container): Promise<ContainerState | undefined> {
  try {
    const { status } = await client.call(
      criMethods.containerStatus,
      { containerId: container.id },
      { timeoutMs: callTimeoutMs },
    );
    if (status === undefined) return undefined;
    return {
      id: container.id,
      name: containerName(container),
      pod: podName(container),
      state: stateOf(status.state),
      attempt: container.metadata?.attempt ?? 0,
      ...(status.finishedAt > 0n ? { exitCode: status.exitCode } : {}),
      ...(status.reason === '' ? {} : { reason: status.reason }),
      ...(status.message === '' ? {} : { message: status.message }),
      ...(status.logPath === '' ? {} : { logPath: status.logPath }),
    };
  } catch (thrown) {
    if (thrown instanceof CriFault && thrown.code === grpcStatus.notFound) return undefined;
    throw thrown;
  }
}

async function pull(client: CriClient, image: string): Promise<void> {
  for (let attempts = 1; ; attempts += 1) {
    try {
      await client.call(criMethods.pullImage, { image: { image } }, {});
      return;
    } catch (thrown) {
      if (attempts < pullAttempts) continue;
      const reason = thrown instanceof Error ? thrown.message : String(thrown);
      throw runtimeError(
        'RUNTIME_PULL_FAILED',
        `Cannot pull the image ${image} as the container runtime failed ${attempts} times: ${reason}`,
        {
          cause: thrown,
          hint: `try it with: crictl pull ${image}`,
          details: { image, attempts },
        },
      );
    }
  }
}

function describeFault(what: string, socket: string, thrown: unknown): unknown {
  if (!(thrown instanceof CriFault)) return thrown;
  const details = { socket, grpcCode: thrown.code };
  switch (thrown.code) {
    case grpcStatus.unavailable:
    case grpcStatus.deadlineExceeded:
      return runtimeError('RUNTIME_UNAVAILABLE', `Cannot ${what} as nothing answers on ${socket}: ${thrown.message}`, {
        cause: thrown,
        details,
        hint: 'check that the container runtime runs (systemctl status containerd) and that criSocket names its socket',
      });
    case grpcStatus.unimplemented:
      return runtimeError(
        'RUNTIME_UNSUPPORTED',
        `Cannot ${what} as the runtime on ${socket} does not implement it: ${thrown.message}`,
        {
          cause: thrown,
          details,
          hint: 'the runtime must serve CRI v1; in containerd, the plugin io.containerd.grpc.v1.cri must not be disabled in /etc/containerd/config.toml',
        },
      );
    default:
      return runtimeError('RUNTIME_FAILED', `Cannot ${what} as the runtime on ${socket} failed: ${thrown.message}`, {
        cause: thrown,
        details,
      });
  }
}
