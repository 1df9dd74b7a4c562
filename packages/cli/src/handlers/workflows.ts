import { type Graph, graphOf, graphToDot, type Workflow } from '@groundplane/phases';
import { type Invocation, textFlag } from '../invocation.ts';
import { workflowWithPlugins } from '../plugins/with-plugins.ts';

/** A workflow as the commands about workflows see it; the configuration type does not matter to them. */
export interface WorkflowView {
  readonly graph: Graph;
  readonly dot: string;
  readonly summary: string;
}

/** The workflow that `--workflow` names. */
export async function workflowOf(invocation: Invocation): Promise<WorkflowView> {
  const { initWorkflow, joinWorkflow, resetWorkflow } = await import('@groundplane/bootstrap');
  switch (textFlag(invocation, 'workflow')) {
    case joinWorkflow.name:
      return viewOf(joinWorkflow);
    case resetWorkflow.name:
      return viewOf(resetWorkflow);
    default:
      return viewOf(initWorkflow);
  }
}

async function viewOf<C>(own: Workflow<C>): Promise<WorkflowView> {
  const workflow = await workflowWithPlugins(own);
  const graph = graphOf(workflow);
  return { graph, dot: graphToDot(graph), summary: workflow.summary };
}
