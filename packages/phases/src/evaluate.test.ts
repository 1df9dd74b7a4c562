import { GroundplaneError } from '@groundplane/errors';
import { describe, expect, test } from 'vitest';
import {
  decisions,
  derive,
  plan,
  run,
  textFile,
  textState,
  tiny,
  type tinyConfig,
  workflowOf,
} from '../test/tiny-workflow.ts';
import { type AnyPhase, optional } from './index.ts';
import { type MemoryPorts, memoryPorts } from './testing/index.ts';

const ca = textFile('ca');
const leaf = textFile('leaf');
const settings = textFile('settings', { policy: 'converge' });

const caPhase = derive('ca', { writes: { ca } });
const leafPhase = derive('leaf', { reads: { ca }, writes: { leaf } });
const settingsPhase = derive('settings', { writes: { settings } });
const chain = workflowOf(caPhase, leafPhase, settingsPhase);

function files(content: Readonly<Record<string, string | { content: string; mode: number }>>): MemoryPorts {
  return memoryPorts({
    files: Object.fromEntries(Object.entries(content).map(([name, text]) => [`/etc/tiny/${name}`, text])),
  });
}

const goodCa = 'made from nothing';
const goodLeaf = `made from ${goodCa}`;

interface Row {
  readonly what: string;
  readonly there: Parameters<typeof files>[0];
  readonly decisions: Readonly<Record<string, string>>;
}

const rows: readonly Row[] = [
  { what: 'nothing is there', there: {}, decisions: { ca: 'create', leaf: 'deferred', settings: 'create' } },
  {
    what: 'all is there',
    there: { ca: goodCa, leaf: goodLeaf, settings: 'wanted' },
    decisions: { ca: 'keep', leaf: 'keep', settings: 'keep' },
  },
  { what: 'a part is there', there: { ca: goodCa }, decisions: { ca: 'keep', leaf: 'create', settings: 'create' } },
  {
    what: 'a converging output differs',
    there: { ca: goodCa, leaf: goodLeaf, settings: 'other' },
    decisions: { ca: 'keep', leaf: 'keep', settings: 'replace' },
  },
  {
    what: 'a converging output does not parse',
    there: { ca: goodCa, leaf: goodLeaf, settings: 'broken' },
    decisions: { ca: 'keep', leaf: 'keep', settings: 'replace' },
  },
  {
    what: 'a preserved output does not verify',
    there: { ca: goodCa, leaf: 'made from something else', settings: 'wanted' },
    decisions: { ca: 'keep', leaf: 'conflict', settings: 'keep' },
  },
  {
    what: 'a preserved output does not parse',
    there: { ca: 'broken' },
    decisions: { ca: 'conflict', leaf: 'deferred', settings: 'create' },
  },
  {
    what: 'a preserved output is there without what it was made from',
    there: { leaf: goodLeaf },
    decisions: { ca: 'create', leaf: 'conflict', settings: 'create' },
  },
];

