import type { AnyPhase, ErasedState } from '../phase.ts';
import type { Workflow } from '../workflow.ts';

type Verdict = ReturnType<AnyPhase<unknown>['verify']>;

/**
 * The workflow with the verdicts of its pure phases remembered: by contract they depend on nothing but their values, and a suite
 * asks for the same ones hundreds of times.
 */
export function withRememberedVerdicts<C>(workflow: Workflow<C>): Workflow<C> {
  return {
    ...workflow,
    phases: workflow.phases.map((phase) => {
      if (phase.kind !== 'pure') return phase;
      const known = new Map<string, Verdict>();
      const verify: typeof phase.verify = (state, capabilities) => {
        const key = keyOf(state);
        const remembered = key === undefined ? undefined : known.get(key);
        if (remembered !== undefined) return remembered;
        const verdict = phase.verify(state, capabilities);
        if (key !== undefined) known.set(key, verdict);
        return verdict;
      };
      return { ...phase, verify };
    }),
  };
}

/** The values as text; `undefined` if they hold something that JSON does not tell apart. The configuration is the suite's one. */
function keyOf({ now, inputs, outputs }: Omit<ErasedState<unknown>, 'config'>): string | undefined {
  try {
    return JSON.stringify([now.getTime(), inputs, outputs], plainOnly);
  } catch {
    return undefined;
  }
}

function plainOnly(_: string, value: unknown): unknown {
  const isMap = typeof value === 'object' && value !== null && !Array.isArray(value);
  const prototype: unknown = isMap ? Object.getPrototypeOf(value) : null;
  const isPlain = prototype === Object.prototype || prototype === null;
  if (!isPlain || typeof value === 'function') throw new TypeError('Cannot compare as it is not plain data');
  return value;
}
