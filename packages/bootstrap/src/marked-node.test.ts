import type { Node, Taint } from '@groundplane/manifest';
import { describe, expect, test } from 'vitest';
import { initContext } from '../test/init-world.ts';
import { isMarked, markedNode } from './marked-node.ts';

const own: Taint = { key: 'node-role.kubernetes.io/control-plane', effect: 'NoSchedule' };
const notReady: Taint = { key: 'node.kubernetes.io/not-ready', effect: 'NoExecute', timeAdded: '2026-01-01T00:00:00Z' };
const labels = {
  'node-role.kubernetes.io/control-plane': '',
  'node.kubernetes.io/exclude-from-external-load-balancers': '',
};

function node(taints: readonly Taint[], nodeLabels: Record<string, string> = {}): Node {
  return {
    apiVersion: 'v1',
    kind: 'Node',
    metadata: { name: 'node-a', labels: { 'kubernetes.io/hostname': 'node-a', ...nodeLabels } },
    spec: { taints: [...taints] },
  };
}

describe('a node', () => {
  test.each([
    { what: 'new', live: node([]), taints: [own], marked: false },
    { what: 'with a taint of others', live: node([notReady], labels), taints: [own, notReady], marked: false },
    { what: 'with our taint, but no label', live: node([own]), taints: [own], marked: false },
    {
      what: 'with one of two labels',
      live: node([own], { ...labels, 'node-role.kubernetes.io/control-plane': 'x' }),
      taints: [own],
      marked: false,
    },
    { what: 'done', live: node([own], labels), taints: [own], marked: true },
    {
      what: 'done, our taint in another place',
      live: node([notReady, own], labels),
      taints: [own, notReady],
      marked: true,
    },
    {
      what: 'with our taint since a time',
      live: node([{ ...own, timeAdded: '2026-01-01T00:00:00Z' }], labels),
      taints: [{ ...own, timeAdded: '2026-01-01T00:00:00Z' }],
      marked: true,
    },
    {
      what: 'with another value in the place of our taint',
      live: node([{ ...own, value: 'other' }], labels),
      taints: [own],
      marked: false,
    },
  ])('$what', async ({ live, taints, marked }) => {
    const config = await initContext();
    expect(isMarked(live, config)).toBe(marked);
    expect(markedNode(live, config)).toEqual({ metadata: { name: 'node-a', labels }, spec: { taints } });
  });

  test('without taints in the configuration keeps the ones of others', async () => {
    const config = await initContext({ init: '  taints: []\n' });
    expect(isMarked(node([notReady], labels), config)).toBe(true);
    expect(markedNode(node([notReady]), config).spec).toEqual({ taints: [notReady] });
  });
});
