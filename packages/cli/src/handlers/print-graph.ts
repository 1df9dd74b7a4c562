import { type Invocation, textFlag } from '../invocation.ts';
import { printDocument, printLines } from '../render/print-document.ts';
import { workflowOf } from './workflows.ts';

/** Prints which phase reads what which other phase writes. */
export async function printGraph(invocation: Invocation): Promise<void> {
  const { graph, dot } = await workflowOf(invocation);
  const { stdout } = invocation.output;
  switch (textFlag(invocation, 'output') ?? 'text') {
    case 'json':
      return printDocument(invocation, { ...graph });
    case 'jsonl':
      return printLines(invocation.output, [
        ...graph.nodes.map((node) => ({ type: 'node', ...node })),
        ...graph.edges.map((edge) => ({ type: 'edge', ...edge })),
      ]);
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