describe('a plan decides when', () => {
  test.each(rows)('$what', async ({ there, decisions: expected }) => {
    expect(await decisions(chain, files(there))).toEqual(expected);
  });

  test('a stranded output: the finding names both files', async () => {
    const { phases } = await plan(chain, files({ leaf: goodLeaf }));
    expect(phases[1]?.findings).toEqual([
      expect.objectContaining({
        code: 'PHASES_OUTPUT_WITHOUT_INPUT',
        artifact: '/etc/tiny/leaf',
        message: '/etc/tiny/leaf exists, but what it was made from does not: /etc/tiny/ca',
      }),
    ]);
  });

  test('an input that is replaced, not lost, strands nothing', async () => {
    const fromSettings = derive('leaf', { reads: { settings }, writes: { leaf } });
    const there = files({ settings: 'other', leaf: 'made from wanted' });
    expect(await decisions(workflowOf(settingsPhase, fromSettings), there)).toEqual({
      settings: 'replace',
      leaf: 'deferred',
    });
    expect((await run(workflowOf(settingsPhase, fromSettings), there)).error).toBeUndefined();
  });

  test('a lost input that can be made again as it was strands nothing', async () => {
    const fromSettings = derive('leaf', { reads: { settings }, writes: { leaf } });
    const there = files({ leaf: 'made from wanted' });
    expect(await decisions(workflowOf(settingsPhase, fromSettings), there)).toEqual({
      settings: 'create',
      leaf: 'deferred',
    });
  });

  test('a state among the inputs strands nothing', async () => {
    const ready = textState('ready');
    const starter = effect('start', { writes: { ready }, done: (ports) => ports.memory.notes.has('ready') });
    const there = files({ leaf: 'made from nothing' });
    const workflow = workflowOf(starter(there), derive('leaf', { reads: { ready }, writes: { leaf } }));
    expect(await decisions(workflow, there)).toEqual({ start: 'act', leaf: 'deferred' });
  });

  test('something needed comes from outside and is missing', async () => {
    const outside = textFile('outside', { external: true });
    const workflow = workflowOf(derive('one', { reads: { outside }, writes: { leaf } }));
    const { phases } = await plan(workflow, memoryPorts());
    expect(phases[0]).toMatchObject({
      decision: 'conflict',
      findings: [
        {
          code: 'PHASES_ARTIFACT_MISSING',
          artifact: '/etc/tiny/outside',
          message: expect.stringContaining('the text outside'),
        },
      ],
    });
  });

  test('the configuration does not ask for it', async () => {
    const off = { ...caPhase, inapplicable: () => 'the CA is elsewhere' };
    const { phases } = await plan(workflowOf(off, settingsPhase), files({ ca: 'broken' }));
    expect(phases[0]).toMatchObject({
      decision: 'inapplicable',
      reason: 'the CA is elsewhere',
      outputs: [],
      findings: [],
    });
  });

  test('one of two outputs is there', async () => {
    const both = derive('both', { writes: { ca, leaf } });
    const { phases } = await plan(workflowOf(both), files({ ca: goodCa }));
    expect(phases[0]?.decision).toBe('complete');
    expect(phases[0]?.outputs.map(({ artifact, action }) => [artifact, action])).toEqual([
      ['ca', 'kept'],
      ['leaf', 'created'],
    ]);
  });

  test('a preserved output that is wrong beside a converging one', async () => {
    const mixed = derive('mixed', { writes: { ca, settings } });
    expect(await decisions(workflowOf(mixed), files({ ca: 'made up', settings: 'wanted' }))).toEqual({
      mixed: 'conflict',
    });
    expect(await decisions(workflowOf(mixed), files({ ca: goodCa, settings: 'other' }))).toEqual({ mixed: 'replace' });
  });

  test('a converging output that seems to say enough and yet is wrong is written', async () => {
    const lenient = { ...settings, format: { ...settings.format, satisfied: () => true } };
    const workflow = workflowOf(derive('lenient', { writes: { lenient } }));
    expect(await decisions(workflow, files({ settings: 'other' }))).toEqual({ lenient: 'replace' });
    expect(await decisions(workflow, files({ settings: 'wanted' }))).toEqual({ lenient: 'keep' });
  });

  test('what a render makes would not pass its own verify', async () => {
    const wrong = { ...caPhase, render: settingsPhase.render };
    expect(await decisions(workflowOf(wrong), memoryPorts())).toEqual({ ca: 'conflict' });
  });

  test('a render says that what exists cannot be completed', async () => {
    const refusing = tiny.definePhase({
      name: 'refusing',
      summary: 'Refuse',
      writes: { ca },
      render: () => {
        throw new GroundplaneError('TINY_STUCK', 'Cannot complete it', { kind: 'conflict', hint: 'Move it away' });
      },
      verify: () => [],
    });
    const { phases } = await plan(workflowOf(refusing), memoryPorts());
    expect(phases[0]).toMatchObject({ decision: 'conflict', findings: [{ code: 'TINY_STUCK', hint: 'Move it away' }] });
  });

  test('a file cannot be read: the run stops before its first write', async () => {
    const ports = files({ ca: goodCa });
    const { read } = ports.host.files;
    const closed: MemoryPorts = {
      ...ports,
      host: {
        ...ports.host,
        files: {
          ...ports.host.files,
          read: async (path) =>
            path.endsWith('leaf') ? Promise.reject(new Error('EACCES: permission denied')) : read(path),
        },
      },
    };
    expect(await decisions(chain, closed)).toEqual({ ca: 'keep', leaf: 'conflict', settings: 'create' });
    expect((await run(chain, closed)).error).toMatchObject({
      code: 'PHASES_CONFLICT',
      message: expect.stringContaining('EACCES'),
    });
    expect(ports.memory.writes).toEqual([]);
  });

  test.each([
    ['observe', 'create'],
    ['preserve', 'conflict'],
  ] as const)('an optional input of policy %s cannot be read: %s', async (policy, decision) => {
    const note = textFile('note', { policy, external: true });
    const ports = memoryPorts({ files: { '/etc/tiny/note': 'note' } });
    const { read } = ports.host.files;
    const denied: typeof read = async (path) =>
      path.endsWith('note') ? Promise.reject(new Error('EACCES: permission denied')) : read(path);
    const closed = { ...ports, host: { ...ports.host, files: { ...ports.host.files, read: denied } } };
    const workflow = workflowOf(derive('one', { reads: { note: optional(note) }, writes: { ca } }));
    expect(await decisions(workflow, closed)).toEqual({ one: decision });
  });

  test('an optional input that is made anew anyway does not parse', async () => {
    const early = derive('early', { reads: { settings: optional(settings) }, writes: { ca } });
    const { phases } = await plan(workflowOf(early, settingsPhase), files({ settings: 'broken' }));
    expect(phases.map(({ decision }) => decision)).toEqual(['create', 'replace']);
    expect(phases[0]?.findings).toMatchObject([{ code: 'PHASES_ARTIFACT_MALFORMED', severity: 'warning' }]);
  });
});

/** An effect that is done when the world says so, and makes a note of having run. */
function effect(
  name: string,
  {
    writes = {},
    done,
  }: { readonly writes?: AnyPhase<typeof tinyConfig>['writes']; readonly done: (ports: MemoryPorts) => boolean },
) {
  return (ports: MemoryPorts): AnyPhase<typeof tinyConfig> =>
    tiny.defineEffect({
      name,
      summary: `Do ${name}`,
      writes,
      uses: [],
      run: async () => void ports.memory.notes.set('done', true),
      verify: () =>
        done(ports) ? [] : [{ code: 'TINY_UNDONE', severity: 'error', artifact: name, message: 'not done' }],
    });
}
