import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { askProgram, type ProgramQuestion } from './ask-program.ts';

const question: ProgramQuestion = {
  input: 'question\n',
  environment: { PATH: process.env.PATH, SAID: 'so' },
  timeoutMs: 20_000,
  maximumBytes: 1000,
};
const ask = (script: string, more: Partial<ProgramQuestion> = {}) =>
  askProgram(['sh', '-c', script, 'sh', 'an argument; $(false)'], { ...question, ...more });

test('text goes in and comes out, arguments are words and the environment is what is given', async () => {
  const answer = await ask('read -r line; echo "$line|$1|$SAID|$HOME|$(pwd)"; echo told >&2');
  expect(answer).toEqual({ ended: 'done', stdout: 'question|an argument; $(false)|so||/\n', stderr: 'told\n' });
});

test.each<[string, string, Partial<ProgramQuestion>, object]>([
  ['fails', 'echo why >&2; exit 3', {}, { ended: 'failed', reason: 'it ended with exit code 3', stderr: 'why\n' }],
  ['is killed', 'kill -SEGV $$', {}, { ended: 'killed', reason: 'it was killed: SIGSEGV' }],
  ['takes too long', 'exec sleep 60', { timeoutMs: 50 }, { ended: 'timeout', reason: 'it did not end within 0.05 s' }],
  [
    'takes too long and does not heed being told to end',
    "trap '' TERM; sleep 60; sleep 60",
    { timeoutMs: 50 },
    { ended: 'timeout' },
  ],
  ['says too much', 'exec yes', {}, { ended: 'overflow', reason: 'it printed more than 1000 bytes' }],
  ['does not read', 'echo answer', { input: 'x'.repeat(1 << 20) }, { ended: 'done', stdout: 'answer\n' }],
  [
    'leaves something behind that holds its output',
    'sleep 60 & echo answer',
    {},
    { ended: 'done', stdout: 'answer\n' },
  ],
])('one that %s', async (_, script, more, expected) => {
  expect(await ask(script, more)).toMatchObject(expected);
});

test.each([
  ['there is not', ['/nowhere/program'], 'there is no such program, or none that its first line names'],
  ['is no program', ['/etc/passwd'], 'it is no program that may be run'],
  ['has a name with a zero byte', ['a\0b'], /null bytes/],
  ['has no name', [''], expect.any(String)],
])('one that %s is never running', async (_, command, reason) => {
  const answer = await askProgram(command, question);
  const said = reason instanceof RegExp ? expect.stringMatching(reason) : reason;
  expect(answer).toEqual({ ended: 'unstarted', reason: said });
});

test('of what it says about an error the end is kept', async () => {
  const answer = await ask('yes begin | head -c 100000 >&2; echo end >&2; exit 1');
  expect(answer).toMatchObject({ ended: 'failed', stderr: expect.stringMatching(/^[begin\n]+end\n$/) });
  expect('stderr' in answer && answer.stderr.length).toBe(16 * 1024);
});

test('it ends with all that it started when it is told to stop', async () => {
  const stop = new AbortController();
  const answer = ask('sleep 61.25 & echo $! >&2; wait', { signal: stop.signal });
  setTimeout(() => stop.abort(), 200);
  const { ended, stderr = '' } = (await answer) as { ended: string; stderr?: string };
  expect(ended).toBe('stopped');
  expect(isRunning(Number(stderr))).toBe(false);
  expect(await ask('echo', { signal: stop.signal })).toMatchObject({ ended: 'unstarted' });
});

/** One that has ended may be there until somebody has asked how it ended. */
function isRunning(pid: number): boolean {
  try {
    return !/^State:\s+Z/m.test(readFileSync(`/proc/${pid}/status`, 'utf8'));
  } catch {
    return false;
  }
}
