import { readStoredConfiguration, type StoredConfiguration } from '@groundplane/config';
import { type GroundplaneError, isGroundplaneError, messageOf } from '@groundplane/errors';
import {
  type Clock,
  type Cluster,
  type ClusterObject,
  formatLocation,
  type Host,
  type ObjectReference,
} from '@groundplane/phases';
import { joinWithoutClusterSigner } from './cluster-signer.ts';
import { bootstrapError } from './error-codes.ts';
import type { RegisteredNode } from './join-context.ts';
import { clientRequestQuery } from './own-kubelet-request.ts';
import { groundplaneConfigMap, settingsTextIn } from './stored-settings.ts';

const namespace = 'kube-system';
const clusterConfigMap = { apiVersion: 'v1', kind: 'ConfigMap', namespace, name: 'kubeadm-config' } as const;
const kubeletConfigMap = { apiVersion: 'v1', kind: 'ConfigMap', namespace, name: 'kubelet-config' } as const;

/** Keys of the two ConfigMaps (kubeadm: constants.go). */
const clusterKey = 'ClusterConfiguration';
const kubeletKey = 'kubelet';

/** Pause after a refusal, in milliseconds: rights that were granted a moment ago may not be known everywhere. */
const pauseMs = 500;

export interface JoinedClusterRequest {
  readonly cluster: Cluster;
  /** For messages: URL of the API server, and as whom it is asked (`bootstrap token abcdef`). */
  readonly server: string;
  readonly identity: string;
  readonly clock: Clock;
  /** How long refusals and silence are not taken as final, in milliseconds. */
  readonly timeoutMs: number;
  readonly progress: (message: string) => void;
  readonly signal?: AbortSignal | undefined;
}

/**
 * Reads the configuration that a cluster keeps for those who join.
 *
 * @throws GroundplaneError BOOTSTRAP_IDENTITY_UNKNOWN, BOOTSTRAP_IDENTITY_FORBIDDEN, BOOTSTRAP_STORED_CONFIGURATION_MISSING,
 *   BOOTSTRAP_STORED_CONFIGURATION_INVALID, BOOTSTRAP_CLUSTER_UNREADABLE
 */
export async function readJoinedConfiguration(request: JoinedClusterRequest): Promise<StoredConfiguration> {
  const [{ text: cluster, object: kubeadmConfig }, { text: kubelet }] = await Promise.all([
    dataOf(clusterConfigMap, clusterKey, { request, phase: 'upload-config kubeadm --config FILE' }),
    dataOf(kubeletConfigMap, kubeletKey, { request, phase: 'upload-config kubelet --config FILE' }),
  ]);
  // Most clusters keep none, and who may read it is said where one is kept alone.
  const settings = await untilAllowed(groundplaneConfigMap, request, { absentIsFine: true, forbiddenIsFine: true });
  const groundplane = settingsTextIn(settings);
  // A sign beside others: who may not see it goes on.
  const requests = await request.cluster.list(clientRequestQuery).catch(() => []);
  try {
    const stored = readStoredConfiguration({ cluster, kubelet, groundplane });
    const unsigned = joinWithoutClusterSigner({ kubeadmConfig, requests, now: request.clock.now() });
    return { ...stored, warnings: [...stored.warnings, ...unsigned] };
  } catch (thrown) {
    if (!isGroundplaneError(thrown)) throw thrown;
    const { findings } = thrown;
    throw bootstrapError(
      'BOOTSTRAP_STORED_CONFIGURATION_INVALID',
      `Cannot use the configuration that the cluster keeps in ${namespace}/${clusterConfigMap.name} and ${namespace}/${kubeletConfigMap.name}${groundplane === undefined ? '' : ` and ${namespace}/${groundplaneConfigMap.name}`}: ${thrown.message}`,
      {
        findings,
        cause: thrown,
        hint: 'On a control-plane node, correct it: kubectl -n kube-system edit configmap NAME',
      },
    );
  }
}

/**
 * Asks for the Node of a name.
 *
 * @throws as {@link readJoinedConfiguration}
 */
export async function readRegisteredNode(
  name: string,
  machine: ThisMachine,
  request: JoinedClusterRequest,
): Promise<RegisteredNode | undefined> {
  const node = await untilAllowed({ apiVersion: 'v1', kind: 'Node', name }, request, { absentIsFine: true });
  if (node === undefined) return undefined;
  const { conditions = [], nodeInfo = {} } = (node.status ?? {}) as NodeStatus;
  const isReady = conditions.some(({ type, status }) => type === 'Ready' && status === 'True');
  const { machineId, bootId } = machine;
  const isSameBoot = bootId === undefined || nodeInfo.bootID === bootId;
  return { isReady, isThisMachine: machineId !== undefined && nodeInfo.machineID === machineId && isSameBoot };
}

interface NodeStatus {
  readonly conditions?: readonly { readonly type: string; readonly status: string }[];
  readonly nodeInfo?: { readonly machineID?: string; readonly bootID?: string };
}

/** How a machine is told from its clones: they have the same id, but were not started by the same boot. */
export interface ThisMachine {
  readonly machineId: string | undefined;
  readonly bootId: string | undefined;
}

export async function thisMachine({ facts }: Host): Promise<ThisMachine> {
  const [machineId, bootId] = await Promise.all([
    facts.machineId(),
    facts.kernelFile('/proc/sys/kernel/random/boot_id'),
  ]);
  return { machineId, bootId: bootId?.trim() };
}

