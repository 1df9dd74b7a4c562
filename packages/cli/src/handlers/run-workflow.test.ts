import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { acquireLock } from '@groundplane/host';
import { contract, defineWorkflow } from '@groundplane/phases';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { kubeadmTable } from '../../test/argument-table.ts';
import type { Invocation } from '../invocation.ts';
import type { WorkflowRun } from '../workflows/workflow-run.ts';
import { runWorkflowCommand } from './run-workflow.ts';

interface TinyContext {
  readonly agreed: boolean;
}

const ran: string[] = [];
beforeEach(() => void ran.splice(0));

const phase = (name: string) =>
  contract<TinyContext>().defineEffect({
    name,
    summary: name,
    uses: [],
    everyTime: () => true,
    verify: () => [],
    run: async ({ config, result }) => {
      ran.push(`${name} ${config.agreed ? 'agreed' : 'not agreed'}`);
      result('made', name);
    },
  });

/** A phase whose work is done already. */
const done = contract<TinyContext>().defineEffect({
  name: 'done',
  summary: 'done',
  uses: [],
  verify: () => [],
  run: async () => {},
});

const workflow = defineWorkflow<TinyContext>({
  name: 'tiny',
  summary: 'Tiny',
  layout: () => ({ kubernetes: '/k', pki: '/p', kubelet: '/l', etcdData: '/e', nodeName: 'node-a' }),
  phases: [phase('ask'), phase('certs/ca'), phase('certs/leaf'), done],
});

interface RunOptions {
  readonly skip?: readonly string[];
  readonly dryRun?: boolean;
  /** Asked each time for the phases to skip, in place of `skip`. */
  readonly askSkip?: () => readonly string[];
}

const runOf = ({ skip = [], dryRun = false, askSkip = () => skip }: RunOptions): WorkflowRun<TinyContext> => ({
  workflow,
  resolve: async () => ({ context: { agreed: false }, skipPhases: askSkip(), dryRun, warnings: [] }),
  criSocket: () => '',
  nodeName: () => 'node-a',
  settings: () => undefined,
  confirmation: {
    warning: 'It changes much.',
    question: '[tiny] Sure?',
    phase: 'ask',
    isNeeded: ({ agreed }) => !agreed,
    given: () => ({ agreed: true }),
  },
  keptProducts: (_, name) => [{ phase: name, name: 'certificateKey', value: 'abab', secret: true }],
  closing: ({ phase: only, result }) => [`closing ${only ?? 'all'} ${result.results.length}`],
  missing: { reason: 'it is not here', hint: 'Take another' },
});

interface CallOptions extends RunOptions {
  readonly answer?: string;
  readonly stderr?: (text: string) => void;
  readonly signal?: AbortSignal;
  readonly format?: string;
}

async function call(words: string, { answer = '', stderr, signal, format, ...run }: CallOptions = {}) {
  const written = { stdout: '', stderr: '' };
  const invocation: Invocation = {
    program: 'kubeadm',
    release: { pjson: {}, manifest: { version: '0' } } as unknown as Invocation['release'],
    path: words.split(' '),
    flags: format === undefined ? {} : { output: format },
    words: [],
    output: {
      stdout: (text) => {
        written.stdout += text;
      },
      stderr: (text) => {
        written.stderr += text;
        stderr?.(text);
      },
      columns: undefined,
    },
    input: async function* () {
      yield answer;
    },
    table: kubeadmTable,
    signal: signal ?? new AbortController().signal,
  };
  const error = await runWorkflowCommand(invocation, runOf(run)).then(
    () => undefined,
    (thrown: Error) => thrown,
  );
  return { ...written, error };
}

const state = mkdtempSync(join(tmpdir(), 'groundplane-run-'));
beforeAll(() => {
  process.env.GROUNDPLANE_STATE_DIR = state;
});
afterAll(() => {
  delete process.env.GROUNDPLANE_STATE_DIR;
  rmSync(state, { recursive: true });
});

