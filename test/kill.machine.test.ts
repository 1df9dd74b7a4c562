import { createMachine, installGroundplane, kubectlOn, type Machine, prepareInit } from '@groundplane/testbed';
import { describe, expect, it } from 'vitest';
import { credentials } from './node-snapshot.ts';

/** Where a run of init is killed: right before its Nth atomic write, right after it, or in its one long wait. */
type KillPoint = { readonly at: 'before' | 'after'; readonly write: number } | { readonly at: 'wait' };

/** Atomic writes of init on a fresh machine: keys and certificates, kubeconfigs, manifests, kubelet files. */
const writes = 34;
const sampled: readonly number[] = [2, 13, 25, 33];
const numbers =
  process.env['GROUNDPLANE_TEST_FULL'] === '1' ? Array.from({ length: writes }, (_, index) => index + 1) : sampled;

const killPoints: readonly KillPoint[] = [
  ...numbers.flatMap((write): KillPoint[] => [
    { at: 'before', write },
    { at: 'after', write },
  ]),
  { at: 'wait' },
];

/**
 * Each atomic write is fsync of the file, rename, fsync of the folder. A signal injected at the Nth rename leaves exactly the Nth write undone; one injected
 * at the fsync that follows it comes right after the write.
 */
function strace(point: Exclude<KillPoint, { at: 'wait' }>): readonly string[] {
  const [calls, when] = point.at === 'before' ? ['rename,renameat2', point.write] : ['fsync', 2 * point.write];
  return [
    'strace',
    '-f',
    '-qq',
    '-o',
    '/root/strace.out',
    '-e',
    `trace=${calls}`,
    '-e',
    `inject=${calls}:signal=SIGKILL:when=${when}`,
  ];
}

const name = (point: KillPoint) => (point.at === 'wait' ? 'during the wait' : `right ${point.at} write ${point.write}`);

describe('init killed', () => {
  it.for(killPoints.map((point) => [name(point), point] as const))(
    '%s is completed by the next run',
    async ([label, point]) => {
      const machine = await createMachine({ name: `kill-${label.replaceAll(/[^a-z0-9]+/g, '-').slice(-20)}` });
      try {
        await installGroundplane(machine);
        const init = ['groundplane', 'init', ...(await prepareInit(machine))];
        const killed =
          point.at === 'wait'
            ? await killedInTheWait(machine, init)
            : await machine.exec([...strace(point), ...init], { timeoutMs: 120_000 });
        expect(killed.code, killed.stdout + killed.stderr).toBe(137);
        const before = await credentials(machine);
        if (point.at !== 'wait')
          expect(await written(machine)).toBe(point.at === 'before' ? point.write - 1 : point.write);

        const again = await machine.exec(init, { timeoutMs: 240_000 });
        expect(again.code, again.stdout + again.stderr).toBe(0);
        const ready = await kubectlOn(
          machine,
          ['wait', '--for=condition=Ready', '--timeout=90s', `node/${machine.name}`],
          { timeoutMs: 120_000 },
        );
        expect(ready.code, ready.stderr).toBe(0);
        const after = await credentials(machine);
        expect(after.size).toBe(27);
        for (const [path, hash] of before) expect(after.get(path), path).toBe(hash);
      } finally {
        await machine.delete();
      }
    },
  );
});

/** Files that init has written in whole, hidden leftovers of the interrupted write not counted. */
async function written(machine: Machine): Promise<number> {
  const script =
    'find /etc/kubernetes /var/lib/kubelet -xdev -type f ! -name ".*" \\( -path "/etc/*" -o -name "*.yaml" -o -name "*.env" \\) | wc -l';
  return Number((await machine.exec(['sh', '-c', script])).stdout.trim());
}

/** Starts init, waits until it has started the kubelet and waits for the control plane, and kills it there. */
async function killedInTheWait(machine: Machine, init: readonly string[]) {
  const running = machine.exec(['sh', '-c', 'echo $$ >/root/init.pid; exec "$@"', 'sh', ...init, '-o', 'jsonl'], {
    timeoutMs: 120_000,
  });
  const script =
    'until [ "$(systemctl is-active kubelet)" = active ] && [ -e /var/lib/kubelet/config.yaml ]; do sleep 0.05; done; sleep 0.5; kill -9 "$(cat /root/init.pid)"';
  const killer = await machine.exec(['sh', '-c', script], { timeoutMs: 120_000 });
  expect(killer.code, killer.stderr).toBe(0);
  return running;
}