async function dataOf(
  reference: ObjectReference,
  key: string,
  { request, phase }: { readonly request: JoinedClusterRequest; readonly phase: string },
): Promise<{ readonly text: string; readonly object: ClusterObject }> {
  request.progress(
    `Reading configuration from the "${reference.name}" ConfigMap in namespace "${reference.namespace}"...`,
  );
  const object = await untilAllowed(reference, request);
  const text = (object?.data as Readonly<Record<string, string>> | undefined)?.[key];
  if (object !== undefined && text !== undefined) return { text, object };
  throw bootstrapError(
    'BOOTSTRAP_STORED_CONFIGURATION_MISSING',
    `Cannot read the configuration of the cluster as its ${formatLocation({ kind: 'object', reference })} has no key ${key}`,
    { hint: `On a control-plane node, write it again: groundplane init phase ${phase}` },
  );
}

/** Why an answer is not the last word yet, and what it would end as. */
interface Refusal {
  readonly reason: string;
  readonly error: GroundplaneError;
}

/** Which answers are as good as none. */
interface Expectation {
  readonly absentIsFine?: boolean;
  readonly forbiddenIsFine?: boolean;
}

/** Gets an object, and asks again while it is refused or not there: kubeadm does, and a cluster may still be in the making. */
async function untilAllowed(
  reference: ObjectReference,
  request: JoinedClusterRequest,
  { absentIsFine = false, forbiddenIsFine = false }: Expectation = {},
): Promise<ClusterObject | undefined> {
  const { clock, timeoutMs, progress, signal } = request;
  const start = clock.monotonicMs();
  let told: string | undefined;
  for (;;) {
    const answer = await ask(reference, request);
    if (!isRefusal(answer) && (answer !== undefined || absentIsFine)) return answer;
    const refusal = isRefusal(answer) ? answer : missing(reference);
    if (forbiddenIsFine && refusal.error.code === 'BOOTSTRAP_IDENTITY_FORBIDDEN') return undefined;
    const left = timeoutMs - (clock.monotonicMs() - start);
    if (left <= 0) throw refusal.error;
    if (told !== refusal.reason) progress(`${refusal.reason}; asking again for up to ${Math.ceil(left / 1000)} s`);
    told = refusal.reason;
    await clock.sleep(Math.min(pauseMs, left), signal === undefined ? {} : { signal });
  }
}

function isRefusal(answer: ClusterObject | Refusal | undefined): answer is Refusal {
  return answer !== undefined && 'error' in answer && answer.error instanceof Error;
}

async function ask(
  reference: ObjectReference,
  { cluster, server, identity }: JoinedClusterRequest,
): Promise<ClusterObject | Refusal | undefined> {
  const what = formatLocation({ kind: 'object', reference });
  try {
    return await cluster.get(reference);
  } catch (thrown) {
    const code = isGroundplaneError(thrown) ? thrown.code : undefined;
    const refusal = (
      error: 'BOOTSTRAP_IDENTITY_UNKNOWN' | 'BOOTSTRAP_IDENTITY_FORBIDDEN',
      reason: string,
      hint: string,
    ): Refusal => ({
      reason: `${what} cannot be read yet as ${reason}`,
      error: bootstrapError(error, `Cannot read ${what} as ${reason}`, { hint, cause: thrown }),
    });
    if (code === 'CLUSTER_UNAUTHORIZED') {
      return refusal(
        'BOOTSTRAP_IDENTITY_UNKNOWN',
        `the API server ${server} does not know ${identity}: it has expired, was deleted, or lacks the usage authentication (401)`,
        newToken,
      );
    }
    if (code === 'CLUSTER_FORBIDDEN') {
      return refusal(
        'BOOTSTRAP_IDENTITY_FORBIDDEN',
        `the API server ${server} does not let ${identity} read it: it lacks the group system:bootstrappers:kubeadm:default-node-token, or the group lacks its rights (403): ${messageOf(thrown)}`,
        `${newToken}. Rights are granted again by: groundplane init phase bootstrap-token, and upload-config all`,
      );
    }
    if (!isGroundplaneError(thrown)) throw thrown;
    const hint = hintForJoin[thrown.code] ?? thrown.hint;
    const error = bootstrapError('BOOTSTRAP_CLUSTER_UNREADABLE', thrown.message, {
      cause: thrown,
      ...(hint === undefined ? {} : { hint }),
    });
    if (code !== 'CLUSTER_UNAVAILABLE') throw error;
    return { reason: thrown.message.replace(/^Cannot /, 'Could not yet '), error };
  }
}

const newToken =
  'On a control-plane node, see which tokens there are: groundplane token list; make a new one: groundplane token create --print-join-command';

/** On a machine that is to join there is no API server to look at. */
const hintForJoin: Readonly<Record<string, string>> = {
  CLUSTER_UNAVAILABLE:
    'The server is the one that cluster-info names (controlPlaneEndpoint of the cluster); check that this machine can resolve and reach it',
  CLUSTER_UNTRUSTED:
    'The server is the one that cluster-info names; check that its certificate names it and is of the CA in cluster-info',
};

function missing(reference: ObjectReference): Refusal {
  const what = formatLocation({ kind: 'object', reference });
  return {
    reason: `${what} is not there yet`,
    error: bootstrapError(
      'BOOTSTRAP_STORED_CONFIGURATION_MISSING',
      `Cannot read the configuration of the cluster as it has no ${what}`,
      {
        hint: 'kubeadm and Groundplane write it when they make a cluster; on a control-plane node, write it again: groundplane init phase upload-config all --config FILE',
      },
    ),
  };
}
