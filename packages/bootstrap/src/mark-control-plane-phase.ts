import { isGroundplaneError } from '@groundplane/errors';
import type { Node } from '@groundplane/manifest';
import {
  type AnyPhase,
  type Cluster,
  type ClusterObject,
  contract,
  type Look,
  type ObjectReference,
  type WaitOptions,
  whereApplicable,
} from '@groundplane/phases';
import { adminKubeconfig, apiserverKubeletClientBinding, clusterAdminsBinding, nodeObject } from './artifacts.ts';
import { bootstrapError, bootstrapFinding } from './error-codes.ts';
import { followObject } from './follow-object.ts';
import { type InitContext, timeoutOf } from './init-context.ts';
import { controlPlaneLabels, isMarked, markedNode, wantedTaints } from './marked-node.ts';
import { asJson } from './object-demands.ts';

/** The kubelet sets it when it registers; before that the object is not to be touched. */
const hostNameLabel = 'kubernetes.io/hostname';

export const markControlPlanePhase: AnyPhase<InitContext> = contract<InitContext>().defineEffect({
  name: 'mark-control-plane',
  summary: 'Mark a node as a control-plane',
  configuration: ['nodeRegistration.taints', 'nodeRegistration.name'],
  // The last phase of the node: with it, what the cluster needs to reach this kubelet is there, also when phases run one by one.
  reads: { access: whereApplicable(clusterAdminsBinding), kubeletAccess: apiserverKubeletClientBinding },
  writes: { node: nodeObject },
  connect: { kubeconfig: adminKubeconfig, endpoint: 'local' },
  uses: ['cluster'],
  demands: (config) => ({
    node: [
      {
        text: 'It has these labels and taints among its own',
        code: 'BOOTSTRAP_NODE_UNMARKED',
        severity: 'error',
        document: asJson({ metadata: { labels: controlPlaneLabels }, spec: { taints: wantedTaints(config) } }),
      },
    ],
  }),
  async verify({ config, ports: { cluster } }) {
    const live = (await cluster.get(nodeReference(config))) as Node | undefined;
    if (live !== undefined && isMarked(live, config)) return [];
    return [
      bootstrapFinding({
        code: 'BOOTSTRAP_NODE_UNMARKED',
        severity: 'error',
        artifact: `Node ${config.init.nodeRegistration.name}`,
        message:
          live === undefined
            ? 'the kubelet has not registered the node yet'
            : 'the node lacks a label or a taint of the control plane',
      }),
    ];
  },
  async foresee({ config, ports: { cluster } }) {
    const { apiVersion, kind, name } = nodeReference(config);
    const live = (await cluster.get(nodeReference(config))) ?? { apiVersion, kind, metadata: { name } };
    return { outputs: { node: { apiVersion, kind, ...markedNode(live as unknown as Node, config) } as Node } };
  },
  async run({ config, ports: { cluster }, progress, wait, signal }) {
    const name = config.init.nodeRegistration.name;
    if (!isRegistered(await cluster.get(nodeReference(config))))
      await untilRegistered(config, { cluster, wait, signal });
    const labels = Object.keys(controlPlaneLabels).join(' ');
    progress(`Marking the node ${name} as control-plane by adding the labels: [${labels}]`);
    const taints = wantedTaints(config).map(({ key, value, effect }) => `${key}${value ? `=${value}` : ''}:${effect}`);
    if (taints.length > 0)
      progress(`Marking the node ${name} as control-plane by adding the taints [${taints.join(' ')}]`);
    await patchUntilAccepted(cluster, config);
  },
});

function isRegistered(node: ClusterObject | undefined): boolean {
  return node?.metadata.labels?.[hostNameLabel] !== undefined;
}

interface Waiting {
  readonly cluster: Cluster;
  readonly wait: (options: WaitOptions, look: () => Promise<Look>) => Promise<void>;
  readonly signal: AbortSignal;
}

/** @throws GroundplaneError PHASES_WAIT_TIMEOUT */
async function untilRegistered(config: InitContext, { cluster, wait, signal }: Waiting): Promise<void> {
  const name = config.init.nodeRegistration.name;
  const timeoutMs = timeoutOf(config, 'kubernetesAPICall', '1m');
  const query = { apiVersion: 'v1', kind: 'Node', fieldSelector: `metadata.name=${name}` };
  const registered = followObject(cluster, query, signal);
  try {
    await wait({ subject: `Node ${name}`, timeoutMs, intervalMs: 100 }, async () => {
      const node = registered.current();
      if (isRegistered(node)) return { done: true };
      return {
        done: false,
        reason: node === undefined ? 'the kubelet has not registered it' : `it has no label ${hostNameLabel} yet`,
      };
    });
  } finally {
    registered.stop();
  }
}

/** How often a patch is tried again because somebody else changed the Node meanwhile. */
const maximalAttempts = 20;

function codeOf(error: unknown): string | undefined {
  return isGroundplaneError(error) ? error.code : undefined;
}

function nodeReference(config: InitContext): ObjectReference {
  return { apiVersion: 'v1', kind: 'Node', name: config.init.nodeRegistration.name };
}

/** Read, compute, patch with the resourceVersion: what others change meanwhile is never lost. */
async function patchUntilAccepted(cluster: Cluster, config: InitContext): Promise<void> {
  for (let attempt = 0; ; attempt++) {
    const live = await cluster.get(nodeReference(config));
    if (live === undefined) throw vanished(config);
    const { resourceVersion } = live.metadata;
    try {
      await cluster.patch(
        nodeReference(config),
        markedNode(live as unknown as Node, config),
        resourceVersion === undefined ? {} : { resourceVersion },
      );
      return;
    } catch (error) {
      if (codeOf(error) !== 'CLUSTER_CONFLICT' || attempt >= maximalAttempts) throw error;
    }
  }
}

function vanished({ init }: InitContext) {
  const { name } = init.nodeRegistration;
  return bootstrapError(
    'BOOTSTRAP_NODE_VANISHED',
    `Cannot mark the node as somebody deleted its Node object: ${name}`,
    {
      hint: 'Restart the kubelet, which registers the node again: systemctl restart kubelet',
    },
  );
}
