import type { PhaseEvaluation } from './evaluate-selection.ts';
import type { Signer } from './ports.ts';

/** Tells the signer which keys the planned phases are going to ask for. */
export function announceKeys<C>(
  planned: readonly PhaseEvaluation<C>[],
  { config, signer }: { readonly config: C; readonly signer: Signer },
): void {
  const algorithms = planned.flatMap(({ phase, evaluation: { decision, request } }): readonly string[] => {
    if (request !== undefined) return request.request.key === undefined ? [request.request.algorithm] : [];
    return decision === 'deferred' && phase.keyAlgorithm !== undefined ? [phase.keyAlgorithm(config)] : [];
  });
  if (algorithms.length > 0) signer.announce?.(algorithms);
}
