import type { RunResult } from '@groundplane/phases';
import { decisionWords } from './people-lines.ts';

/** `Phases: 12 created, 3 kept`, most frequent first. */
export function tally(result: RunResult): string {
  const counts = new Map<string, number>();
  for (const { decision } of result.phases) {
    const word = decisionWords[decision];
    counts.set(word, (counts.get(word) ?? 0) + 1);
  }
  const parts = [...counts].sort(([, one], [, other]) => other - one).map(([word, count]) => `${count} ${word}`);
  return `Phases: ${parts.join(', ')}`;
}
