import { spawnSync } from 'node:child_process';
import { expect, test } from 'vitest';
import { lateLines, stallsOf, tickTimes } from './timed-lines.ts';

const start = Date.parse('2026-01-01T00:00:00Z');
const line = (happened: number, out: number) => ({
  at: start + out,
  event: { type: 'progress', time: new Date(start + happened).toISOString() },
});

test('a line is late, or before its time, by what nobody but it has taken', () => {
  const lines = [line(0, 90), line(0, 150), line(0, 400), line(500, 400)];
  expect(lateLines(lines, 100)).toEqual([
    'progress after 150.0 ms',
    'progress after 400.0 ms',
    'progress after -100.0 ms',
  ]);
  const stalls = [[start - 100, start + 60] as const, [start + 600, start + 900] as const];
  expect(lateLines(lines, 100, stalls)).toEqual(['progress after 340.0 ms', 'progress after -100.0 ms']);
});

test('stalls are where times are far apart', () => {
  expect(stallsOf('1.000000\n1.060000\n1.400000\n1.450000\n')).toEqual([[1060, 1400]]);
  const { stdout } = spawnSync('timeout', ['0.5', 'bash', '-c', tickTimes], { encoding: 'utf8' });
  const times = stdout.trim().split('\n').map(Number);
  expect(times.length).toBeGreaterThan(1);
  expect(times).toEqual(times.toSorted());
});