describe('the question', () => {
  it('comes before any phase, which then knows the answer', async () => {
    const { stdout, stderr, error } = await call('tiny', { answer: 'y\n' });
    expect(error).toBeUndefined();
    expect(stderr).toBe('[tiny] WARNING: It changes much.\n');
    expect(stdout).toMatch(/^\[tiny\] Sure\? \[y\/N\]: /);
    expect(stdout).toMatch(/\nclosing all 4\n$/);
    expect(ran).toEqual(['ask agreed', 'certs/ca agreed', 'certs/leaf agreed']);
  });

  it.each([
    ['the whole', 'tiny'],
    ['its phase alone', 'tiny phase ask'],
  ])('ends %s without a yes before anything runs', async (_, words) => {
    const { error } = await call(words, { answer: 'n\n' });
    expect(error?.message).toContain("won't proceed");
    expect(ran).toEqual([]);
  });

  it.each<[string, string, RunOptions]>([
    ['another phase', 'tiny phase certs ca', {}],
    ['all but its phase', 'tiny', { skip: ['Ask'] }],
    ['a dry run', 'tiny', { dryRun: true }],
  ])('is not asked for %s', async (_, words, options) => {
    const { stdout, error } = await call(words, options);
    expect(error).toBeUndefined();
    expect(stdout).not.toContain('Sure?');
    expect(ran.some((line) => line.startsWith('ask'))).toBe(false);
  });

  it('leaves standard output to the document', async () => {
    const { stdout, stderr } = await call('tiny', { answer: 'y', format: 'json' });
    expect(JSON.parse(stdout)).toMatchObject({
      workflow: 'tiny',
      results: [{ name: 'made' }, {}, {}, { name: 'certificateKey' }],
    });
    expect(stderr).toContain('[tiny] Sure? [y/N]: ');
  });
});

describe('phases', () => {
  it.each([
    ['tiny phase certs leaf', ['certs/leaf not agreed']],
    ['tiny phase certs all', ['certs/ca not agreed', 'certs/leaf not agreed']],
  ])('%s', async (words, lines) => {
    const { stdout } = await call(words);
    expect(ran).toEqual(lines);
    expect(stdout).toContain(`closing ${words.split(' ').slice(2).join('/')} ${lines.length}`);
  });

  it.each(['tiny phase frob', 'tiny phase certs frob', 'tiny phase frob all'])('%s is not there', async (words) => {
    const { error } = await call(words);
    expect(error).toMatchObject({
      code: 'CLI_PHASE_MISSING',
      message: `Cannot run ${words} as it is not here`,
      hint: 'Take another',
    });
  });
});

it('hands back the product of a phase that is done already', async () => {
  const { stdout } = await call('tiny phase done');
  expect(stdout).toContain('[upload-certs] Using certificate key:\nabab\n');
  const { results } = JSON.parse((await call('tiny phase done', { format: 'json' })).stdout);
  expect(results).toEqual([{ phase: 'done', name: 'certificateKey', value: 'abab', secret: true }]);
});

it('waits for a command that holds the lock, and says which one it is', async () => {
  const lock = await acquireLock(join(state, 'lock'), { who: 'kubeadm join' });
  const controller = new AbortController();
  const told: string[] = [];
  const { error } = await call('tiny phase certs ca', {
    signal: controller.signal,
    stderr: (text) => {
      told.push(text);
      controller.abort(new Error('stopped'));
    },
  });
  expect(told.join('')).toMatch(/^Waiting for another command on this node: kubeadm join \(process \d+\)\n$/);
  expect(error).toMatchObject({ code: 'CLI_STOPPED', message: expect.stringContaining('nothing was changed') });
  expect(ran).toEqual([]);
  await lock.release();
});

it('goes by what is there when its turn comes, not by what was there before', async () => {
  const lock = await acquireLock(join(state, 'lock'), { who: 'kubeadm init' });
  let isOver = false;
  const { error } = await call('tiny phase certs ca', {
    askSkip: () => (isOver ? ['certs/ca'] : []),
    stderr: () => {
      isOver = true;
      void lock.release();
    },
  });
  expect(error).toBeUndefined();
  expect(ran).toEqual([]);
});
