import type { Finding } from '@groundplane/errors';
import { describe, expect, test } from 'vitest';
import { decisions, derive, plan, run, textFile, tiny, workflowOf } from '../test/tiny-workflow.ts';
import { optional, type Read } from './index.ts';
import { memoryPorts } from './testing/index.ts';

const ca = textFile('ca');
const leaf = textFile('leaf', { secret: true, mode: 0o600 });
const other = textFile('other');
const pod = textFile('pod', { policy: 'converge' });

const workflow = workflowOf(
  derive('certs/ca', { writes: { ca } }),
  derive('certs/leaf', { reads: { ca }, writes: { leaf, other } }),
  derive('pod', { reads: { leaf }, writes: { pod } }),
);
const goodCa = 'made from nothing';
const goodLeaf = 'made from made from nothing';
const closed = (content: string) => ({ content, mode: 0o600 });
const valid = { '/etc/tiny/ca': goodCa, '/etc/tiny/leaf': closed(goodLeaf), '/etc/tiny/other': goodLeaf };
const skip = { skip: ['certs'] };

describe('what a skipped phase would have written', () => {
  test('passes if it is in order, and stays as it is', async () => {
    const ports = memoryPorts({ files: valid });
    const { error, result } = await run(workflow, ports, { selection: skip });
    expect(error).toBeUndefined();
    expect(result?.phases.map(({ phase, decision }) => [phase, decision])).toEqual([['pod', 'create']]);
    expect(ports.memory.writes).toEqual([{ action: 'write', location: '/etc/tiny/pod' }]);
  });

  test.each([
    {
      what: 'is missing',
      files: { ...valid, '/etc/tiny/leaf': undefined },
      code: 'PHASES_ARTIFACT_MISSING',
      artifact: '/etc/tiny/leaf',
    },
    { what: 'is missing with all its kin', files: {}, code: 'PHASES_ARTIFACT_MISSING', artifact: '/etc/tiny/leaf' },
    {
      what: 'lacks a sibling',
      files: { ...valid, '/etc/tiny/other': undefined },
      code: 'PHASES_ARTIFACT_MISSING',
      artifact: '/etc/tiny/other',
    },
    {
      what: 'does not parse',
      files: { ...valid, '/etc/tiny/leaf': closed('broken') },
      code: 'PHASES_ARTIFACT_MALFORMED',
      artifact: '/etc/tiny/leaf',
    },
    {
      what: 'does not verify',
      files: { ...valid, '/etc/tiny/leaf': closed('made up') },
      code: 'TINY_WRONG',
      artifact: 'leaf',
    },
    {
      what: 'cannot be verified without its CA',
      files: { ...valid, '/etc/tiny/ca': undefined },
      code: 'PHASES_ARTIFACT_MISSING',
      artifact: '/etc/tiny/ca',
    },
  ])('stops the run before its first write if it $what', async ({ files, code, artifact }) => {
    const there = Object.entries(files).flatMap(([path, content]) =>
      content === undefined ? [] : [[path, content] as const],
    );
    const ports = memoryPorts({ files: Object.fromEntries(there) });
    const { error } = await run(workflow, ports, { selection: skip });
    expect(error).toMatchObject({
      kind: 'conflict',
      findings: expect.arrayContaining([expect.objectContaining({ code, artifact })]),
    });
    expect(ports.memory.writes).toEqual([]);
  });

  test('stops the run if what it was made from is going to be made anew', async () => {
    const ports = memoryPorts({ files: { ...valid, '/etc/tiny/ca': 'x' } });
    ports.memory.remove('/etc/tiny/ca');
    const { phases } = await plan(workflow, ports, { skip: ['certs/leaf'] });
    expect(phases[1]).toMatchObject({
      phase: 'pod',
      decision: 'conflict',
      findings: expect.arrayContaining([
        expect.objectContaining({ code: 'PHASES_OUTPUT_WITHOUT_INPUT', artifact: '/etc/tiny/leaf' }),
      ]),
    });
  });

  test('is judged also where it is only the connection', async () => {
    const connecting = derive('upload', { connect: { kubeconfig: ca, endpoint: 'local' } });
    const ports = memoryPorts({ files: { '/etc/tiny/ca': 'made up' } });
    const connected = workflowOf(derive('certs/ca', { writes: { ca } }), connecting);
    expect(await decisions(connected, ports, { skip: ['certs'] })).toEqual({ upload: 'conflict' });
  });

  test('is of no interest if nobody needs it', async () => {
    const ports = memoryPorts({ files: { '/etc/tiny/ca': 'broken' } });
    const apart = workflowOf(derive('certs/ca', { writes: { ca } }), derive('pod', { writes: { pod } }));
    expect(await decisions(apart, ports, { skip: ['certs'] })).toEqual({ pod: 'create' });
  });
});

