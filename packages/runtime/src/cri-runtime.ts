import type { ContainerState, PodSandbox, Runtime } from '@groundplane/phases';
import { parseContainerLog } from './container-log.ts';
import type { CriClient, CriMethodName, CriRequest, CriResponse } from './cri-client.ts';
import { CriFault, grpcStatus } from './cri-fault.ts';
import { describeFault } from './describe-fault.ts';
import { runtimeError } from './error-codes.ts';
import type { Container } from './generated/cri_pb.ts';
import { containerName, kubeletLabels, newestContainers, podName, stateOf } from './newest-containers.ts';

export interface CriRuntimeOptions {
  /** `unix:///run/containerd/containerd.sock`, or the path alone. */
  readonly socket: string;
  /** Reads the end of a file, at most this many bytes; undefined if there is none. Container logs are read with it. */
  readonly readTail: (path: string, maximumBytes: number) => Promise<string | undefined>;
}

/** One call, with the time that kubeadm gives every call but a pull. */
type Ask = <N extends CriMethodName>(name: N, request: CriRequest<N>) => Promise<CriResponse<N>>;

const callTimeoutMs = 2000;
const pullAttempts = 5;
/** As often as kubeadm tries to remove a pod (constants.go, RemoveContainerRetry). */
const removalAttempts = 5;
/** Of one attempt to stop or to remove a pod: its network is taken down meanwhile. kubeadm gives two seconds. */
const removalTimeoutMs = 10_000;
/** Room for a log line of the API server, which are long. */
const bytesPerLine = 2048;

/**
 * The container runtime behind a CRI socket (CRI v1, k8s.io/cri-api). Each call is given two seconds, a pull as long as it takes and
 * five attempts. The gRPC library is loaded, and the socket opened, at the first call.
 *
 * @throws GroundplaneError RUNTIME_UNAVAILABLE, RUNTIME_UNSUPPORTED, RUNTIME_FAILED, RUNTIME_PULL_FAILED from each method
 */
export function criRuntime({ socket, readTail }: CriRuntimeOptions): Runtime {
  const address = socket.startsWith('/') ? `unix://${socket}` : socket;
  let opened: Promise<CriClient> | undefined;
  const client = (): Promise<CriClient> => {
    opened ??= import('./cri-client.ts').then(({ criClient }) => criClient(address));
    return opened;
  };
  const ask: Ask = async (name, request) => (await client()).call(name, request, { timeoutMs: callTimeoutMs });
  const attempt = async <T>(what: string, action: () => Promise<T>): Promise<T> => {
    try {
      return await action();
    } catch (thrown) {
      throw thrown instanceof CriFault ? describeFault(thrown, { what, socket }) : thrown;
    }
  };

  return {
    version: () =>
      attempt('ask the container runtime for its version', async () => {
        const answer = await ask('version', {});
        return { name: answer.runtimeName, version: answer.runtimeVersion, apiVersion: answer.runtimeApiVersion };
      }),
    status: () =>
      attempt('ask the container runtime for its status', async () => {
        const answer = await ask('status', {});
        return (answer.status?.conditions ?? []).map(({ type, status, reason, message }) => ({
          type,
          status,
          reason,
          message,
        }));
      }),
    cgroupDriver: () => attempt('ask the container runtime for its cgroup driver', () => cgroupDriver(ask)),
    imageExists: (image) =>
      attempt(`look for the image ${image}`, async () => {
        const answer = await ask('imageStatus', { image: { image } });
        return answer.image !== undefined && answer.image.id !== '';
      }),
    pullImage: async (image) => pull(await client(), image),
    containers: (namespace) =>
      attempt(`list the containers of namespace ${namespace}`, async () => {
        const filter = { labelSelector: { [kubeletLabels.namespace]: namespace } };
        const { containers } = await ask('listContainers', { filter });
        const states = await Promise.all(
          newestContainers(containers).map((container) => describeContainer(ask, container)),
        );
        return states.filter((state) => state !== undefined);
      }),
    sandboxes: () =>
      attempt('list the pod sandboxes', async () => {
        const { items } = await ask('listPodSandbox', {});
        return items
          .map(({ id, metadata, state }) => ({
            id,
            name: metadata?.name ?? '',
            namespace: metadata?.namespace ?? '',
            ready: state === 0,
          }))
          .sort((one, other) => (sandboxKey(one) < sandboxKey(other) ? -1 : 1));
      }),
    removeSandbox: (id) => attempt(`remove the pod sandbox ${id}`, async () => removeSandbox(await client(), id)),
    async log(container, lines) {
      if (container.logPath === undefined) return [];
      const text = await readTail(container.logPath, lines * bytesPerLine);
      return text === undefined ? [] : parseContainerLog(text).slice(-lines);
    },
  };
}

async function cgroupDriver(ask: Ask): Promise<'systemd' | 'cgroupfs' | undefined> {
  try {
    const { linux } = await ask('runtimeConfig', {});
    if (linux === undefined) return undefined;
    return linux.cgroupDriver === 0 ? 'systemd' : 'cgroupfs';
  } catch (thrown) {
    if (thrown instanceof CriFault && thrown.code === grpcStatus.unimplemented) return undefined;
    throw thrown;
  }
}

/** Undefined for a container that was removed between the list and this look at it. */
async function describeContainer(ask: Ask, container: Container): Promise<ContainerState | undefined> {
  try {
    const { status } = await ask('containerStatus', { containerId: container.id });
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

function sandboxKey({ namespace, name, id }: PodSandbox): string {
  return `${namespace}/${name}/${id}`;
}

async function removeSandbox(client: CriClient, id: string): Promise<void> {
  const options = { timeoutMs: removalTimeoutMs };
  for (let attempts = 1; ; attempts += 1) {
    try {
      await client.call('stopPodSandbox', { podSandboxId: id }, options);
      await client.call('removePodSandbox', { podSandboxId: id }, options);
      return;
    } catch (thrown) {
      if (thrown instanceof CriFault && thrown.code === grpcStatus.notFound) return;
      // Where nothing answers, or nothing like a CRI, it will not do so a moment later.
      const isHopeless =
        thrown instanceof CriFault &&
        (thrown.code === grpcStatus.unavailable || thrown.code === grpcStatus.unimplemented);
      if (attempts >= removalAttempts || isHopeless) throw thrown;
    }
  }
}

async function pull(client: CriClient, image: string): Promise<void> {
  for (let attempts = 1; ; attempts += 1) {
    try {
      await client.call('pullImage', { image: { image } }, {});
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
