import {
  collected,
  createMachine,
  freshJoinArguments,
  installGroundplane,
  kubectlOutput,
  type Machine,
  succeeding,
  waitUntilReady,
  waitUntilRuntimeAnswers,
} from '@groundplane/testbed';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type FileWrite, killAtFileWrite, killWhen, writtenFiles } from './kill-at-file-write.ts';
import { type NamesInPlace, namesInPlace } from './names-in-place.ts';
import { credentials, lasting } from './node-snapshot.ts';
import { openWriteGate, sharedWrite, type WriteGate, type WriteTarget } from './write-gate.ts';

const everyWrite = process.env.GROUNDPLANE_TEST_FULL === '1';
/** Different writes of init to the API server of a new cluster, without those that controllers make as well. */
const apiWrites = 30;
const every = everyWrite ? 1 : 7;

let controlPlane: Machine;
let gate: WriteGate;
let init: readonly string[];

beforeAll(async () => {
  controlPlane = await createMachine({ name: 'kill-writes-1' });
  await installGroundplane(controlPlane);
  gate = await openWriteGate(controlPlane);
  init = ['groundplane', 'init', ...gate.init];
});
afterAll(() => controlPlane?.delete());

interface TracedRun {
  readonly code: number;
  readonly said: string;
  readonly named: NamesInPlace;
}

/** Runs a command, and sees how files get their names. */
async function traced(machine: Machine, words: readonly string[]): Promise<TracedRun> {
  const strace = ['strace', '-f', '-qq', '-y', '--seccomp-bpf', '-e', 'trace=%file', '-o', '/root/trace'];
  const { code, stdout, stderr } = await machine.exec([...strace, ...words], { timeoutMs: 300_000 });
  const folders = ['/etc/kubernetes', '/var/lib/kubelet', '/var/lib/etcd'];
  const named = namesInPlace(await machine.readFile('/root/trace'), folders);
  expect(named.partial).toEqual([]);
  return { code, said: stdout + stderr, named };
}

/** Files of all runs of init. */
const whole = new Set<string>();

async function runAtGate(target: WriteTarget): Promise<TracedRun> {
  await gate.target(target);
  const run = await traced(controlPlane, gate.killable(init));
  for (const path of run.named.whole) whole.add(path);
  return run;
}

/** What must not change. */
const keys = async () => lasting(await credentials(controlPlane));

async function isHealthy(): Promise<void> {
  await waitUntilReady(controlPlane);
  const { state } = JSON.parse(await collected(controlPlane, ['groundplane', 'status', '-o', 'json']));
  expect(state).toBe('complete');
}

describe('init killed at its writes to the API server', () => {
  // Every run goes on where the one before was killed, first before the write was done and then after it.
  it('at one after the other is completed by the last run, and no key changes', async () => {
    let there: ReadonlyMap<string, string> | undefined;
    for (;;) {
      const { code, said } = await runAtGate({ at: 'next', every });
      there ??= await keys();
      expect(there.size).toBe(26);
      expect(await keys()).toEqual(there);
      if (code === 0) break;
      expect(code, said).toBe(137);
    }
    const ours = (await gate.writes()).filter(
      ({ program, write }) => program === 'groundplane' && !sharedWrite.test(write),
    );
    const different = [...new Set(ours.map(({ write }) => write))];
    expect(different, different.join('\n')).toHaveLength(apiWrites);
    const chosen = different.filter((_, index) => index % every === 0);
    const killed = ours.filter((write) => write.killed).map(({ moment, write }) => `${moment} ${write}`);
    expect(killed).toEqual(chosen.flatMap((write) => [`before ${write}`, `after ${write}`]));
    // What was killed before was not done.
    const undone = new Set(ours.filter(({ moment, killed }) => killed && moment === 'before').map(({ id }) => id));
    const doneNevertheless = ours.filter(({ id, code = 0 }) => undone.has(id) && code >= 200 && code < 300);
    expect(doneNevertheless).toEqual([]);
    // What was killed after was.
    const doneFirst = ours.filter(({ moment, killed: kills }) => kills && moment === 'after');
    expect(doneFirst.filter(({ code = 0 }) => code < 200 || code >= 300)).toEqual([]);
    await isHealthy();
  }, 1_200_000);

  // The first write is refused to admin.conf, which has no rights yet, and made with super-admin.conf.
  it.for(everyWrite ? Array.from({ length: apiWrites + 1 }, (_, index) => index + 1) : [])(
    'at write %d is completed by the next run',
    async (write) => {
      for (const at of write === 1 ? (['before'] as const) : (['before', 'after'] as const)) {
        await succeeding(controlPlane, ['groundplane', 'reset', '--force'], { timeoutMs: 120_000 });
        const killed = await runAtGate({ at, write });
        expect(killed.code, killed.said).toBe(137);
        const there = await keys();
        const again = await runAtGate({ at: 'never' });
        expect(again.code, again.said).toBe(0);
        expect(await keys()).toEqual(there);
        await isHealthy();
      }
    },
  );

  it('gives files their names when they are whole', () => {
    // None of a run gets one otherwise; these are all of them.
    expect(whole.size).toBe(34);
  });
});

