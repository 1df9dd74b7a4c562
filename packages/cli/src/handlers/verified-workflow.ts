import {
  type ExtendWorkflow,
  initWorkflow,
  joinWorkflow,
  type NodeRole,
  nodeRole,
  resetWorkflow,
} from '@groundplane/bootstrap';
import { covers, phaseName, type Workflow } from '@groundplane/phases';
import { type Invocation, textFlag } from '../invocation.ts';
import { nodeHost } from '../node-host.ts';
import { noSuchPhase } from './no-such-phase.ts';

/** The workflow that what is there is held to. */
export interface VerifiedWorkflow {
  readonly name: string;
  /** Why, where nobody said which, as the end of a sentence. */
  readonly reason?: string;
}

/** The workflow that makes a node of a role; a machine that is no node, or hides what it is, says nothing. */
const workflowOfRole: Readonly<Partial<Record<NodeRole, string>>> = {
  'control-plane': initWorkflow.name,
  worker: joinWorkflow.name,
};

/** Names of the workflows that have a phase, in the order in which they are taken where nothing speaks for one of them. */
async function workflowsWith(phase: string, extend: ExtendWorkflow): Promise<readonly string[]> {
  const nameIfIn = async <C>(workflow: Workflow<C>): Promise<readonly string[]> =>
    (await extend(workflow)).phases.some(({ name }) => covers(phase, name)) ? [workflow.name] : [];
  return [...(await nameIfIn(initWorkflow)), ...(await nameIfIn(joinWorkflow)), ...(await nameIfIn(resetWorkflow))];
}

/**
 * The workflow of `verify [PHASE]`: the one that is named; or else, where nothing else says how the node is to be, the one that makes
 * such a node; or else the first that has the phase.
 *
 * @param options.isTold whether a file or flags say how the node is to be
 * @param options.extend adds phases of plugins
 * @throws GroundplaneError CLI_ARGUMENT_INVALID for a phase that it does not have
 */
export async function verifiedWorkflow(
  invocation: Invocation,
  { isTold, extend }: { readonly isTold: boolean; readonly extend: ExtendWorkflow },
): Promise<VerifiedWorkflow> {
  const [word] = invocation.words;
  const phase = word === undefined ? undefined : phaseName(word);
  const having = phase === undefined ? [] : await workflowsWith(phase, extend);
  const checked = (workflow: VerifiedWorkflow): VerifiedWorkflow => {
    if (phase === undefined || having.includes(workflow.name)) return workflow;
    throw noSuchPhase('verify', { workflow: workflow.name, name: phase, reason: workflow.reason, others: having });
  };
  const named = textFlag(invocation, 'workflow');
  if (named !== undefined) return checked({ name: named });
  const role = isTold ? 'unknown' : await nodeRole((await nodeHost(invocation)).host);
  const ofRole = workflowOfRole[role];
  if (ofRole !== undefined) return checked({ name: ofRole, reason: `as this is a ${role} node` });
  const [first = initWorkflow.name] = having;
  return checked(
    first === initWorkflow.name ? { name: first } : { name: first, reason: `which has the phase ${phase}` },
  );
}
