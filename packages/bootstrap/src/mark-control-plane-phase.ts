import type { Node, Taint } from '@groundplane/manifest';
import { sameObject } from '@groundplane/manifest';
import { type AnyPhase, type Cluster, type ClusterObject, contract, type ObjectReference } from '@groundplane/phases';
import { adminKubeconfig, clusterAdminsBinding, nodeObject } from './artifacts.ts';
import { type InitContext, timeoutOf } from './init-context.ts';

/** Labels of a control-plane node (kubeadm: phases/markcontrolplane). */
const controlPlaneLabels: Readonly<Record<string, string>> = {
  'node-role.kubernetes.io/control-plane': '',
  'node.kubernetes.io/exclude-from-external-load-balancers': '',
};

/** The kubelet sets it when it registers; before that the object is not to be touched. */
const hostNameLabel = 'kubernetes.io/hostname';

export const markControlPlanePhase: AnyPhase<InitContext> = contract<InitContext>().defineEffect({
  name: 'mark-control-plane',
  summary: 'Mark a node as a control-plane',
  configuration: ['nodeRegistration.taints', 'nodeRegistration.name'],
  reads: { access: clusterAdminsBinding },
  writes: { node: nodeObject },
  connect: { kubeconfig: adminKubeconfig, endpoint: 'local' },
  uses: ['cluster'],
  async verify({ config, ports: { cluster } }) {
    const live = (await cluster.get(nodeReference(config))) as Node | undefined;
    if (live !== undefined && sameObject(markedNode(live, config), live)) return [];
    return [
      {
        code: 'BOOTSTRAP_NODE_UNMARKED',
        severity: 'error',
        artifact: `Node ${config.init.nodeRegistration.name}`,
        message:
          live === undefined
            ? 'the kubelet has not registered the node yet'
            : 'the node lacks a label or a taint of the control plane',
      },
    ];
  },
  async run({ config, ports: { cluster }, progress, wait, signal }) {
    const name = config.init.nodeRegistration.name;
    const timeoutMs = timeoutOf(config, 'kubernetesAPICall', '1m');
    const registered = watchForNode(cluster, config, signal);
    let node: ClusterObject | undefined;
    try {
      await wait({ subject: `Node ${name}`, timeoutMs, intervalMs: 100 }, async () => {
        node = registered.current();
        if (node?.metadata.labels?.[hostNameLabel] !== undefined) return { done: true };
        return {
          done: false,
          reason: node === undefined ? 'the kubelet has not registered it' : `it has no label ${hostNameLabel} yet`,
        };
      });
    } finally {
      registered.stop();
    }
    const labels = Object.keys(controlPlaneLabels).join(' ');
    progress(`Marking the node ${name} as control-plane by adding the labels: [${labels}]`);
    const taints = wantedTaints(config).map(({ key, value, effect }) => `${key}${value ? `=${value}` : ''}:${effect}`);
    if (taints.length > 0)
      progress(`Marking the node ${name} as control-plane by adding the taints [${taints.join(' ')}]`);
    await patchUntilAccepted(cluster, config);
  },
});

function nodeReference(config: InitContext): ObjectReference {
  return { apiVersion: 'v1', kind: 'Node', name: config.init.nodeRegistration.name };
}

function wantedTaints({ init }: InitContext): readonly Taint[] {
  return (init.nodeRegistration.taints ?? []).map(({ key, value, effect }) => ({
    key,
    ...(value === '' ? {} : { value }),
    effect: effect as Taint['effect'],
  }));
}

/** Our labels and taints, then every taint that is there and not one of ours. */
export function markedNode(live: Node, config: InitContext): Pick<Node, 'metadata' | 'spec'> {
  const ours = wantedTaints(config);
  const same = (one: Taint, other: Taint) =>
    one.key === other.key && one.effect === other.effect && (one.value ?? '') === (other.value ?? '');
  const others = (live.spec?.taints ?? []).filter((taint) => !ours.some((own) => same(own, taint)));
  const missing = ours.filter((own) => !(live.spec?.taints ?? []).some((taint) => same(own, taint)));
  // The order of taints means nothing: where all are there already, nothing is changed.
  const taints = missing.length === 0 ? (live.spec?.taints ?? []) : [...ours, ...others];
  return { metadata: { name: live.metadata.name, labels: { ...controlPlaneLabels } }, spec: { taints: [...taints] } };
}

/** Read, compute, patch with the resourceVersion: what others change meanwhile is never lost. */
async function patchUntilAccepted(cluster: Cluster, config: InitContext): Promise<void> {
  for (let attempt = 0; ; attempt++) {
    const live = await cluster.get(nodeReference(config));
    if (live === undefined) throw new TypeError('Cannot mark the node as it vanished');
    const resourceVersion = live.metadata.resourceVersion;
    try {
      await cluster.patch(
        nodeReference(config),
        markedNode(live as unknown as Node, config),
        resourceVersion === undefined ? {} : { resourceVersion },
      );
      return;
    } catch (error) {
      if ((error as { code?: string }).code !== 'CLUSTER_CONFLICT' || attempt >= 20) throw error;
    }
  }
}

/** Follows the Node object by a watch, so that its registration is seen at once. */
function watchForNode(
  cluster: Cluster,
  config: InitContext,
  outer: AbortSignal,
): { current(): ClusterObject | undefined; stop(): void } {
  const controller = new AbortController();
  const signal = AbortSignal.any([controller.signal, outer]);
  let current: ClusterObject | undefined;
  let failure: unknown;
  const follow = async () => {
    const query = {
      apiVersion: 'v1',
      kind: 'Node',
      fieldSelector: `metadata.name=${config.init.nodeRegistration.name}`,
    };
    for await (const event of cluster.watch(query, { signal }))
      current = event.type === 'DELETED' ? undefined : event.object;
  };
  follow().catch((error: unknown) => {
    if (!signal.aborted) failure = error;
  });
  return {
    current() {
      if (failure !== undefined) throw failure;
      return current;
    },
    stop: () => controller.abort(),
  };
}
