import { GroundplaneError } from '@groundplane/errors';
import type { Event, RunResult } from '@groundplane/phases';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { kubeadmTable } from '../../test/argument-table.ts';
import { lineErrors, lineTypes } from '../../test/output-validator.ts';
import type { Invocation, ProgramName } from '../invocation.ts';
import { ReportedError } from '../reported-error.ts';
import { reporterFor } from './reporter.ts';

function reporting(program: ProgramName, format: string | undefined, columns?: number) {
  const written = { stdout: '', stderr: '' };
  const invocation: Invocation = {
    program,
    release: {} as Invocation['release'],
    path: ['init'],
    flags: format === undefined ? {} : { output: format },
    output: {
      stdout: (text) => {
        written.stdout += text;
      },
      stderr: (text) => {
        written.stderr += text;
      },
      columns,
    },
    words: [],
    input: async function* () {},
    table: kubeadmTable,
    signal: new AbortController().signal,
  };
  return { reporter: reporterFor(invocation), written };
}

const header = { workflow: 'init', nodeName: 'node-a', kubernetesVersion: 'v1.37.2', dryRun: false };
const warning = { code: 'W', severity: 'warning', artifact: 'file', message: 'mind this' } as const;
const finished: Extract<Event, { type: 'phase-finished' }> = {
  type: 'phase-finished',
  phase: 'certs/ca',
  decision: 'create',
  durationMs: 200,
};
const failed: Extract<Event, { type: 'phase-failed' }> = {
  type: 'phase-failed',
  phase: 'certs/ca',
  code: 'X',
  message: 'x',
  durationMs: 5,
};
const waiting: Extract<Event, { type: 'waiting' }> = {
  type: 'waiting',
  phase: 'certs/ca',
  subject: 'a thing',
  reason: 'not there',
  elapsedMs: 0,
  timeoutMs: 1000,
};
const phase = 'certs/ca';
/** What no run of a test happens to tell is in here, too. */
const oneOfEach: { readonly [T in Event['type']]: Extract<Event, { type: T }> } = {
  'workflow-started': { type: 'workflow-started', workflow: 'init', phases: [phase] },
  'phase-started': { type: 'phase-started', phase, summary: 's' },
  artifact: { type: 'artifact', phase, artifact: 'pki/ca.crt', location: '/p/ca.crt', action: 'extended' },
  progress: { type: 'progress', phase, message: 'm' },
  waiting,
  result: { type: 'result', phase, name: 'certificateKey', value: '5ec7e7', secret: true },
  finding: { type: 'finding', phase, finding: warning },
  'phase-finished': finished,
  'phase-failed': failed,
  'phase-undone': { type: 'phase-undone', phase },
  'workflow-finished': { type: 'workflow-finished', workflow: 'init', durationMs: 2 },
};
const result: RunResult = { workflow: 'init', durationMs: 200, phases: [], results: [] };
const error = new GroundplaneError('X', 'cannot', { kind: 'timeout' });

const time = '2026-01-02T03:04:05.678Z';
beforeEach(() => {
  vi.useFakeTimers({ now: new Date(time), toFake: ['Date'] });
});
afterEach(() => {
  vi.useRealTimers();
});

