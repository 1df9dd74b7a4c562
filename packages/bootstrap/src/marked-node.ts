import { type Node, sameObject, type Taint } from '@groundplane/manifest';
import type { InitContext } from './init-context.ts';

/** Labels of a control-plane node (kubeadm: phases/markcontrolplane). */
export const controlPlaneLabels: Readonly<Record<string, string>> = {
  'node-role.kubernetes.io/control-plane': '',
  'node.kubernetes.io/exclude-from-external-load-balancers': '',
};

/** The taints that the configuration asks for. */
export function wantedTaints({ init }: InitContext): readonly Taint[] {
  return (init.nodeRegistration.taints ?? []).map(({ key, value, effect }) => ({
    key,
    ...(value === '' ? {} : { value }),
    effect: effect as Taint['effect'],
  }));
}

/**
 * The part of a Node that makes it a control-plane node: our labels, and all its taints, ours first. Of taints with one key and effect
 * a node can have one only (k8s.io/kubernetes pkg/apis/core/validation), so ours takes the place of another's.
 */
export function markedNode(live: Node, config: InitContext): Pick<Node, 'metadata' | 'spec'> {
  const present = live.spec?.taints ?? [];
  const ours = wantedTaints(config);
  const others = present.filter((taint) => !ours.some((own) => hasSamePlace(own, taint)));
  // One that is there already keeps the time since when it is.
  const kept = ours.map((own) => present.find((taint) => isSame(own, taint)) ?? own);
  return {
    metadata: { name: live.metadata.name, labels: { ...controlPlaneLabels } },
    spec: { taints: [...kept, ...others] },
  };
}

/** True if a Node has all that makes it a control-plane node; the order of taints means nothing. */
export function isMarked(live: Node, config: InitContext): boolean {
  const labels = live.metadata.labels ?? {};
  const taints = live.spec?.taints ?? [];
  return (
    Object.entries(controlPlaneLabels).every(([name, value]) => labels[name] === value) &&
    wantedTaints(config).every((own) => taints.some((taint) => isSame(own, taint)))
  );
}

function hasSamePlace(one: Taint, other: Taint): boolean {
  return one.key === other.key && one.effect === other.effect;
}

function isSame(one: Taint, other: Taint): boolean {
  return sameObject(one, other) && (one.value ?? '') === (other.value ?? '');
}
