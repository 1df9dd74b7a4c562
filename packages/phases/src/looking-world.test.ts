import { GroundplaneError } from '@groundplane/errors';
import { describe, expect, test } from 'vitest';
import { derive, textFile, textObject, tinyConfig, workflowOf } from '../test/tiny-workflow.ts';
import { planWorkflow, type SuppliedPorts, statusOfWorkflow, verifyWorkflow } from './index.ts';
import { memoryPorts } from './testing/index.ts';

const a = textFile('a');
const connect = { kubeconfig: a, endpoint: 'as-written' } as const;
const inCluster = (id: string) => derive(id, { writes: { [id]: textObject(id, { policy: 'converge' }) }, connect });
const workflow = workflowOf(derive('first', { writes: { a } }), inCluster('o'), inCluster('p'), inCluster('q'));

/** Ports whose API server answers /version, if at all, and nothing beyond. */
function silentPorts({ isListening }: { readonly isListening: boolean }) {
  const ports = memoryPorts({ files: { '/etc/tiny/a': 'made from nothing' } });
  const asked: string[] = [];
  const connectSilently: SuppliedPorts['clusters']['connect'] = async (options) => ({
    ...(await ports.clusters.connect(options)),
    probe: async (path) => {
      asked.push(path);
      return isListening ? { status: 200, text: '{}' } : { text: 'no answer within 2 s' };
    },
    get: async ({ name }) => {
      asked.push(name);
      throw new GroundplaneError('CLUSTER_UNAVAILABLE', 'Cannot get it: no answer within 2 s', { kind: 'unavailable' });
    },
  });
  return { asked, ports: { ...ports, clusters: { connect: connectSilently } } };
}

describe.each([
  ['verify', verifyWorkflow],
  ['plan', planWorkflow],
  ['status', statusOfWorkflow],
] as const)('%s', (_, look) => {
  test('waits once for an API server that does not answer', async () => {
    const { asked, ports } = silentPorts({ isListening: false });
    const result = await look({ workflow, config: tinyConfig, ports });
    expect(asked).toEqual(['/version']);
    expect(
      JSON.stringify(result).match(/the API server does not answer: no answer within 2 s/g)?.length,
    ).toBeGreaterThan(2);
  });

  test('waits once for one that listens and then says nothing', async () => {
    const { asked, ports } = silentPorts({ isListening: true });
    await look({ workflow, config: tinyConfig, ports });
    expect(asked).toEqual(['/version', 'o']);
  });
});
