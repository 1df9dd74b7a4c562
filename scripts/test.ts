/**
 * Runs the tests area by area, shows each area's own output, and ends with one plain line `N passed, N failed`.
 * A check that is no test runner (formatting, types, the import matrix) counts as one test.
 */
import { spawn } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs, stripVTControlCharacters } from 'node:util';

const root = fileURLToPath(new URL('..', import.meta.url));

interface Counts {
  readonly passed: number;
  readonly failed: number;
  /** Tests that were there and were not run. */
  readonly skipped?: number;
}

type Area = 'static' | 'unit' | 'cases' | 'peer' | 'machines';

interface Step {
  readonly area: Area;
  readonly name: string;
  readonly command: readonly string[];
  /** A vitest configuration: its JSON report is counted. Otherwise the exit code is one test. */
  readonly vitest?: string;
  /** How vitest shows its progress, if not by files. */
  readonly reporter?: 'verbose';
}

const node = (path: string, ...args: string[]) => [
  process.execPath,
  '--disable-warning=ExperimentalWarning',
  join(root, path),
  ...args,
];

const steps: readonly Step[] = [
  {
    area: 'static',
    name: 'formatting and lint',
    command: ['biome', 'check', '--diagnostic-level=warn', '--error-on-warnings', '.'],
  },
  { area: 'static', name: 'import matrix', command: node('scripts/import-matrix.ts') },
  { area: 'static', name: 'docs/contract.md', command: node('scripts/contract.ts', '--check') },
  { area: 'static', name: 'types', command: ['turbo', 'run', 'typecheck', '--output-logs=errors-only'] },
  { area: 'static', name: 'types of scripts and tests', command: ['tsc', '-p', 'tsconfig.json'] },
  { area: 'unit', name: 'unit tests', command: ['vitest', 'run'], vitest: 'vitest.config.ts' },
  {
    area: 'cases',
    name: 'measured cases of kubeadm',
    command: ['vitest', 'run'],
    vitest: 'vitest.cases.config.ts',
    reporter: 'verbose',
  },
  {
    area: 'peer',
    name: 'tests against real peers on this host',
    command: ['vitest', 'run'],
    vitest: 'vitest.peer.config.ts',
  },
  { area: 'machines', name: 'tests on machines', command: ['vitest', 'run'], vitest: 'vitest.machines.config.ts' },
];

const { values } = parseArgs({
  options: {
    full: { type: 'boolean', default: false },
    only: { type: 'string' },
  },
});
const areas = [...new Set(steps.map((step) => step.area))];
if (values.only !== undefined && !areas.includes(values.only as Area)) {
  process.stderr.write(`test: there is no area '${values.only}'; there are ${areas.join(', ')}\n`);
  process.exit(2);
}

const selected = steps.filter((step) => values.only === undefined || step.area === values.only);
const needsComponents = selected.some(({ area }) => area === 'machines' || area === 'peer');
const needsArchive = needsComponents || selected.some(({ area }) => area === 'cases');
let passed = 0;
let failed = 0;
const failures: string[] = [];
const count = (counts: Counts) => {
  passed += counts.passed;
  failed += counts.failed;
};

const env: NodeJS.ProcessEnv = { ...process.env, ...(values.full ? { GROUNDPLANE_TEST_FULL: '1' } : {}) };
if (needsArchive) {
  const prepared = await prepare();
  if (prepared === undefined) count({ passed: 0, failed: 1 });
  else Object.assign(env, prepared);
}
for (const step of selected) {
  const start = Date.now();
  process.stdout.write(`\n== ${step.name}\n`);
  const counts = step.vitest === undefined ? await checkStep(step) : await vitestStep(step, step.vitest);
  process.stdout.write(
    `== ${step.name}: ${counts.passed} passed, ${counts.failed} failed, ${skippedText(counts)}${Math.round((Date.now() - start) / 1000)} s\n`,
  );
  count(counts);
}
if (failures.length > 0) process.stdout.write(`\n== what failed\n${failures.join('\n')}\n`);
process.stdout.write(`\n${passed} passed, ${failed} failed\n`);
process.exitCode = failed === 0 ? 0 : 1;

/** Nothing where nothing was skipped, so that it is seen where something was. */
function skippedText({ skipped = 0 }: Counts): string {
  return skipped === 0 ? '' : `${skipped} skipped, `;
}

