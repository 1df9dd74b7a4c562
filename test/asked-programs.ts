import type { InstalledPrograms } from './installed-programs.ts';
import { onSandboxNode, type SandboxNode } from './sandbox-node.ts';

interface Answer {
  readonly status: number;
  readonly stdout: string;
  readonly stderr: string;
}

/** What the real kubeadm and ours answer to the same words. */
export interface Answers {
  readonly theirs: Answer;
  readonly ours: Answer;
}

/** Asks both programs one after another on the same node, by each of the lists of words. */
export function askPrograms(
  programs: InstalledPrograms,
  node: Omit<SandboxNode, 'steps'>,
  calls: readonly (readonly string[])[],
): readonly Answers[] {
  const { outputs, errors, statuses } = onSandboxNode({
    ...node,
    steps: calls.flatMap((words) =>
      [programs.kubeadm, programs.ours].map((program) => ({ tolerated: [program, ...words] })),
    ),
  });
  const answer = (index: number): Answer => {
    const [status, stdout, stderr] = [statuses[index], outputs[index], errors[index]];
    if (status === undefined || stdout === undefined || stderr === undefined)
      throw new Error('a program was not asked');
    return { status, stdout, stderr };
  };
  return calls.map((_, index) => ({ theirs: answer(2 * index), ours: answer(2 * index + 1) }));
}
