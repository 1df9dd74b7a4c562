import { type Invocation, textFlag } from '../invocation.ts';
import { workflowOf } from './workflows.ts';

/** Prints which phase reads what which other phase writes. */
export async function printGraph(invocation: Invocation): Promise<void> {
  const { graph, dot } = await workflowOf(invocation);
  const { stdout } = invocation.output;
  switch (textFlag(invocation, 'output') ?? 'text') {
    case 'json':
      return stdout(`${JSON.stringify(graph, undefined, 2)}\n`);
    case 'jsonl':
      return stdout(
        [
          ...graph.nodes.map((node) => ({ type: 'node', ...node })),
          ...graph.edges.map((edge) => ({ type: 'edge', ...edge })),
        ]
          .map((line) => `${JSON.stringify(line)}\n`)
          .join(''),
      );
    case 'dot':
      return stdout(dot);
    default:
      for (const { phase } of graph.nodes) {
        const reads = graph.edges.filter((edge) => edge.to === phase);
        stdout(`${phase}\n`);
        for (const { artifact, from, optional } of reads) {
          stdout(`  reads ${artifact} from ${from ?? 'outside'}${optional ? ' (optional)' : ''}\n`);
        }
      }
  }
}
