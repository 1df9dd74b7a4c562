import { describe, expect, test } from 'vitest';
import { type Ran, run } from '../test/init-run.ts';
import { healthOf, initContext, initWorld, nodeReference, objectOf } from '../test/init-world.ts';

const ready = { status: { conditions: [{ type: 'Ready', status: 'True' }] } };
interface Situation {
  readonly nodeIsReady: boolean;
  /** How many looks it takes until there are rules; there never are any where there is no number. */
  readonly looks?: number;
}

/** Installs the addons on a cluster that has none. */
async function install({ nodeIsReady, looks = Number.POSITIVE_INFINITY }: Situation): Promise<Ran & { slept: number }> {
  let slept = 0;
  const ports = initWorld({
    onSleep() {
      slept += 1;
    },
    probe(url, memory) {
      if (!url.startsWith('https://10.96.0.1:443/')) return healthOf(url, memory);
      return slept >= looks ? { status: 403, text: 'forbidden' } : { text: 'no answer within 300 ms' };
    },
  });
  const config = await initContext({ cluster: 'controlPlaneEndpoint: cluster.example.com:6443\n' });
  const first = await run(ports, config, { skip: ['addon'] });
  expect(first.error).toBeUndefined();
  const node = objectOf(ports, 'v1', 'Node', nodeReference.name);
  if (nodeIsReady) ports.memory.putObject({ ...node, ...ready } as never);
  slept = 0;
  return { ...(await run(ports, config)), slept };
}

describe('before CoreDNS is installed', () => {
  test('it waits until the Service of the API server answers on the node', async () => {
    const { error, events, slept } = await install({ nodeIsReady: true, looks: 3 });
    expect(error).toBeUndefined();
    expect(slept).toBe(3);
    const told = events.filter(({ type }) => type === 'waiting');
    expect(told).toMatchObject([
      { subject: expect.stringContaining('10.96.0.1'), reason: 'kube-proxy has no rules for it yet' },
    ]);
  });

  test('it does not wait on a node that takes no pods of CoreDNS yet', async () => {
    const { error, slept } = await install({ nodeIsReady: false });
    expect({ error, slept }).toEqual({ error: undefined, slept: 0 });
  });

  test('it goes on if kube-proxy makes none, and says so', async () => {
    const { error, events, changes } = await install({ nodeIsReady: true });
    expect(error).toBeUndefined();
    expect(events.filter(({ type }) => type === 'progress')).toContainEqual(
      expect.objectContaining({
        phase: 'addon/service-rules',
        message: expect.stringContaining('no rules'),
      }),
    );
    expect(changes).toContain('apply Deployment kube-system/coredns');
  });
});
