import { type Invocation, textFlag } from '../invocation.ts';
import { printDocument, printLines } from '../render/print-document.ts';
import { workflowOf } from './workflows.ts';

/** Lists the phases of a workflow in the order they run; hidden ones are marked. */
export async function listPhases(invocation: Invocation): Promise<void> {
  const { graph } = await workflowOf(invocation);
  const { stdout } = invocation.output;
  const format = textFlag(invocation, 'output') ?? 'text';
  if (format === 'json') printDocument(invocation, { workflow: graph.workflow, phases: graph.nodes });
  else if (format === 'jsonl') {
    printLines(
      invocation.output,
      graph.nodes.map((node) => ({ type: 'phase', ...node })),
    );
  } else {
    const width = Math.max(...graph.nodes.map((node) => node.phase.length));
    stdout(
      graph.nodes
        .map((node) => `${node.phase.padEnd(width)}  ${node.summary}${node.hidden ? ' (hidden)' : ''}\n`)
        .join(''),
    );
  }
}
