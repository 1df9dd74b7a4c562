import type { PreflightConfiguration } from './preflight-configuration.ts';
import type { FactRequest, PreflightFacts } from './preflight-facts.ts';

/** Outcome of one check; each text is one sentence without a full stop. */
export interface Verdict {
  readonly warnings?: readonly string[];
  readonly errors?: readonly string[];
}

/** A check for one configuration: its name, what it needs to know, and how it decides. */
export interface CheckInstance {
  /** kubeadm's name, for instance `Port-6443`; what `--ignore-preflight-errors` lists. */
  readonly name: string;
  readonly needs: readonly FactRequest[];
  /** Pure. Called only with facts that answer every need. */
  evaluate(facts: PreflightFacts): Verdict;
}

/** In the order in which they run. */
export const preflightBatches = ['root', 'node', 'images'] as const;

export type PreflightBatch = (typeof preflightBatches)[number];

/** One row of a preflight table. */
export interface PreflightCheck {
  /** Code of its findings. */
  readonly code: `PREFLIGHT_${string}`;
  /** Batches run one after another; a batch with errors is the last. */
  readonly batch: PreflightBatch;
  /** True if it asks that something of ours does not exist yet, so that it is skipped for what exists already and is ours. */
  readonly firstRunOnly?: boolean;
  /** How to mend what the row finds. */
  readonly hint?: string;
  /** The checks of this row: none where the configuration does not call for it. */
  instances(configuration: PreflightConfiguration): readonly CheckInstance[];
}

/** An answer that {@link CheckInstance.needs} promised. */
export function answer<T>(value: T | undefined): T {
  if (value === undefined) throw new TypeError('Cannot evaluate a preflight check as a fact that it needs is missing');
  return value;
}

/** The name of a check on a path: kubeadm writes every slash as a dash. */
export function pathName(prefix: string, path: string): string {
  return `${prefix}-${path.replaceAll('/', '-')}`;
}