/** The archive, and the components where peers or machines are tested; their places go into the environment. */
async function prepare(): Promise<NodeJS.ProcessEnv | undefined> {
  const { allowInotifyInstances, componentPath, ensureComponents, ensureHostPrograms } = await import(
    '@groundplane/testbed'
  );
  process.stdout.write(needsComponents ? '\n== components, archive\n' : '\n== archive\n');
  await ensureHostPrograms(needsComponents ? ['components', 'images', 'machines', 'tests'] : ['tests']);
  const machines = selected.some(({ area }) => area === 'machines');
  const raised = machines ? allowInotifyInstances(12) : undefined;
  if (raised !== undefined) process.stdout.write(`${raised}\n`);
  const optional = machines ? ['e2e_kubeadm.test'] : [];
  const built = needsComponents ? await ensureComponents({ optional }) : undefined;
  // Tests have no time to build what only they need.
  const groups = ['cfssl', 'step-ca', ...(machines ? ['cluster-api'] : [])];
  const ofTests = needsComponents ? await ensureComponents({ groups }) : new Map<string, string>();
  if ((await run(node('scripts/pack.ts'))) !== 0) return undefined;
  return {
    GROUNDPLANE_ARCHIVE: join(root, 'dist/groundplane-linux-x64.tar.gz'),
    ...(built !== undefined && {
      GROUNDPLANE_KUBEADM: componentPath('kubeadm'),
      GROUNDPLANE_COMPONENTS: linkedComponents([...built.values(), ...ofTests.values()]),
    }),
  };
}

/** One folder with a link to every component, as tests look for them; removed when this process ends. */
function linkedComponents(folders: readonly string[]): string {
  const links = mkdtempSync(join(tmpdir(), 'groundplane-components-'));
  process.on('exit', () => rmSync(links, { recursive: true, force: true }));
  for (const folder of folders)
    for (const name of readdirSync(folder)) symlinkSync(join(folder, name), join(links, name));
  return links;
}

async function checkStep(step: Step): Promise<Counts> {
  if ((await run(step.command)) === 0) return { passed: 1, failed: 0 };
  failures.push(`- ${step.name}`);
  return { passed: 0, failed: 1 };
}

/** What is read of vitest's JSON report, whose form is that of Jest. */
interface Report {
  readonly numPassedTests: number;
  readonly numFailedTests: number;
  readonly numPendingTests: number;
  readonly numTodoTests: number;
  readonly numFailedTestSuites: number;
  readonly testResults: readonly {
    readonly name: string;
    readonly status: string;
    readonly message: string;
    readonly assertionResults: readonly {
      readonly status: string;
      readonly fullName: string;
      readonly failureMessages: readonly string[];
    }[];
  }[];
}

/** Each failure with its file and the start of its message, as an output of hours has scrolled away by its end. */
function failuresOf({ testResults }: Report): readonly string[] {
  return testResults.flatMap(({ name, status, message, assertionResults }) => {
    const file = relative(root, name);
    const tests = assertionResults.filter((test) => test.status === 'failed');
    if (tests.length === 0) return status === 'failed' ? [failureText(file, message)] : [];
    return tests.map((test) => failureText(`${file} > ${test.fullName}`, test.failureMessages.join('\n')));
  });
}

function failureText(title: string, message: string): string {
  const ofTests = (line: string) => !/^\s+at (?:new Promise|.*node_modules|.*node:internal)/.test(line);
  const lines = stripVTControlCharacters(message).split('\n').filter(ofTests).slice(0, 12);
  return [`- ${title}`, ...lines.map((line) => `    ${line.slice(0, 300)}`)].join('\n');
}

async function vitestStep(step: Step, config: string): Promise<Counts> {
  const directory = mkdtempSync(join(tmpdir(), 'groundplane-test-'));
  const report = join(directory, 'report.json');
  try {
    const code = await run([
      ...step.command,
      '--config',
      config,
      `--reporter=${step.reporter ?? 'default'}`,
      '--reporter=json',
      `--outputFile.json=${report}`,
    ]);
    const result: Report = JSON.parse(readFileSync(report, 'utf8'));
    failures.push(...failuresOf(result));
    const broken = result.numFailedTests === 0 && code !== 0 ? Math.max(1, result.numFailedTestSuites) : 0;
    // A run that executes nothing has proved nothing.
    const empty = result.numPassedTests + result.numFailedTests === 0 ? 1 : 0;
    const skipped = result.numPendingTests + result.numTodoTests;
    return { passed: result.numPassedTests, failed: result.numFailedTests + Math.max(broken, empty), skipped };
  } catch (error) {
    failures.push(failureText(step.name, `no report: ${error}`));
    return { passed: 0, failed: 1 };
  } finally {
    rmSync(directory, { recursive: true, force: true });
  }
}

function run(command: readonly string[]): Promise<number> {
  const [program = '', ...args] = command;
  return new Promise((resolve) => {
    const child = spawn(program, args, { cwd: root, stdio: 'inherit', env });
    child.on('error', (error) => {
      process.stderr.write(`test: cannot run ${program}: ${error.message}\n`);
      resolve(1);
    });
    child.on('exit', (code) => resolve(code ?? 1));
  });
}
