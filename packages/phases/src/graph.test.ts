import { describe, expect, test } from 'vitest';
import { derive, textFile, tiny, workflowOf } from '../test/tiny-workflow.ts';
import { graphOf, graphToDot, optional } from './index.ts';

const ca = textFile('ca');
const leaf = textFile('leaf');
const outside = textFile('outside', { external: true });
const workflow = workflowOf(
  derive('ca', { writes: { ca } }),
  derive('leaf', { reads: { ca, again: optional(ca), outside }, writes: { leaf }, hidden: true }),
  tiny.definePhase({
    name: 'seal "it"',
    summary: 'Seal it',
    reads: { ca: optional(ca) },
    amends: { leaf },
    connect: { kubeconfig: outside, endpoint: 'local' },
    render: ({ outputs }) => outputs({ leaf: 'x' }),
    verify: () => [],
  }),
);

describe('graphOf', () => {
  test('says who needs what of whom', () => {
    expect(graphOf(workflow)).toEqual({
      workflow: 'tiny',
      nodes: [
        { phase: 'ca', summary: 'Do ca', hidden: false },
        { phase: 'leaf', summary: 'Do leaf', hidden: true },
        { phase: 'seal "it"', summary: 'Seal it', hidden: false },
      ],
      edges: [
        { from: 'ca', to: 'leaf', artifact: 'ca', optional: false },
        { to: 'leaf', artifact: 'outside', optional: false },
        { to: 'seal "it"', artifact: 'outside', optional: false },
        { from: 'leaf', to: 'seal "it"', artifact: 'leaf', optional: false },
        { from: 'ca', to: 'seal "it"', artifact: 'ca', optional: true },
      ],
    });
  });
});

describe('graphToDot', () => {
  test('is a digraph with quoted names, optional needs dashed', () => {
    expect(graphToDot(graphOf(workflow))).toBe(
      [
        'digraph "tiny" {',
        '  rankdir=LR;',
        '  "ca";',
        '  "leaf";',
        '  "seal \\"it\\"";',
        '  "ca" -> "leaf" [label="ca"];',
        '  "leaf" -> "seal \\"it\\"" [label="leaf"];',
        '  "ca" -> "seal \\"it\\"" [label="ca", style=dashed];',
        '}',
        '',
      ].join('\n'),
    );
  });
});
