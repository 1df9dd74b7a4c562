/** Every step of every measured case: what the real kubeadm does with the same input is what we do, or docs/differences.md says why not. */
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { isDeepStrictEqual } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { mustRun } from '../run-program.ts';
import { type CaseStep, measuredCases } from './case-step.ts';
import { deviations, expectationOf } from './deviations.ts';
import { readFact } from './facts.ts';
import { runStep, type StepResult } from './run-step.ts';

const root = fileURLToPath(new URL('../..', import.meta.url));
const folder = join(root, 'test/cases');
const cases = measuredCases(folder);

let unpacked: string;
/** What is tested: the program of the archive, under the name that speaks kubeadm's texts. */
let tool: string;

beforeAll(async () => {
  unpacked = mkdtempSync(join(tmpdir(), 'groundplane-cases-'));
  await mustRun('tar', ['-xzf', environment('GROUNDPLANE_ARCHIVE'), '-C', unpacked], { cwd: root });
  tool = join(unpacked, 'groundplane/bin/kubeadm');
  // Modes of inputs are not to depend on the umask that the repository was cloned with.
  const copy = 'umask 022 && cp -R --no-preserve=mode "$0" "$1"';
  await mustRun('sh', ['-c', copy, folder, join(unpacked, 'cases')], { cwd: root });
});
afterAll(() => rmSync(unpacked, { recursive: true, force: true }));

describe.each(cases)('$name', (one) => {
  for (const step of one.steps)
    it(`step ${step.step}: ${step.run}`, async () => {
      const options = { caseFolder: join(unpacked, 'cases', one.name), sandbox: join(folder, 'sandbox.sh'), tool };
      const faults = await runStep(step, options, (result) => faultsOf(result, expectationOf(one.name, step)));
      expect(faults, faults.join('\n')).toEqual([]);
    });
});

describe('the deviations', () => {
  const documented = new Set(
    readFileSync(join(root, 'docs/differences.md'), 'utf8')
      .split('\n')
      .filter((line) => line.startsWith('|'))
      .map((line) => line.split('|')[1]?.trim()),
  );
  const rows = deviations.flatMap((deviation) => deviation.steps.map((number) => ({ ...deviation, number })));

  it.each(rows)('$case, step $number, is a row of docs/differences.md: $row', ({ row }) => {
    expect(documented).toContain(row);
  });

  it.each(rows)('$case, step $number, expects something else than kubeadm does', (deviation) => {
    const { case: name, number, expected } = deviation;
    const step = cases.find((one) => one.name === name)?.steps.find((one) => one.step === number);
    expect(step, 'the step').toBeDefined();
    expect(differs(expected, step)).toBe(true);
  });

  it('has one row per step', () => {
    const keys = rows.map(({ case: name, number }) => `${name} ${number}`);
    expect(keys).toEqual([...new Set(keys)]);
  });
});

/** Whether no result can meet both: another exit code, a text that must and must not be there, another value of a fact. */
function differs(expected: Partial<CaseStep>, step: CaseStep | undefined): boolean {
  if (expected.exit !== undefined && expected.exit !== step?.exit) return true;
  if (expected.outputLacks?.some((lacked) => step?.outputMentions?.some((text) => text.includes(lacked)))) return true;
  if (expected.outputMentions?.some((text) => step?.outputLacks?.some((lacked) => text.includes(lacked)))) return true;
  const measured = step?.facts ?? {};
  return Object.entries(expected.facts ?? {}).some(
    ([label, want]) => label in measured && !isDeepStrictEqual(want, measured[label]),
  );
}

/** What is not as expected, with what was said, so that a failure can be read without running it again. */
function faultsOf(result: StepResult, step: CaseStep): readonly string[] {
  const said = `${result.stderr}${result.stdout}`;
  const faults = [
    ...(result.exit === step.exit ? [] : [`exit code ${result.exit}, not ${step.exit}`]),
    ...(step.outputMentions ?? []).filter((text) => !said.includes(text)).map((text) => `the output lacks '${text}'`),
    ...(step.outputLacks ?? []).filter((text) => said.includes(text)).map((text) => `the output has '${text}'`),
    ...Object.entries(step.facts ?? {}).flatMap(([label, want]) => {
      const got = plain(readOrFault(label, want, result));
      return isDeepStrictEqual(got, want) ? [] : `${label} is ${JSON.stringify(got)}, not ${JSON.stringify(want)}`;
    }),
  ];
  return faults.length === 0 ? [] : [...faults, `It said: ${said.trim().slice(-1500)}`];
}

function readOrFault(label: string, want: unknown, result: StepResult): unknown {
  try {
    return readFact(label, want, result);
  } catch (thrown) {
    return `unreadable: ${thrown instanceof Error ? thrown.message : thrown}`;
  }
}

/** As JSON has it, which is how expectations are written down. */
function plain(value: unknown): unknown {
  return value === undefined ? null : JSON.parse(JSON.stringify(value));
}

function environment(name: string): string {
  const value = process.env[name];
  if (value === undefined) throw new Error(`${name} is not set; run ./dev test --only cases`);
  return value;
}
