import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { appsTypes } from '../src/apps-types.ts';
import { coreTypes } from '../src/core-types.ts';
import { kubeletTypes } from '../src/kubelet-types.ts';
import { metaTypes } from '../src/meta-types.ts';
import { type Answer, type Cases, expectAnswer, type PatchCase } from './go-answers.ts';
import { Chance, randomJsonPatch, randomPodPatch } from './random-patches.ts';

const program = fileURLToPath(new URL('../testdata/go-patches', import.meta.url));
const folder = mkdtempSync(join(tmpdir(), 'groundplane-patches-'));
const binary = join(folder, 'go-patches');
afterAll(() => rmSync(folder, { recursive: true }));

const run = (args: readonly string[], cwd: string) =>
  execFileSync(binary, args, { cwd, encoding: 'utf8', maxBuffer: 2 ** 28 });

beforeAll(() => void execFileSync('go', ['build', '-o', binary, '.'], { cwd: program, stdio: 'pipe' }), 600_000);

describe('the tables of fields are those of the Go types', () => {
  test.each(Object.entries({ core: coreTypes, apps: appsTypes, meta: metaTypes, kubelet: kubeletTypes }))(
    '%s',
    (group, table) => {
      expect(table).toBe(`\n${run(['types', group], program)}`);
    },
  );
});

test('the answers in the repository are those of the libraries', () => {
  const answers = readFileSync(join(program, 'answers.json'), 'utf8');
  expect(run(['apply'], program)).toBe(answers);
});

test('patches made at random do the same', () => {
  const { documents } = JSON.parse(readFileSync(join(program, 'cases.json'), 'utf8')) as Cases;
  const chance = new Chance(20261130);
  const cases = Array.from({ length: 2000 }, (_, index): PatchCase => {
    const type = chance.pick(['strategic', 'strategic', 'strategic', 'merge', 'json'] as const);
    const patch = () => JSON.stringify(type === 'json' ? randomJsonPatch(chance) : randomPodPatch(chance));
    return { name: String(index), document: 'pod', type, patches: [patch(), ...chance.list(2, patch)] };
  });
  writeFileSync(join(folder, 'cases.json'), JSON.stringify({ documents, cases }));
  const answers = JSON.parse(run(['apply'], folder)) as Readonly<Record<string, Answer>>;
  const applied = Object.values(answers).filter(({ patched }) => patched !== undefined);
  expect(applied.length).toBeGreaterThan(cases.length / 3);
  for (const row of cases) expectAnswer(row, answers[row.name] ?? {}, documents);
});
