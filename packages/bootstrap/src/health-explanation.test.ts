import type { Look, SuppliedPorts } from '@groundplane/phases';
import { memoryPorts } from '@groundplane/phases/testing';
import { expect, test } from 'vitest';
import { withReasons } from './health-explanation.ts';

const refused: Look = { done: false, reason: 'connect ECONNREFUSED 127.0.0.1:10248' };

/** Ports whose kubelet ended, and a clock that goes on by a second with each look. */
function ended(): Pick<SuppliedPorts, 'runtime' | 'host' | 'clock'> {
  const { runtime, host, clock } = memoryPorts();
  let now = 0;
  const services = {
    ...host.services,
    status: async () => ({ exists: true, enabled: true, active: false, initSystem: 'systemd' as const }),
    log: async () => ['kubelet is configured to not run on a host using cgroup v1'],
  };
  return { runtime, host: { ...host, services }, clock: { ...clock, monotonicMs: () => (now += 1000) } };
}

test('a kubelet that ends is told with its last line, but not at once', async () => {
  const look = withReasons({}, ended(), async () => refused);
  expect(await look()).toEqual(refused);
  expect(await look()).toEqual({
    done: false,
    reason: `connect ECONNREFUSED 127.0.0.1:10248; its unit is not running: kubelet is configured to not run on a host using cgroup v1`,
  });
});

test('health needs no reason', async () => {
  const look = withReasons({}, ended(), async () => ({ done: true }));
  for (let i = 0; i < 4; i++) expect(await look()).toEqual({ done: true });
});
