/**
 * `./dev bench`: the real kubeadm and ours by turns, in one run on one host, as ratios of medians.
 * Exit code 1 if a run fails, or with --check if something that is to be reached is not.
 */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { availableParallelism, cpus, loadavg, tmpdir, totalmem } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { archivePath, listMachines } from '@groundplane/testbed';
import { runBenchmark } from './bench/benchmark.ts';
import { type BenchmarkContext, type BenchmarkRow, benchmarkTable } from './bench/benchmark-table.ts';
import { type Comparison, compare } from './bench/comparison.ts';
import { comparisonTable } from './bench/comparison-table.ts';
import { isBenchmarkMachine } from './bench/machine-run.ts';
import { ensurePrograms } from './bench/programs.ts';

const usage = `Usage: ./dev bench [NAME…] [--rounds N] [--check] [--json FILE]

Names: ${benchmarkTable.map(({ name }) => name).join(', ')}. Default: all.
  --rounds N   measured runs of each side, in place of each benchmark's own number
  --check      exit code 1 if something that is to be reached is not
  --json FILE  write the results as JSON as well
`;

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    rounds: { type: 'string' },
    check: { type: 'boolean', default: false },
    json: { type: 'string' },
    help: { type: 'boolean', short: 'h', default: false },
  },
});

const stop = new AbortController();
const report = (line: string) => process.stderr.write(`${line}\n`);

async function main(): Promise<number> {
  if (values.help) {
    process.stdout.write(usage);
    return 0;
  }
  const unknown = positionals.filter((name) => !benchmarkTable.some((row) => row.name === name));
  const rounds = values.rounds === undefined ? undefined : Number(values.rounds);
  if (unknown.length > 0 || (rounds !== undefined && !(Number.isInteger(rounds) && rounds > 0))) {
    process.stderr.write(
      `bench: ${unknown.length > 0 ? `there is no ${unknown.join(', ')}` : 'rounds must be a number'}\n${usage}`,
    );
    return 2;
  }
  if (process.getuid?.() !== 0) throw new Error('cannot measure: mounts and machines need root; run it with sudo');

  const scratch = mkdtempSync(join(tmpdir(), 'groundplane-bench-'));
  try {
    const context = { programs: await ensurePrograms(scratch, archivePath(), report), scratch };
    const rows = benchmarkTable.filter(({ name }) => positionals.length === 0 || positionals.includes(name));
    const host = { processor: cpus()[0]?.model ?? 'unknown', cores: availableParallelism(), bytes: totalmem() };
    const otherMachines = listMachines()
      .map(({ name }) => name)
      .filter((name) => !isBenchmarkMachine(name));
    const loadBefore = loadavg()[0] ?? 0;
    const comparisons = await runAll(rows, context, rounds);
    const load = { before: loadBefore, after: loadavg()[0] ?? 0 };
    const { versions } = context.programs;

    const memory = `${(host.bytes / 2 ** 30).toFixed(0)} GiB`;
    const loads = `load average ${load.before.toFixed(1)} before, ${load.after.toFixed(1)} after`;
    process.stdout.write(`\n${versions.groundplane}, beside kubeadm ${versions.kubeadm}\n`);
    process.stdout.write(`${host.processor}, ${host.cores} cores, ${memory}; ${loads}\n`);
    if (otherMachines.length > 0) {
      process.stdout.write(`Machines that ran beside, and took their share: ${otherMachines.join(', ')}\n`);
    }
    process.stdout.write(`Medians (least–most); the ratio is ours to kubeadm's.\n\n${comparisonTable(comparisons)}\n`);
    for (const [title, method] of new Map(comparisons.map(({ title, method }) => [title, method]))) {
      process.stdout.write(`${title}: ${method}\n`);
    }
    if (values.json !== undefined) {
      writeFileSync(
        values.json,
        `${JSON.stringify({ versions, host, load, otherMachines, comparisons }, undefined, 2)}\n`,
      );
    }
    return values.check && comparisons.some(({ reached }) => reached === false) ? 1 : 0;
  } finally {
    rmSync(scratch, { recursive: true, force: true });
  }
}

async function runAll(
  rows: readonly BenchmarkRow[],
  context: BenchmarkContext,
  rounds: number | undefined,
): Promise<readonly Comparison[]> {
  const comparisons: Comparison[] = [];
  for (const row of rows) {
    const benchmark = { ...row, rounds: rounds ?? row.rounds, method: row.method(context), run: row.run(context) };
    comparisons.push(...compare(await runBenchmark(benchmark, { progress: report, signal: stop.signal })));
  }
  return comparisons;
}

// From a terminal the command of the current run gets the signal too; what was made for it is removed on the way out.
for (const name of ['SIGINT', 'SIGTERM'] as const) {
  process.on(name, () => stop.abort(new Error(`stopped by ${name}`)));
}

try {
  process.exitCode = await main();
} catch (error) {
  const reason: unknown = stop.signal.aborted ? stop.signal.reason : error;
  report(`bench: ${reason instanceof Error ? reason.message : String(reason)}`);
  process.exitCode = 1;
}
