import type { Graph } from '@groundplane/phases';
import { graphOf, graphToDot } from '@groundplane/phases';
import type { Invocation } from '../invocation.ts';

/** A workflow as the commands about workflows see it; the configuration type does not matter to them. */
export interface WorkflowView {
  readonly graph: Graph;
  readonly dot: string;
  readonly summary: string;
}

/** The workflow that `--workflow` names. */
export async function workflowOf(_invocation: Invocation): Promise<WorkflowView> {
  const { initWorkflow } = await import('@groundplane/bootstrap');
  const graph = graphOf(initWorkflow);
  return { graph, dot: graphToDot(graph), summary: initWorkflow.summary };
}