test('what a phase only looks at, and is made anew anyway, is no more than a warning', async () => {
  const watcher = derive('watcher', { reads: { pod: optional(pod) }, writes: { other: textFile('seen') } });
  const maker = derive('pod', { writes: { pod } });
  const ports = memoryPorts({ files: { '/etc/tiny/pod': 'somebody else wrote it' } });
  const { phases } = await plan(workflowOf(maker, watcher), ports, { only: ['watcher'] });
  expect(phases).toMatchObject([
    { phase: 'watcher', decision: 'create', findings: [{ code: 'TINY_WRONG', severity: 'warning' }] },
  ]);
});

describe('what a skipped effect would have written', () => {
  const settings = textFile('settings', { policy: 'converge' });
  const spare = textFile('spare', { policy: 'converge' });
  const log = textFile('log', { policy: 'converge' });
  const judged = tiny.defineEffect({
    name: 'start',
    summary: 'Start it',
    writes: { settings, spare },
    uses: [],
    verify: () => [wrong('start', 'it does not run')],
    verifyOutputs: ({ outputs }) =>
      Object.entries(outputs).flatMap(([key, text]) => (text === 'bad' ? [wrong(`/etc/tiny/${key}`, 'bad')] : [])),
    run: async () => {},
  });
  const wrong = (artifact: string, message: string): Finding => ({
    code: 'TINY_WRONG',
    severity: 'error',
    artifact,
    message,
  });
  const following = (read: Read) => workflowOf(judged, derive('wait', { reads: { read }, writes: { log } }));
  const skipped = { skip: ['start'] };
  const codesOf = async (read: Read, files: Readonly<Record<string, string>>) => {
    const planned = await plan(following(read), memoryPorts({ files }), skipped);
    return planned.phases.flatMap(({ findings }) =>
      findings.map(({ severity, code, artifact }) => `${severity} ${code} ${artifact}`),
    );
  };

  test.each<[string, Read, Readonly<Record<string, string>>, readonly string[]]>([
    ['in order', settings, { '/etc/tiny/settings': 'good' }, []],
    ['wrong', settings, { '/etc/tiny/settings': 'bad' }, ['error TINY_WRONG /etc/tiny/settings']],
    [
      'wrong where nobody has to have it',
      optional(settings),
      { '/etc/tiny/settings': 'bad' },
      ['warning TINY_WRONG /etc/tiny/settings'],
    ],
    ['wrong beside what is read', settings, { '/etc/tiny/settings': 'good', '/etc/tiny/spare': 'bad' }, []],
    ['not there where nobody has to have it', optional(settings), { '/etc/tiny/spare': 'good' }, []],
    ['not there', settings, {}, ['error PHASES_ARTIFACT_MISSING /etc/tiny/settings']],
  ])('is %s', async (_, read, files, expected) => {
    expect(await codesOf(read, files)).toEqual(expected);
  });

  test('stops a run before it writes', async () => {
    const ports = memoryPorts({ files: { '/etc/tiny/settings': 'bad' } });
    const { error } = await run(following(settings), ports, { selection: skipped });
    expect(error).toMatchObject({ code: 'PHASES_CONFLICT' });
    expect(ports.memory.writes).toEqual([]);
  });
});
