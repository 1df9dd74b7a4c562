import type { RunResult } from '@groundplane/phases';
import type { ProgramName } from '../invocation.ts';
import { decisionWords } from './people-lines.ts';

export interface ClosingFacts {
  readonly program: ProgramName;
  readonly result: RunResult;
  /** Path of admin.conf. */
  readonly adminKubeconfig: string;
}

/** What people are told after a whole `init`: how it went, and how to go on. */
export function closingLines({ program, result, adminKubeconfig }: ClosingFacts): readonly string[] {
  return [
    ...(program === 'kubeadm' ? [] : [tally(result)]),
    '',
    // Programs look for this sentence (kubeadm: cmd/phases/init/showjoincommand.go).
    'Your Kubernetes control-plane has initialized successfully!',
    '',
    'To use the cluster as a regular user:',
    '',
    '  mkdir -p $HOME/.kube',
    `  sudo cp -i ${adminKubeconfig} $HOME/.kube/config`,
    '  sudo chown $(id -u):$(id -g) $HOME/.kube/config',
    '',
    'Or as root:',
    '',
    `  export KUBECONFIG=${adminKubeconfig}`,
    '',
    'Nodes become Ready once a pod network is deployed:',
    '  https://kubernetes.io/docs/concepts/cluster-administration/addons/',
  ];
}

/** `12 created, 3 kept`, most frequent first. */
function tally(result: RunResult): string {
  const counts = new Map<string, number>();
  for (const { decision } of result.phases) {
    const word = decisionWords[decision];
    counts.set(word, (counts.get(word) ?? 0) + 1);
  }
  const parts = [...counts].sort(([, one], [, other]) => other - one).map(([word, count]) => `${count} ${word}`);
  return `Phases: ${parts.join(', ')}`;
}
