import type { JoinContext } from '@groundplane/bootstrap';
import type { ClosingFacts } from '../workflows/workflow-run.ts';
import { tally } from './tally.ts';

/** What people are told after a whole `join`. Programs look for the first sentence (kubeadm: cmd/join.go). */
export function joinClosingLines({ program, result, phase }: ClosingFacts<JoinContext>): readonly string[] {
  if (phase !== undefined) return [];
  return [
    ...(program === 'kubeadm' ? [] : [tally(result)]),
    '',
    'This node has joined the cluster:',
    '* The cluster signed a certificate for the kubelet of this node.',
    '* The kubelet works with it from now on.',
    '',
    "Run 'kubectl get nodes' on the control-plane to see this node join the cluster.",
    '',
  ];
}
