import { chmodSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, describe, type expect, it } from 'vitest';
import { commandRows } from './bad-input-command-rows.ts';
import { documentRows, fileRows } from './bad-input-configuration-rows.ts';
import { authorityRows, encodedSecrets, kubeconfigRows, leafRows, secrets } from './bad-input-credential-rows.ts';
import { machineRows, patchRows } from './bad-input-machine-rows.ts';
import type { BadInput } from './bad-input-row.ts';
import { joinRows, resetRows, tokenRows } from './bad-input-workflow-rows.ts';
import { inPrivateTrees, type PrivateResult, type PrivateRun, trees } from './private-trees.ts';

const scratch = mkdtempSync(join(tmpdir(), 'groundplane-bad-input-'));
// Others than root have to get at their inputs.
chmodSync(scratch, 0o755);
afterAll(() => rmSync(scratch, { recursive: true, force: true }));

const groups: Readonly<Record<string, readonly BadInput[]>> = {
  'the command line': commandRows,
  'the configuration file': fileRows,
  'the configuration': documentRows,
  'a certificate authority': authorityRows,
  'a certificate': leafRows,
  'a kubeconfig': kubeconfigRows,
  'the machine': machineRows,
  'a patch': patchRows,
  join: joinRows,
  reset: resetRows,
  'a token': tokenRows,
};

/** Seconds. A program of a busy machine may take a while to start; what hangs takes for ever. */
const timeout = 20;

describe.for(Object.entries(groups))('bad input: %s', ([group, rows]) => {
  it.concurrent.for(rows.map((row, index) => [row.name, row, `${group}-${index}`.replaceAll(' ', '-')] as const))(
    '%s',
    async ([, row, name], { expect: expectHere }) => {
      await inTurn(() => refused(row, join(scratch, name), expectHere));
    },
  );
});

async function refused(row: BadInput, folder: string, expectHere: typeof expect): Promise<void> {
  put(row, folder);
  const runs = runsOf(row, folder);
  const copies = trees.map((tree) => `[ ! -d tree${tree} ] || cp -a tree${tree}/. ${tree}/`);
  const prepare = [...copies, row.prepare ?? ''].join('\n');
  const results = await inPrivateTrees({ folder, prepare, runs, timeout, wrapper: row.wrapper ?? [] });
  expectHere(results.length).toBeGreaterThan(1);
  for (const [index, { program, args }] of runs.entries()) {
    const command = `${program} ${args.join(' ')}`;
    checkRefusal(row, { ...results[index], program, command } as Refusal, expectHere);
  }
}

/** Each command under both names; when time matters, two commands under one name each. */
function runsOf({ commands }: BadInput, folder: string): readonly PrivateRun[] {
  const full = process.env.GROUNDPLANE_TEST_FULL === '1' || commands.length === 1;
  return commands.flatMap((command, index) => {
    const args = command.split(' ').map((word) => word.replace('@', folder));
    const both = (['groundplane', 'kubeadm'] as const).map((program): PrivateRun => ({ program, args }));
    return full ? both : both.filter((_, which) => which === index % 2);
  });
}

interface Refusal extends PrivateResult {
  readonly program: PrivateRun['program'];
  readonly command: string;
}

/** What must be in no output: stacks, JavaScript's own words, and anything that nobody wrote for people. */
const forbidden =
  /^\s+at .*:\d+:\d+\)?$|TypeError|RangeError|SyntaxError|undefined|\[object |Maximum call stack|PHASES_INTERNAL|<anonymous>/m;

function checkRefusal(row: BadInput, result: Refusal, expectHere: typeof expect): void {
  const { code, stdout, stderr, hung, changes, program, command } = result;
  const output = stdout + stderr;
  const seen = `${command}\n${output.slice(0, 4_000)}`;
  expectHere(hung, `hangs: ${seen}`).toBe(false);
  expectHere(changes, `writes: ${seen}`).toEqual([]);
  expectHere(code, seen).toBe(program === 'kubeadm' ? 1 : row.code);
  for (const text of row.says) expectHere(output, seen).toMatch(text);
  expectHere(output, seen).toMatch(row.mends);
  expectHere(output, seen).not.toMatch(forbidden);
  expectHere(output.length, seen).toBeLessThan(20_000);
  const leaked = [...secrets, ...encodedSecrets].filter((text) => output.includes(text));
  expectHere(leaked, seen).toEqual([]);
}

/** Writes a row's files: absolute ones below `tree`, from where they are copied into the private trees. */
function put({ files = {} }: BadInput, folder: string): void {
  mkdirSync(folder, { recursive: true });
  for (const [path, file] of Object.entries(files)) {
    const { content, mode } = typeof file === 'object' && 'content' in file ? file : { content: file, mode: 0o644 };
    const target = join(folder, path.startsWith('/') ? `tree${path}` : path);
    mkdirSync(dirname(target), { recursive: true });
    writeFileSync(target, content, { mode });
  }
}

/** Two at a time: as many as there are processors, at least on the machines that this is made for. */
const slots: Promise<unknown>[] = [Promise.resolve(), Promise.resolve()];
let next = 0;
function inTurn(work: () => Promise<void>): Promise<void> {
  const slot = next++ % slots.length;
  const mine = (slots[slot] ?? Promise.resolve()).then(work);
  slots[slot] = mine.catch(() => {});
  return mine;
}
