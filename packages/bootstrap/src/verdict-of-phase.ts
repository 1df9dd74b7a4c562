import type { Finding } from '@groundplane/errors';
import type { AnyPhase } from '@groundplane/phases';
import type { InitContext } from './init-context.ts';
import { initWorkflow } from './init-workflow.ts';

type State = Parameters<AnyPhase<InitContext>['verify']>[0];

/** What a phase of init that only computes says about contents that need not be in place yet. */
export async function verdictOfPhase(name: string, state: State): Promise<readonly Finding[]> {
  const phase = initWorkflow.phases.find((candidate) => candidate.name === name);
  if (phase?.kind !== 'pure')
    throw new TypeError(`Cannot judge by the phase '${name}' as it acts on the world, or does not exist`);
  return phase.verify(state, noCapabilities);
}

const refuse = (): never => {
  throw new TypeError('a phase that only computes has no capabilities');
};

const noCapabilities = {
  ports: {},
  signal: new AbortController().signal,
  write: refuse,
  progress: refuse,
  finding: refuse,
  result: refuse,
  wait: refuse,
};