describe('reporterFor', () => {
  it('json: one document, when it ends well and when it does not', () => {
    const good = reporting('groundplane', 'json');
    good.reporter.begin(header, [warning]);
    good.reporter.event(finished);
    expect(good.written.stdout).toBe('');
    good.reporter.finish(result, ['closing']);
    expect(JSON.parse(good.written.stdout)).toEqual({ command: 'init', ...result, warnings: [warning] });

    const bad = reporting('kubeadm', 'json');
    bad.reporter.begin(header, [warning]);
    bad.reporter.event({ type: 'finding', phase: 'certs/ca', finding: { ...warning, severity: 'error' } });
    bad.reporter.event(failed);
    expect(bad.reporter.fail(error)).toBeInstanceOf(ReportedError);
    expect(JSON.parse(bad.written.stdout)).toMatchObject({
      workflow: 'init',
      durationMs: expect.any(Number),
      phases: [{ phase: 'certs/ca', code: 'X' }],
      warnings: [warning],
      error: { code: 'X', kind: 'timeout', message: 'cannot' },
    });
    expect([good.written.stderr, bad.written.stderr]).toEqual(['', '']);
  });

  it.each([
    ['groundplane', undefined, '  upload-certs: certificate key 5ec7e7\n'],
    [
      'kubeadm',
      undefined,
      '[upload-certs] Storing the certificates in Secret "kubeadm-certs" in the "kube-system" Namespace\n[upload-certs] Using certificate key:\n5ec7e7\n',
    ],
    [
      'groundplane',
      'jsonl',
      `${JSON.stringify({ type: 'result', time, phase: 'upload-certs', name: 'certificateKey', value: '5ec7e7', secret: true })}\n`,
    ],
    ['groundplane', 'json', ''],
  ] as const)('hands a secret product to stdout and to nobody else: %s %s', (program, format, stdout) => {
    const { reporter, written } = reporting(program, format);
    const product = { phase: 'upload-certs', name: 'certificateKey', value: '5ec7e7', secret: true } as const;
    reporter.event({ type: 'result', ...product });
    expect(written).toEqual({ stdout, stderr: '' });
    if (format !== 'json') return;
    // The document comes at the end, and names it although a later phase failed.
    reporter.fail(error);
    expect(JSON.parse(written.stdout)).toMatchObject({ results: [product], error: { code: 'X' } });
    expect(written.stderr).toBe('');
  });

  it('json: a plan that is blocked is one document too, with what stands against it', () => {
    const { reporter, written } = reporting('groundplane', 'json');
    const findings = [{ ...warning, severity: 'error' as const }];
    reporter.plan(
      {
        workflow: 'init',
        basis: 'evaluated',
        phases: [{ phase: 'certs/ca', summary: 's', decision: 'conflict', report: false, outputs: [], findings }],
      },
      { failing: true },
    );
    reporter.fail(error);
    expect(JSON.parse(written.stdout)).toMatchObject({
      workflow: 'init',
      phases: [{ decision: 'conflict', findings }],
      warnings: [],
      error: { code: 'X' },
    });
  });

  it('json: the warnings of a plan are all there are, about the configuration and of the phases, each once', () => {
    const { reporter, written } = reporting('groundplane', 'json');
    const ofPhase = { ...warning, message: 'mind that' };
    const phase = { summary: 's', decision: 'create', report: false, outputs: [], findings: [ofPhase] } as const;
    reporter.begin(header, [warning]);
    const phases = [
      { phase: 'a', ...phase },
      { phase: 'b', ...phase },
    ];
    reporter.plan({ workflow: 'init', basis: 'evaluated', phases }, { failing: false });
    expect(JSON.parse(written.stdout)).toMatchObject({ warnings: [warning, ofPhase] });
  });

  it.each(['groundplane', 'kubeadm'] as const)(
    '%s: says that nothing was changed only if no phase began',
    (program) => {
      const finding = { code: 'F', severity: 'error', artifact: '/a', message: 'is bad' } as const;
      const conflict = new GroundplaneError('PHASES_CONFLICT', 'Cannot run init: is bad', {
        kind: 'conflict',
        findings: [finding],
      });
      const { reporter } = reporting(program, undefined);
      const headline = 'Cannot run init: 1 thing stands in the way, nothing was changed';
      expect(reporter.fail(conflict)).toMatchObject({
        message: headline,
        findings: [finding],
        code: 'PHASES_CONFLICT',
      });
      reporter.event({ type: 'phase-started', phase: 'certs/ca', summary: 's' });
      expect(reporter.fail(conflict)).toMatchObject({ message: 'Cannot run init: is bad' });
    },
  );

  it('jsonl: a line for each event, the last one says how it ended', () => {
    const { reporter, written } = reporting('groundplane', 'jsonl');
    reporter.begin(header, [warning]);
    reporter.event(finished);
    reporter.fail(error);
    const lines = written.stdout
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line));
    expect(lines.map(({ type }) => type)).toEqual(['run', 'finding', 'phase-finished', 'error']);
    expect(lines[0]).toMatchObject({
      outputVersion: 'v1',
      command: 'init',
      workflow: 'init',
      dryRun: false,
    });
    expect(lines[2]).toEqual({ ...finished, time });
  });

  it.each([
    ['groundplane', undefined, 'stderr'],
    ['kubeadm', undefined, 'stderr'],
    ['groundplane', 'json', 'stderr'],
    ['groundplane', 'jsonl', 'stdout'],
  ] as const)('tells for whom it waits: %s %s on %s', (program, format, stream) => {
    const { reporter, written } = reporting(program, format);
    reporter.lockWait({ command: 'groundplane reset', pid: 12 });
    const message = 'Waiting for another command on this node: groundplane reset (process 12)';
    const event = { type: 'lock-wait', time, message, holder: { command: 'groundplane reset', pid: 12 } };
    const text = format === 'jsonl' ? JSON.stringify(event) : message;
    expect(written).toEqual({ stdout: '', stderr: '', [stream]: `${text}\n` });
  });

  it('jsonl: every event fits its schema', () => {
    const { reporter, written } = reporting('groundplane', 'jsonl');
    for (const event of Object.values(oneOfEach)) reporter.event(event);
    expect(lineTypes(written.stdout)).toEqual(Object.keys(oneOfEach));
    expect(lineErrors(['event'], written.stdout)).toEqual([]);
  });

  it('text: plain lines without a terminal', () => {
    const { reporter, written } = reporting('groundplane', undefined);
    reporter.begin(header, [warning]);
    for (const event of [waiting, waiting, finished]) reporter.event(event);
    reporter.finish(result, ['closing']);
    expect(written.stdout).not.toMatch(/[\r\u001b]/);
    expect(written.stdout.match(/waiting for a thing/g)).toHaveLength(1);
    expect(written.stdout).toMatch(/^Running init on node-a with Kubernetes v1\.37\.2\n/);
    expect(written.stdout).toMatch(/closing\n$/);
    expect(written.stderr).toBe('warning W: file: mind this\n');
  });

  it('text: on a terminal what is awaited is shown live, within one line, and goes away', () => {
    const { reporter, written } = reporting('groundplane', undefined, 40);
    reporter.begin(header, []);
    reporter.event(waiting);
    const shown = written.stdout.split('\r\u001b[K').at(-1) ?? '';
    expect(shown).toMatch(/^waiting for a thing|^a thing: not there/);
    expect(shown.length).toBeLessThan(40);
    expect(shown).not.toContain('\n');
    reporter.event(finished);
    expect(written.stdout).toMatch(/\r\u001b\[K {2}certs\/ca {2}created +0\.20 s\n$/);
  });

  it('kubeadm: the version first for the whole workflow only, and failures with their phase', () => {
    const whole = reporting('kubeadm', undefined);
    whole.reporter.begin(header, []);
    expect(whole.written.stdout).toBe('[init] Using Kubernetes version: v1.37.2\n');
    const single = reporting('kubeadm', undefined);
    single.reporter.begin({ ...header, phase: 'certs/ca' }, [warning]);
    expect(single.written).toEqual({ stdout: '', stderr: 'WARNING: file: mind this\n' });
    single.reporter.event(failed);
    expect(single.reporter.fail(error)).toMatchObject({
      code: 'X',
      kind: 'timeout',
      message: 'error execution phase certs/ca: cannot',
    });
  });
});
