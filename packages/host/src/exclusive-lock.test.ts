import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { traced } from '../test/trace.ts';
import { acquireLock } from './exclusive-lock.ts';

let directory: string;
let path: string;
let children: ChildProcess[];

beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), 'groundplane-lock-'));
  path = join(directory, 'groundplane.lock');
  children = [];
});

afterEach(async () => {
  await Promise.all(children.map(end));
  rmSync(directory, { recursive: true, force: true });
});

async function end(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const exit = once(child, 'exit');
  child.kill('SIGKILL');
  await exit;
}

/** A process that is ready to take the lock. */
async function contender(who: string): Promise<{ child: ChildProcess; attempt(): Promise<string> }> {
  const child = spawn(process.execPath, [join(import.meta.dirname, '../test/hold-lock.ts'), path, who], {
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  children.push(child);
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  await lines.next();
  return {
    child,
    async attempt() {
      child.stdin.write('go\n');
      return String((await lines.next()).value);
    },
  };
}

const recordOf = (file: string): Record<string, unknown> => JSON.parse(readFileSync(file, 'utf8'));

it('is held until it is released, and leaves nothing', async () => {
  const lock = await acquireLock(path, { who: 'groundplane init' });
  await expect(acquireLock(path, { who: 'groundplane reset' })).rejects.toMatchObject({
    code: 'HOST_LOCKED',
    message: expect.stringMatching(new RegExp(`groundplane init \\(process ${process.pid}, since \\d{4}-`)),
    details: { who: 'groundplane init', pid: process.pid },
  });
  await lock.release();
  await lock.release();
  const second = await acquireLock(path, { who: 'groundplane reset' });
  await second.release();
  expect(readdirSync(directory)).toEqual([]);
});

it('names the holder in another process', async () => {
  const holder = await contender('groundplane join');
  expect(await holder.attempt()).toBe('held');
  await expect(acquireLock(path, { who: 'groundplane init' })).rejects.toMatchObject({
    code: 'HOST_LOCKED',
    details: { who: 'groundplane join', pid: holder.child.pid },
  });
});

it('of a process that was killed is taken over', async () => {
  const holder = await contender('groundplane init');
  expect(await holder.attempt()).toBe('held');
  await end(holder.child);
  const lock = await acquireLock(path, { who: 'groundplane init' });
  expect(recordOf(path).pid).toBe(process.pid);
  expect(readdirSync(directory)).toEqual(['groundplane.lock']);
  await lock.release();
});

describe('something else in the place of the lock is refused', () => {
  it.each([
    { name: 'a link to nothing', put: () => symlinkSync('/nowhere', path) },
    { name: 'a link to a file', put: () => symlinkSync('/etc/hostname', path) },
    { name: 'a link to itself', put: () => symlinkSync(path, path) },
    { name: 'a directory', put: () => mkdirSync(path) },
    { name: 'a named pipe', put: () => execFileSync('mkfifo', [path]) },
  ])('$name', async ({ put }) => {
    put();
    await expect(acquireLock(path, { who: 'groundplane init' })).rejects.toMatchObject({
      code: 'HOST_LOCK_UNREADABLE',
    });
    expect(readdirSync(directory)).toEqual(['groundplane.lock']);
  });
});

describe('a record that names a running process', () => {
  it.each([
    { name: 'with another start time is of one that had its id before', change: { startTicks: '1' }, outcome: 'taken' },
    {
      name: 'of an earlier boot is dead',
      change: { bootId: '00000000-0000-0000-0000-000000000000' },
      outcome: 'taken',
    },
    { name: 'of another PID namespace may be alive', change: { pidNamespace: 'pid:[1]' }, outcome: 'HOST_LOCKED' },
    { name: 'as it is, is alive', change: {}, outcome: 'HOST_LOCKED' },
  ])('$name', async ({ change, outcome }) => {
    await acquireLock(path, { who: 'groundplane init' });
    writeFileSync(path, JSON.stringify({ ...recordOf(path), ...change }));
    const result = await acquireLock(path, { who: 'second' }).then(
      () => 'taken',
      (error: { code: string }) => error.code,
    );
    expect(result).toBe(outcome);
  });
});

it.each(['', 'not JSON', '{"pid": 1}'])('refuses a file that is no lock: %j', async (content) => {
  writeFileSync(path, content);
  await expect(acquireLock(path, { who: 'x' })).rejects.toMatchObject({
    code: 'HOST_LOCK_UNREADABLE',
    hint: expect.stringContaining(`rm ${path}`),
  });
  expect(readFileSync(path, 'utf8')).toBe(content);
});

it('goes to exactly one of many that find a dead lock at the same moment', async () => {
  for (let round = 0; round < 3; round += 1) {
    const dead = await contender('dead');
    expect(await dead.attempt()).toBe('held');
    await end(dead.child);
    const contenders = await Promise.all(Array.from({ length: 6 }, (_, index) => contender(`contender ${index}`)));
    const outcomes = await Promise.all(contenders.map((one) => one.attempt()));
    expect(outcomes.sort()).toEqual([
      'HOST_LOCKED',
      'HOST_LOCKED',
      'HOST_LOCKED',
      'HOST_LOCKED',
      'HOST_LOCKED',
      'held',
    ]);
    await Promise.all(contenders.map((one) => end(one.child)));
  }
});

describe('a process killed while it takes a dead lock over', () => {
  it.each([
    'link:signal=SIGKILL:when=1',
    'link:signal=SIGKILL:when=2',
    'link:signal=SIGKILL:when=3',
    'unlink:signal=SIGKILL:when=1',
    'unlink:signal=SIGKILL:when=2',
    'unlink:signal=SIGKILL:when=3',
  ])('leaves a state that the next one gets out of: %s', async (injection) => {
    const dead = await contender('dead');
    expect(await dead.attempt()).toBe('held');
    await end(dead.child);
    const { stderr } = traced('hold-lock.ts', [path, 'killed'], {
      strace: ['-e', 'trace=link,unlink', '-e', `inject=${injection}`],
      input: 'go\n',
    });
    expect(stderr).toContain('killed by SIGKILL');
    const lock = await acquireLock(path, { who: 'next' });
    expect(recordOf(path).who).toBe('next');
    expect(readdirSync(directory)).toEqual(['groundplane.lock']);
    await lock.release();
  });
});
