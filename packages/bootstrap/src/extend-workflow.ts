import type { Workflow } from '@groundplane/phases';

/** Puts the phases of others among those of a workflow, as `defineWorkflow` checks them. */
export type ExtendWorkflow = <C>(workflow: Workflow<C>) => Promise<Workflow<C>>;

/** Nobody adds anything. */
export const asItIs: ExtendWorkflow = async (workflow) => workflow;
