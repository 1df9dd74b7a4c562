import { artifactOf, isOptional } from './artifact.ts';
import { creatorsOf, needsOf } from './declarations.ts';
import type { Workflow } from './workflow.ts';

export interface GraphNode {
  readonly phase: string;
  readonly summary: string;
  readonly hidden: boolean;
}

/** `to` reads or amends `artifact`, which `from` writes; `from` is absent when it comes from outside. */
export interface GraphEdge {
  readonly from?: string;
  readonly to: string;
  readonly artifact: string;
  readonly optional: boolean;
}

export interface Graph {
  readonly workflow: string;
  readonly nodes: readonly GraphNode[];
  readonly edges: readonly GraphEdge[];
}

/** Which phase reads or amends what which other phase writes. */
export function graphOf<C>(workflow: Workflow<C>): Graph {
  const creators = creatorsOf(workflow.phases);
  const edges = workflow.phases.flatMap((phase) => {
    const needs = needsOf(phase).map((need) => ({ artifact: artifactOf(need).id, optional: isOptional(need) }));
    // What is needed once and may be absent another time is needed.
    const required = needs.filter(({ optional }) => !optional);
    const maybe = needs.filter(({ optional }) => optional);
    const seen = new Set<string>();
    return [...required, ...maybe]
      .filter(({ artifact }) => !seen.has(artifact) && seen.add(artifact))
      .map(({ artifact, optional }): GraphEdge => {
        const from = creators.get(artifact);
        return { ...(from === undefined ? {} : { from }), to: phase.name, artifact, optional };
      });
  });
  const nodes = workflow.phases.map(({ name, summary, hidden }) => ({ phase: name, summary, hidden }));
  return { workflow: workflow.name, nodes, edges };
}

/** The graph in Graphviz' DOT language; optional reads are dashed. */
export function graphToDot(graph: Graph): string {
  const quote = (text: string) => JSON.stringify(text);
  const lines = graph.edges.flatMap((edge) =>
    edge.from === undefined
      ? []
      : [
          `  ${quote(edge.from)} -> ${quote(edge.to)} [label=${quote(edge.artifact)}${edge.optional ? ', style=dashed' : ''}];`,
        ],
  );
  return [
    `digraph ${quote(graph.workflow)} {`,
    '  rankdir=LR;',
    ...graph.nodes.map((node) => `  ${quote(node.phase)};`),
    ...lines,
    '}',
    '',
  ].join('\n');
}
