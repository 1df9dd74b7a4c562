import { expect, it } from 'vitest';
import { type Benchmark, runBenchmark, type Side } from './benchmark.ts';

it('runs both sides by turns, every second round in the other order, and leaves warm-ups out', async () => {
  const runs: Side[] = [];
  const benchmark: Benchmark = {
    name: 'example',
    title: 'Example',
    rounds: 3,
    warmUps: 1,
    method: '',
    limits: {},
    run: async (side) => ({ seconds: runs.push(side), bytes: 1 }),
  };
  const lines: string[] = [];
  const { measurements } = await runBenchmark(benchmark, {
    progress: (line) => lines.push(line),
    signal: new AbortController().signal,
  });

  const [k, g]: Side[] = ['kubeadm', 'groundplane'];
  expect(runs).toEqual([g, k, k, g, g, k, k, g]);
  expect(measurements.kubeadm.map(({ seconds }) => seconds)).toEqual([3, 6, 7]);
  expect(measurements.groundplane.map(({ seconds }) => seconds)).toEqual([4, 5, 8]);
  expect(lines.at(0)).toBe('Example: warm-up: groundplane 1.000 s');
  expect(lines.at(-1)).toBe('Example: round 3 of 3: groundplane 8.000 s');
});

it('ends before the next run when it is to stop, and when a side fails', async () => {
  const controller = new AbortController();
  const runs: Side[] = [];
  const run = async (side: Side) => {
    runs.push(side);
    if (side === 'groundplane') controller.abort(new Error('stopped'));
    return { seconds: 1, bytes: 1 };
  };
  const benchmark: Benchmark = { name: 'x', title: 'X', rounds: 9, warmUps: 0, method: '', limits: {}, run };
  const options = { progress: () => {}, signal: controller.signal };
  await expect(runBenchmark(benchmark, options)).rejects.toThrow('stopped');
  expect(runs).toEqual(['kubeadm', 'groundplane']);

  let released = 0;
  const release = async () => void released++;
  const failing = { ...benchmark, run: () => Promise.reject(new Error('no cluster')), release };
  await expect(runBenchmark(failing, { ...options, signal: new AbortController().signal })).rejects.toThrow(
    'no cluster',
  );
  expect(released).toBe(2);
});
