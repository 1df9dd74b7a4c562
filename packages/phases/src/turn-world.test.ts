import { expect, test } from 'vitest';
import { derive, run, textFile, textObject, workflowOf } from '../test/tiny-workflow.ts';
import type { AnyPhase } from './phase.ts';
import type { Cluster } from './ports.ts';
import { type MemoryPorts, memoryPorts } from './testing/index.ts';

const kubeconfig = textFile('kubeconfig', { external: true });
const object = textObject('note', { policy: 'converge' });
const connect = { kubeconfig, endpoint: 'as-written' } as const;

/** A pure phase that wants an object to say something. */
const phase: AnyPhase<{ readonly text: string }> = {
  ...derive('one', { writes: { object } }),
  connect,
  render: async () => ({ kind: 'values', values: { object: { text: 'wanted' } } }),
  verify: async ({ outputs }) =>
    (outputs.object as { readonly text?: string } | undefined)?.text === 'wanted'
      ? []
      : [{ code: 'TINY_WRONG', severity: 'error', artifact: 'object', message: 'the object is wrong' }],
};

/** Ports whose API server is told what to do with what is applied; what it is asked is counted. */
function ports(applied: (stored: Awaited<ReturnType<Cluster['apply']>>) => Awaited<ReturnType<Cluster['apply']>>) {
  const memory = memoryPorts({ files: { '/etc/tiny/kubeconfig': 'made from nothing' } });
  const asked: string[] = [];
  const clusters: MemoryPorts['clusters'] = {
    async connect(options) {
      const cluster = await memory.clusters.connect(options);
      return {
        ...cluster,
        get: (reference) => {
          asked.push(`get ${reference.name}`);
          return cluster.get(reference);
        },
        apply: async (one) => {
          asked.push(`apply ${one.metadata.name}`);
          return applied(await cluster.apply(one));
        },
      };
    },
  };
  return { ports: { ...memory, clusters }, asked };
}

test('what the API server says it stored is not asked for again', async () => {
  const { ports: those, asked } = ports((stored) => stored);
  const { error, result } = await run(workflowOf(phase), those);
  expect(error).toBeUndefined();
  expect(result?.phases[0]?.decision).toBe('create');
  // Once for the plan, once when its turn comes.
  expect(asked).toEqual(['get note', 'get note', 'apply note']);
});

test('what the API server made of it is held to the verify of the phase', async () => {
  const { ports: those } = ports((stored) => ({ ...stored, text: 'something else' }));
  const { error } = await run(workflowOf(phase), those);
  expect(error).toMatchObject({ code: 'PHASES_VERIFY_FAILED', findings: [{ code: 'TINY_WRONG' }] });
});
