import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { lineErrors, lineTypes } from '../packages/cli/test/output-validator.ts';
import { type InstalledPrograms, installPrograms } from './installed-programs.ts';
import { caseFolder, onSandboxNode } from './sandbox-node.ts';
import { lateLines, stampLines, timedLines } from './timed-lines.ts';

/** How long after its event a line may come. */
const maximumMs = 100;

let programs: InstalledPrograms;
let folder = '';
beforeAll(async () => {
  programs = await installPrograms();
  folder = mkdtempSync(join(tmpdir(), 'streamed-events-'));
});
afterAll(() => {
  programs?.remove();
  rmSync(folder, { recursive: true, force: true });
});

function root(name: string): string {
  const path = join(folder, name);
  mkdirSync(path);
  return path;
}

const certificates = (rootfs: string) => [
  ...['init', 'phase', 'certs', 'all', '--kubernetes-version=v1.37.2', '--apiserver-advertise-address=192.0.2.10'],
  ...[`--rootfs=${rootfs}`, '-o', 'jsonl'],
];

const environment = () => ({ ...process.env, GROUNDPLANE_STATE_DIR: '/state' });

it('the first event is read before the process has ended', async () => {
  const child = spawn(programs.ours, certificates(root('first')), { env: environment() });
  let output = '';
  let linesWhenHeld = 0;
  child.stdout.on('data', (piece: Buffer) => {
    output += piece;
    if (linesWhenHeld > 0) return;
    linesWhenHeld = output.split('\n').length - 1;
    // Held where it is: whatever has been read by now was written by a process that goes on.
    expect(child.kill('SIGSTOP')).toBe(true);
    setTimeout(() => {
      expect(stateOf(child.pid)).toBe('T');
      expect(output.split('\n').length - 1).toBeLessThan(20);
      child.kill('SIGCONT');
    }, 200);
  });
  const [code] = await once(child, 'close');
  expect(code).toBe(0);
  expect(linesWhenHeld).toBeGreaterThan(0);
  expect(lineErrors(['event'], output)).toEqual([]);
  const types = lineTypes(output);
  expect(types[0]).toBe('run');
  expect(types.at(-1)).toBe('workflow-finished');
  expect(types.length).toBeGreaterThan(30);
});

/** Of the process, as the kernel tells it: `T` is stopped. */
function stateOf(pid: number | undefined): string | undefined {
  return /\) (\w) /.exec(readFileSync(`/proc/${pid}/stat`, 'utf8'))?.[1];
}

// Where the host is busy, who reads or writes may wait for the processor.
it('each line is there within 100 ms of its event, by the clock of its reader', { retry: 2 }, () => {
  const line = [programs.ours, ...certificates(mkdtempSync(join(folder, 'read-')))];
  const { stdout, status } = spawnSync('bash', ['-c', `set -o pipefail; "$@" | ${stampLines}`, 'bash', ...line], {
    encoding: 'utf8',
    env: environment(),
  });
  expect(status).toBe(0);
  const lines = timedLines(stdout);
  expect(lines.length).toBeGreaterThan(30);
  expect(lateLines(lines, maximumMs)).toEqual([]);
});

it('each line about a file is there within 100 ms of the file, by the system calls', { retry: 2 }, () => {
  const rootfs = mkdtempSync(join(folder, 'traced-'));
  const trace = join(folder, 'trace');
  const strace = ['-f', '-ttt', '-s', '4096', '-e', 'trace=write,rename,renameat,renameat2,link,linkat', '-o', trace];
  const { status, stderr } = spawnSync('strace', [...strace, programs.ours, ...certificates(rootfs)], {
    encoding: 'utf8',
    env: environment(),
  });
  expect(status, stderr).toBe(0);
  const calls = finishedCalls(readFileSync(trace, 'utf8'));
  const told = calls.flatMap(({ at, text }) => {
    const written = /^write\(1, "(\{.*\})\\n", /.exec(text)?.[1];
    return written === undefined ? [] : [{ at, event: JSON.parse(JSON.parse(`"${written}"`)) }];
  });
  expect(lateLines(told, maximumMs)).toEqual([]);
  const created = told.filter(({ event }) => event.type === 'artifact' && event.action === 'created');
  expect(created.length).toBeGreaterThan(20);
  const late = created.flatMap(({ at, event }) => {
    const name = String(event.location).split('/').slice(-2).join('/');
    const made = calls.findLast(
      (call) => call.at <= at && /^(rename|link)/.test(call.text) && call.text.includes(`${name}"`),
    );
    const delay = made === undefined ? Number.NaN : at - made.at;
    return delay <= maximumMs ? [] : [`${name} after ${delay} ms`];
  });
  expect(late).toEqual([]);
});

interface Call {
  /** Milliseconds since the epoch. */
  readonly at: number;
  readonly text: string;
}

/** The calls of a trace by the time they were made; one that another thread interrupted is put together. */
function finishedCalls(trace: string): readonly Call[] {
  const open = new Map<string, Call>();
  return trace.split('\n').flatMap((line): readonly Call[] => {
    const match = /^(\d+) +(\d+\.\d+) (.*)$/.exec(line);
    if (match === null) return [];
    const [, thread = '', time = '', text = ''] = match;
    if (text.endsWith('<unfinished ...>')) {
      open.set(thread, { at: Number(time) * 1000, text: text.replace(/ *<unfinished ...>$/, '') });
      return [];
    }
    const begun = text.startsWith('<...') ? open.get(thread) : undefined;
    open.delete(thread);
    return [
      begun === undefined
        ? { at: Number(time) * 1000, text }
        : { ...begun, text: begun.text + text.replace(/^<\.\.\. \w+ resumed>/, '') },
    ];
  });
}

it('tells what it waits for while it waits', { retry: 2 }, () => {
  const phase = (...words: readonly string[]) => [
    ...[programs.ours, 'init', 'phase', ...words],
    `--config=${caseFolder}/config.yaml`,
  ];
  const made = [
    ['certs', 'all'],
    ['kubeconfig', 'all'],
    ['control-plane', 'all'],
    ['etcd', 'local'],
  ];
  const wait = [...phase('wait-control-plane'), '-o', 'jsonl'];
  const { outputs } = onSandboxNode({
    files: { 'config.yaml': shortTimeouts },
    // It fails, and a step must not.
    steps: [...made.map((words) => phase(...words)), ['bash', '-c', `"$@" | ${stampLines}`, 'bash', ...wait]],
  });
  const lines = timedLines(outputs.at(-1) ?? '');
  expect(lateLines(lines, maximumMs)).toEqual([]);
  expect(lineErrors(['event'], lines.map(({ event }) => `${JSON.stringify(event)}\n`).join(''))).toEqual([]);
  const types = lines.map(({ event }) => event.type);
  expect(types).toContain('waiting');
  expect(types.slice(-2)).toEqual(['phase-failed', 'error']);
});

const shortTimeouts = `apiVersion: kubeadm.k8s.io/v1beta4
kind: InitConfiguration
localAPIEndpoint:
  advertiseAddress: 192.0.2.10
nodeRegistration:
  name: node-a
  criSocket: unix:///nowhere.sock
timeouts:
  controlPlaneComponentHealthCheck: 3s
  kubeletHealthCheck: 3s
---
apiVersion: kubeadm.k8s.io/v1beta4
kind: ClusterConfiguration
kubernetesVersion: v1.37.2
`;
