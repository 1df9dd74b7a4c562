import { describe, expect, test } from 'vitest';
import { type Ran, run } from '../test/init-run.ts';
import { initContext, initWorld, nodeReference, objectOf } from '../test/init-world.ts';

const ready = { status: { conditions: [{ type: 'Ready', status: 'True' }] } };
const pod = (node: string) => ({
  apiVersion: 'v1',
  kind: 'Pod',
  metadata: { name: `kube-proxy-${node}`, namespace: 'kube-system', labels: { 'k8s-app': 'kube-proxy' } },
  spec: { nodeName: node },
});

interface Situation {
  readonly nodeIsReady: boolean;
  /** How many looks it takes until kube-proxy runs; it never does where there is none. */
  readonly looks?: number;
}

/** Installs the addons on a cluster that has none. */
async function install({ nodeIsReady, looks = Number.POSITIVE_INFINITY }: Situation): Promise<Ran & { slept: number }> {
  let slept = 0;
  const ports = initWorld({
    onSleep(memory) {
      slept += 1;
      if (slept >= looks) memory.putObject({ ...pod(nodeReference.name), ...ready });
    },
  });
  const config = await initContext();
  const first = await run(ports, config, { skip: ['addon'] });
  expect(first.error).toBeUndefined();
  const node = objectOf(ports, 'v1', 'Node', nodeReference.name);
  if (nodeIsReady) ports.memory.putObject({ ...node, ...ready } as never);
  slept = 0;
  return { ...(await run(ports, config)), slept };
}

describe('before CoreDNS is installed', () => {
  test('it waits until kube-proxy runs on the node', async () => {
    const { error, events, slept } = await install({ nodeIsReady: true, looks: 3 });
    expect(error).toBeUndefined();
    // The news of a watch comes a look or two later.
    expect(slept).toBeGreaterThanOrEqual(3);
    expect(slept).toBeLessThan(10);
    const told = events.filter(({ type }) => type === 'waiting');
    expect(told).toMatchObject([{ subject: 'kube-proxy on node-a', reason: 'it has no pod yet' }]);
  });

  test('it does not wait on a node that takes no pods of CoreDNS yet', async () => {
    const { error, slept } = await install({ nodeIsReady: false });
    expect({ error, slept }).toEqual({ error: undefined, slept: 0 });
  });

  test('it goes on if kube-proxy does not come, and says so', async () => {
    const { error, events, changes } = await install({ nodeIsReady: true });
    expect(error).toBeUndefined();
    expect(events.filter(({ type }) => type === 'progress')).toContainEqual(
      expect.objectContaining({
        phase: 'addon/kube-proxy-running',
        message: expect.stringContaining('does not run yet'),
      }),
    );
    expect(changes).toContain('apply Deployment kube-system/coredns');
  });
});
