import {
  type CommandResult,
  createMachine,
  installGroundplane,
  kubectlOn,
  type Machine,
  prepareInit,
} from '@groundplane/testbed';
import { describe, type expect, it } from 'vitest';
import { credentials } from './node-snapshot.ts';

/** Where a run of init is killed: right before its Nth atomic write, right after it, or in its one long wait. */
type KillPoint = { readonly at: 'before' | 'after'; readonly write: number } | { readonly at: 'wait' };

/** Atomic writes of init on a fresh machine up to the kubelet's start: 22 of keys and certificates, 5 kubeconfigs, 4 manifests, 3 kubelet files. */
const writes = 34;
/** A certificate without its CA's siblings, the middle of the leaves, a kubeconfig, a kubelet file. */
const sampled: readonly number[] = [2, 13, 25, 33];
const all = Array.from({ length: writes }, (_, index) => index + 1);
const numbers = process.env.GROUNDPLANE_TEST_FULL === '1' ? all : sampled;

const killPoints: readonly KillPoint[] = [
  ...numbers.flatMap((write): KillPoint[] => [
    { at: 'before', write },
    { at: 'after', write },
  ]),
  { at: 'wait' },
];

const nameOf = (point: KillPoint) =>
  point.at === 'wait' ? 'during the wait' : `right ${point.at} write ${point.write}`;

const strace = (injection: string) => [
  'strace',
  '-qq',
  '-o',
  '/root/strace.out',
  '-e',
  `inject=rename,renameat2:${injection}`,
];

const writtenScript =
  'find /etc/kubernetes /var/lib/kubelet -xdev -type f ! -name ".*" \\( -path "/etc/*" -o -name "*.yaml" -o -name "*.env" \\) 2>/dev/null | wc -l';

/** Two machines at a time: as many as there are cores, at least on the machines that this is made for. */
const free: (() => void)[] = [];
let places = 2;
async function oneOfTwo(work: () => Promise<void>): Promise<void> {
  if (places > 0) places--;
  else await new Promise<void>((resolve) => free.push(resolve));
  try {
    await work();
  } finally {
    const next = free.shift();
    if (next) next();
    else places++;
  }
}

describe('init killed', () => {
  it.concurrent.for(killPoints.map((point) => [nameOf(point), point] as const))(
    '%s is completed by the next run',
    async ([label, point], { expect: expectHere }) => {
      await oneOfTwo(async () => {
        const machine = await createMachine({ name: `kill-${label.replaceAll(/[^a-z0-9]+/g, '-')}` });
        try {
          await completedByTheNextRun(machine, point, expectHere);
        } finally {
          await machine.delete();
        }
      });
    },
  );
});

async function completedByTheNextRun(machine: Machine, point: KillPoint, expectHere: typeof expect): Promise<void> {
  await installGroundplane(machine);
  const init = ['groundplane', 'init', ...(await prepareInit(machine))];
  const killed = await kill(machine, init, point);
  expectHere(killed.code, killed.stdout + killed.stderr).toBe(137);
  const there = await credentials(machine);
  if (point.at !== 'wait') {
    expectHere(await written(machine)).toBe(point.at === 'before' ? point.write - 1 : point.write);
  }

  const again = await machine.exec(init, { timeoutMs: 240_000 });
  expectHere(again.code, again.stdout + again.stderr).toBe(0);
  const wait = ['wait', '--for=condition=Ready', '--timeout=90s', `node/${machine.name}`];
  const ready = await kubectlOn(machine, wait, { timeoutMs: 120_000 });
  expectHere(ready.code, ready.stderr).toBe(0);
  const finished = await credentials(machine);
  expectHere(finished.size).toBe(27);
  // kubelet.conf alone goes on changing: at the end it names the certificate that the kubelet renews.
  for (const [path, hash] of there) {
    if (!path.endsWith('/kubelet.conf')) expectHere(finished.get(path), path).toBe(hash);
  }
  const leftovers = await machine.exec([
    'find',
    '/etc/kubernetes',
    '/var/lib/kubelet',
    '-maxdepth',
    '3',
    '-name',
    '.*groundplane*',
  ]);
  expectHere(leftovers.stdout).toBe('');
}

/** Runs init until the point and kills it there. */
async function kill(machine: Machine, init: readonly string[], point: KillPoint): Promise<CommandResult> {
  // A signal injected at the Nth rename leaves exactly the Nth write undone.
  if (point.at === 'before')
    return machine.exec([...strace(`signal=SIGKILL:when=${point.write}`), ...init], { timeoutMs: 120_000 });
  // The Nth rename is done, and its process is held still until it is killed: nothing comes after the Nth write.
  const tracer = point.at === 'after' ? strace(`delay_exit=60000000:when=${point.write}`) : [];
  // The shell becomes the command itself, so its own process id is the one to kill.
  const noted = (name: string) => ['sh', '-c', `echo $$ >/root/${name}.pid; exec "$@"`, 'sh'];
  const running = machine.exec([...noted('outer'), ...tracer, ...noted('init'), ...init], { timeoutMs: 120_000 });
  const reached =
    point.at === 'after'
      ? `[ "$(${writtenScript})" = ${point.write} ]`
      : '[ "$(systemctl is-active kubelet)" = active ] && [ -e /var/lib/kubelet/config.yaml ] && crictl pods -q | grep -q .';
  // strace would sleep out its minute; it lets go of nobody who lives.
  const script = `until ${reached}; do sleep 0.05; done; kill -9 "$(cat /root/init.pid)"; kill -9 "$(cat /root/outer.pid)" || true`;
  const killer = await machine.exec(['sh', '-c', script], { timeoutMs: 120_000 });
  if (killer.code !== 0) throw new Error(`cannot kill init at the point: ${killer.stderr}`);
  return running;
}

/** Files that init has written in whole; hidden leftovers of the interrupted write are not counted. */
async function written(machine: Machine): Promise<number> {
  return Number((await machine.exec(['sh', '-c', writtenScript])).stdout.trim());
}
