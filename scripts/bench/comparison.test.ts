import { describe, expect, it } from 'vitest';
import type { Benchmark, Limit, Measurement } from './benchmark.ts';
import { compare } from './comparison.ts';
import { comparisonTable } from './comparison-table.ts';

const measured = (seconds: readonly number[], mebibytes: number): readonly Measurement[] =>
  seconds.map((one) => ({ seconds: one, bytes: mebibytes * 2 ** 20 }));

function comparisonsFor(limit: Limit | undefined) {
  const benchmark: Benchmark = {
    name: 'example',
    title: 'Example',
    rounds: 3,
    warmUps: 0,
    method: 'how',
    limits: limit === undefined ? {} : { time: limit },
    run: async () => ({ seconds: 0, bytes: 0 }),
  };
  const measurements = { kubeadm: measured([2, 1, 30], 40), groundplane: measured([2.4, 2.2, 2.6], 60) };
  return compare({ benchmark, measurements });
}

it('compares medians, time and memory', () => {
  const [time, memory] = comparisonsFor(undefined);
  expect(time).toMatchObject({ quantity: 'time', kubeadm: { median: 2, minimum: 1, maximum: 30 }, ratio: 1.2 });
  expect(memory).toMatchObject({ quantity: 'memory', groundplane: { median: 60 * 2 ** 20 }, ratio: 1.5 });
  expect(time).not.toHaveProperty('reached');
});

describe('a limit', () => {
  it.each([
    { name: 'ratio, reached exactly', limit: { ratioAtMost: 1.2 }, reached: true },
    { name: 'ratio, missed', limit: { ratioAtMost: 1.19 }, reached: false },
    { name: 'of our own time, reached', limit: { secondsBelow: 2.5 }, reached: true },
    { name: 'of our own time, not below it', limit: { secondsBelow: 2.4 }, reached: false },
  ])('$name', ({ limit, reached }) => {
    expect(comparisonsFor(limit)[0]?.reached).toBe(reached);
  });
});

it('shows a table', () => {
  expect(comparisonTable(comparisonsFor({ ratioAtMost: 1.1 }))).toBe(
    [
      'benchmark  quantity  rounds  kubeadm                 groundplane            ratio  to reach      reached',
      'Example    time      3       2.000 s (1.000–30.000)  2.400 s (2.200–2.600)  1.20   ratio ≤ 1.10  no',
      'Example    memory    3       40.0 MiB (40.0–40.0)    60.0 MiB (60.0–60.0)   1.50   –             –',
      '',
    ].join('\n'),
  );
});
