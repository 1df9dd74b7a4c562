import type { RunResult } from '@groundplane/phases';

/** What the phase `show-join-command` hands back for each token. Secret. */
export interface JoinCommandValue {
  readonly server: string;
  readonly token: string;
  readonly caCertHashes: readonly string[];
  readonly certificateKey?: string;
  /** True if nodes of the control plane can join as well. */
  readonly controlPlane: boolean;
}

/** The join commands among the products of a run. */
export function joinCommandsOf({ results }: RunResult): readonly JoinCommandValue[] {
  return results.flatMap(({ name, value }) => (name === 'joinCommand' ? [value as unknown as JoinCommandValue] : []));
}
