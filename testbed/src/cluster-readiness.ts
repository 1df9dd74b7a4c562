import { setTimeout as sleep } from 'node:timers/promises';
import { kubectlOn } from './kubectl.ts';
import type { Machine } from './machine.ts';

interface Conditioned {
  readonly kind: string;
  readonly metadata: { readonly name: string; readonly namespace?: string };
  readonly status?: { readonly conditions?: readonly { readonly type: string; readonly status: string }[] };
}

/** Static pods of a control plane: the mirror pods are named after the node. */
export const staticPods = ['etcd', 'kube-apiserver', 'kube-controller-manager', 'kube-scheduler'] as const;

/** How many pods of kube-system there are besides the static ones, in a cluster of so many nodes. */
const addonPods: Readonly<Record<string, (nodes: number) => number>> = {
  coredns: () => 2,
  'kube-proxy': (nodes) => nodes,
};

/**
 * What is not there or not Ready of a cluster with these nodes, by name: nodes, static pods, CoreDNS, kube-proxy, and
 * every other pod that exists.
 *
 * @param objects Nodes and Pods of all namespaces, as the API gives them
 */
export function notReady(
  objects: readonly Conditioned[],
  { controlPlane, nodes }: { readonly controlPlane: string; readonly nodes: readonly string[] },
): readonly string[] {
  const isReady = ({ status }: Conditioned) =>
    status?.conditions?.some((condition) => condition.type === 'Ready' && condition.status === 'True') ?? false;
  const named = (kind: string, name: string) =>
    objects.some((object) => object.kind === kind && object.metadata.name === name);
  const systemPods = objects.filter(({ kind, metadata }) => kind === 'Pod' && metadata.namespace === 'kube-system');
  return [
    ...nodes.filter((name) => !named('Node', name)).map((name) => `no node ${name}`),
    ...staticPods
      .filter((component) => !named('Pod', `${component}-${controlPlane}`))
      .map((component) => `no pod ${component}`),
    ...Object.entries(addonPods).flatMap(([addon, count]) => {
      const there = systemPods.filter(({ metadata }) => metadata.name.startsWith(`${addon}-`)).length;
      return there === count(nodes.length) ? [] : [`${there} of ${count(nodes.length)} pods of ${addon}`];
    }),
    ...objects.filter((object) => !isReady(object)).map(({ kind, metadata }) => `${kind} ${metadata.name}`),
  ];
}

/**
 * Waits until every node and every pod of a cluster is Ready at the same time.
 *
 * @param workers machines that have joined
 * @throws Error that names what is not Ready when the time is over
 */
export async function waitUntilReady(
  controlPlane: Machine,
  workers: readonly Machine[] = [],
  { timeoutMs = 180_000 }: { readonly timeoutMs?: number } = {},
): Promise<void> {
  const nodes = [controlPlane, ...workers].map(({ name }) => name);
  const limit = performance.now() + timeoutMs;
  for (;;) {
    const { code, stdout, stderr } = await kubectlOn(controlPlane, ['get', 'nodes,pods', '-A', '-o', 'json'], {
      timeoutMs: 20_000,
    });
    const missing =
      code === 0
        ? notReady((JSON.parse(stdout) as { items: readonly Conditioned[] }).items, {
            controlPlane: controlPlane.name,
            nodes,
          })
        : [stderr.trim()];
    if (missing.length === 0) return;
    if (performance.now() > limit) {
      throw new Error(
        `the cluster of ${controlPlane.name} is not Ready after ${timeoutMs / 1000} s: ${missing.join(', ')}`,
      );
    }
    await sleep(400);
  }
}
