import type { ResetContext } from '@groundplane/bootstrap';
import type { ClosingFacts } from '../workflows/workflow-run.ts';
import { tally } from './tally.ts';

/** What people are told after a whole `reset`: what it leaves to them. */
export function resetClosingLines({ program, context, result, phase }: ClosingFacts<ResetContext>): readonly string[] {
  if (phase !== undefined) return [];
  return [
    ...(program === 'kubeadm' ? [] : [tally(result)]),
    '',
    'Left as they are, for you to remove where they are in the way:',
    '  the configuration of the pod network in /etc/cni/net.d, and what its plugin made',
    '  packet filter rules of kube-proxy and the pod network (iptables, IPVS, nftables)',
    '  kubeconfig files of users, such as $HOME/.kube/config',
    `  the Node object: kubectl delete node ${context.nodeName}`,
    'See https://k8s.io/docs/reference/setup-tools/kubeadm/kubeadm-reset/',
    '',
  ];
}
