import {
  type CommandResult,
  createMachine,
  installGroundplane,
  kubectlOn,
  type Machine,
  prepareInit,
} from '@groundplane/testbed';
import { describe, type expect, it } from 'vitest';
import { type FileWrite, killAtFileWrite, killWhen, writtenFiles } from './kill-at-file-write.ts';
import { credentials, lasting } from './node-snapshot.ts';

/** Where a run of init is killed: at one of its atomic writes, or in its one long wait. */
type KillPoint = FileWrite | { readonly at: 'wait' };

const everyWrite = process.env.GROUNDPLANE_TEST_FULL === '1';
/** Atomic writes of init on a fresh machine up to the kubelet's start: 22 of keys and certificates, 5 kubeconfigs, 4 manifests, 3 kubelet files. */
const writes = 34;
const all = Array.from({ length: writes }, (_, index) => index + 1);
const numbers = everyWrite ? all : [13];

const killPoints: readonly KillPoint[] = [
  ...numbers.flatMap((write): KillPoint[] => [
    { at: 'before', write },
    { at: 'after', write },
  ]),
  { at: 'wait' },
];

const nameOf = (point: KillPoint) =>
  point.at === 'wait' ? 'during the wait' : `right ${point.at} write ${point.write}`;

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

async function onMachine(label: string, work: (machine: Machine, init: readonly string[]) => Promise<void>) {
  await oneOfTwo(async () => {
    const machine = await createMachine({ name: `kill-${label.replaceAll(/[^a-z0-9]+/g, '-')}` });
    try {
      await installGroundplane(machine);
      await work(machine, ['groundplane', 'init', ...(await prepareInit(machine))]);
    } finally {
      await machine.delete();
    }
  });
}

describe('init killed', () => {
  it.concurrent.for(killPoints.map((point) => [nameOf(point), point] as const))(
    '%s is completed by the next run',
    async ([label, point], { expect: expectHere }) => {
      await onMachine(label, async (machine, init) => {
        const killed = await kill(machine, init, point);
        expectHere(killed.code, killed.stdout + killed.stderr).toBe(137);
        if (point.at !== 'wait') {
          expectHere(await writtenFiles(machine)).toBe(point.at === 'before' ? point.write - 1 : point.write);
        }
        await completedByTheNextRun(machine, { init, there: await credentials(machine) }, expectHere);
      });
    },
  );

  // Every run goes on where the one before was killed, so that a node with any number of files is gone on with.
  it.concurrent('at one write after the other is completed by the last run', async ({ expect: expectHere }) => {
    await onMachine('chain', async (machine, init) => {
      const step = everyWrite ? 1 : 4;
      const there = new Map<string, string>();
      let files = 0;
      const killedAt = async (point: FileWrite): Promise<void> => {
        const killed = await killAtFileWrite(machine, init, { ...point, there: files });
        expectHere(killed.code, `${nameOf(point)}: ${killed.stdout}${killed.stderr}`).toBe(137);
        files = await writtenFiles(machine);
        expectHere(files, nameOf(point)).toBe(point.at === 'before' ? point.write - 1 : point.write);
        const now = await credentials(machine);
        for (const [path, hash] of there) expectHere(now.get(path), `${path} ${nameOf(point)}`).toBe(hash);
        for (const [path, hash] of now) there.set(path, hash);
      };
      for (let write = step; write <= writes; write += step) {
        await killedAt({ at: 'before', write });
        await killedAt({ at: 'after', write });
      }
      await completedByTheNextRun(machine, { init, there }, expectHere);
    });
  });
});

interface LeftBehind {
  readonly init: readonly string[];
  /** `credentials` after the kill. */
  readonly there: ReadonlyMap<string, string>;
}

async function completedByTheNextRun(
  machine: Machine,
  { init, there }: LeftBehind,
  expectHere: typeof expect,
): Promise<void> {
  const again = await machine.exec(init, { timeoutMs: 240_000 });
  expectHere(again.code, again.stdout + again.stderr).toBe(0);
  const wait = ['wait', '--for=condition=Ready', '--timeout=90s', `node/${machine.name}`];
  const ready = await kubectlOn(machine, wait, { timeoutMs: 120_000 });
  expectHere(ready.code, ready.stderr).toBe(0);
  const finished = await credentials(machine);
  expectHere(finished.size).toBe(27);
  for (const [path, hash] of lasting(there)) expectHere(finished.get(path), path).toBe(hash);
  const folders = ['/etc/kubernetes', '/var/lib/kubelet'];
  const leftovers = await machine.exec(['find', ...folders, '-maxdepth', '3', '-name', '.*groundplane*']);
  expectHere(leftovers.stdout).toBe('');
}

/** Runs init until the point and kills it there. */
async function kill(machine: Machine, init: readonly string[], point: KillPoint): Promise<CommandResult> {
  if (point.at !== 'wait') return killAtFileWrite(machine, init, point);
  const waits =
    '[ "$(systemctl is-active kubelet)" = active ] && [ -e /var/lib/kubelet/config.yaml ] && crictl pods -q | grep -q .';
  return killWhen(machine, [], init, waits);
}