/** Atomic writes of join on a fresh machine: two that identify the cluster, three for the kubelet. */
const fileWrites = 5;
/** Where the kubelet has asked with its token, it has written its own file. */
const others = ['kubelet.conf'];
const bootstrapFile = '/etc/kubernetes/bootstrap-kubelet.conf';

type JoinPoint = FileWrite | { readonly at: 'before' | 'after'; readonly write: 'removal' };
const joinPoints: readonly JoinPoint[] = (['before', 'after'] as const).flatMap((at) => [
  ...(everyWrite ? [1, 2, 3, 4, 5] : at === 'before' ? [2] : [5]).map((write): JoinPoint => ({ at, write })),
  ...(everyWrite || at === 'before' ? [{ at, write: 'removal' } as const] : []),
]);

describe('a worker whose join is killed', () => {
  let worker: Machine;
  let join: readonly string[];
  let before: number;
  beforeAll(async () => {
    worker = await createMachine({ name: 'kill-writes-2' });
    await installGroundplane(worker);
    await waitUntilRuntimeAnswers(worker);
    await gate.target({ at: 'never' });
    join = ['groundplane', 'join', ...(await freshJoinArguments(controlPlane))];
    before = (await gate.writes()).length;
  });
  afterAll(() => worker?.delete());

  it.for(joinPoints.map((point) => [point.at, point.write, point] as const))(
    'right %s write %s is joined by the next run',
    async ([at, write, point]) => {
      const killed = await killJoin(worker, join, point);
      expect(killed.code, killed.stdout + killed.stderr).toBe(137);
      const left = await writtenFiles(worker, others);
      if (write === 'removal') expect(left).toBe(at === 'before' ? fileWrites : fileWrites - 1);
      else expect(left).toBe(at === 'before' ? write - 1 : write);

      await isJoinedByTheNextRun(worker, join);
    },
  );

  it('or which finds no room for one file after the other is joined by the next run', async () => {
    const fails = async (tracer: readonly string[], error: RegExp, remedy: string) => {
      const { code, stdout, stderr } = await worker.exec([...tracer, ...join], { timeoutMs: 120_000 });
      expect(code, stdout + stderr).toBe(4);
      const [said = '', hint = '', ...rest] = stderr.slice(stderr.indexOf('error: ')).trimEnd().split('\n');
      expect(said).toMatch(error);
      expect(hint).toContain(remedy);
      expect(rest).toEqual([]);
    };
    for (let write = 1; write <= fileWrites; write++) {
      // The first run fails at its first file; each other one writes one and fails at the second.
      const rename = failing(`rename,renameat,renameat2:error=ENOSPC:when=${write === 1 ? 1 : 2}`);
      await fails(rename, /^error: Cannot write \/\S+ as the file system is full \(ENOSPC\)$/, 'Make room; ');
      expect(await writtenFiles(worker, others)).toBe(write - 1);
    }
    await fails(
      failing('unlink,unlinkat:error=EROFS', '-P', bootstrapFile),
      /^error: Cannot remove \/etc\/kubernetes\/bootstrap-kubelet.conf as the file system is read-only \(EROFS\)$/,
      'Mount it writable; ',
    );
    await isJoinedByTheNextRun(worker, join);
  });

  it('writes nothing to the API server itself', async () => {
    const writes = (await gate.writes()).slice(before);
    expect(writes.filter(({ program }) => program === 'kubelet').length).toBeGreaterThan(0);
    expect(writes.filter(({ program }) => program === 'groundplane' || program === 'kubeadm')).toEqual([]);
  });
});

/** Words before a command by which a system call of it fails; `path` is `-P` and the one file at which it does, or nothing. */
const failing = (injection: string, ...path: readonly string[]) => [
  ...['strace', '-qq', '-o', '/dev/null', ...path],
  ...['-e', `inject=${injection}`],
];

/** Then it leaves the cluster, for the test after it. */
async function isJoinedByTheNextRun(worker: Machine, join: readonly string[]): Promise<void> {
  const again = await traced(worker, join);
  expect(again.code, again.said).toBe(0);
  await waitUntilReady(controlPlane, [worker]);
  const found = await collected(worker, ['find', '/etc/kubernetes', '/var/lib/kubelet', '-maxdepth', '2']);
  expect(found).not.toContain(bootstrapFile);
  expect(found).not.toContain('.groundplane-');

  await succeeding(worker, ['groundplane', 'reset', '--force'], { timeoutMs: 120_000 });
  await kubectlOutput(controlPlane, ['delete', 'node', worker.name]);
}

async function killJoin(worker: Machine, join: readonly string[], point: JoinPoint) {
  if (point.write !== 'removal') return killAtFileWrite(worker, join, { ...point, write: point.write, others });
  const strace = (what: string) => [
    ...['strace', '-qq', '-o', '/root/strace.out', '-P', bootstrapFile],
    ...['-e', `inject=unlink,unlinkat:${what}`],
  ];
  // A signal injected at a system call leaves exactly that call undone.
  if (point.at === 'before') return worker.exec([...strace('signal=SIGKILL'), ...join], { timeoutMs: 120_000 });
  const removed = `[ -e /var/lib/kubelet/config.yaml ] && [ -e /etc/kubernetes/kubelet.conf ] && [ ! -e ${bootstrapFile} ]`;
  return killWhen(worker, strace('delay_exit=60000000'), join, removed);
}
