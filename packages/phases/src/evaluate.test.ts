import { GroundplaneError } from '@groundplane/errors';
import { describe, expect, test } from 'vitest';
import {
  decisions,
  derive,
  plan,
  run,
  textFile,
  textObject,
  textState,
  tiny,
  type tinyConfig,
  workflowOf,
} from '../test/tiny-workflow.ts';
import { type AnyPhase, optional, type SigningRequest } from './index.ts';
import { type MemoryPorts, memoryPorts } from './testing/index.ts';

const ca = textFile('ca');
const leaf = textFile('leaf');
const settings = textFile('settings', { policy: 'converge' });
const access = textFile('access');
const stored = textObject('stored', { policy: 'converge' });
const ticket = textFile('ticket', { policy: 'ephemeral', until: textFile('member', { policy: 'observe' }) });

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

  test('an optional input that is made anew anyway does not parse', async () => {
    const early = derive('early', { reads: { settings: optional(settings) }, writes: { ca } });
    const { phases } = await plan(workflowOf(early, settingsPhase), files({ settings: 'broken' }));
    expect(phases.map(({ decision }) => decision)).toEqual(['create', 'replace']);
    expect(phases[0]?.findings).toMatchObject([{ code: 'PHASES_ARTIFACT_MALFORMED', severity: 'warning' }]);
  });
});

describe('modes', () => {
  const secret = textFile('secret', { secret: true, mode: 0o600, maxMode: 0o640 });
  const closed = workflowOf(derive('secret', { writes: { secret } }));

  test.each([
    { mode: 0o600, decision: 'keep', code: undefined },
    { mode: 0o640, decision: 'keep', code: undefined },
    { mode: 0o644, decision: 'conflict', code: 'PHASES_SECRET_EXPOSED' },
    { mode: 0o660, decision: 'conflict', code: 'PHASES_SECRET_EXPOSED' },
  ])('a preserved secret with mode $mode: $decision', async ({ mode, decision, code }) => {
    const { phases } = await plan(closed, files({ secret: { content: 'made from nothing', mode } }));
    expect([phases[0]?.decision, phases[0]?.findings[0]?.code]).toEqual([decision, code]);
  });

  test('a secret that says nothing of its greatest mode may not be opened either', async () => {
    const silent = workflowOf(
      derive('silent', { writes: { silent: textFile('secret', { secret: true, mode: 0o600 }) } }),
    );
    const there = files({ secret: { content: 'made from nothing', mode: 0o604 } });
    expect(await decisions(silent, there)).toEqual({ silent: 'conflict' });
  });

  test('a public file that is open too far is a warning', async () => {
    const guarded = workflowOf(derive('ca', { writes: { ca: textFile('ca', { maxMode: 0o644 }) } }));
    const { phases } = await plan(guarded, files({ ca: { content: goodCa, mode: 0o666 } }));
    expect(phases[0]).toMatchObject({
      decision: 'keep',
      findings: [{ code: 'PHASES_MODE_TOO_OPEN', severity: 'warning' }],
    });
  });

  test('a converging file that is open too far is written anew, with its mode', async () => {
    const convergingSecret = textFile('settings', { policy: 'converge', secret: true, mode: 0o600 });
    const workflow = workflowOf(derive('settings', { writes: { convergingSecret } }));
    const there = files({ settings: { content: 'wanted', mode: 0o644 } });
    expect(await decisions(workflow, there)).toEqual({ settings: 'replace' });
    await run(workflow, there);
    expect(there.memory.mode('/etc/tiny/settings')).toBe(0o600);
  });

  test('the reason of a foreign parser is not shown for a secret', async () => {
    const { phases } = await plan(closed, files({ secret: { content: 'broken c2VjcmV0', mode: 0o600 } }));
    expect(phases[0]?.decision).toBe('conflict');
    expect(JSON.stringify(phases)).not.toContain('c2VjcmV0');
  });
});

describe('ephemeral artifacts', () => {
  const workflow = workflowOf(derive('ticket', { writes: { ticket } }));

  test.each([
    { there: {}, decision: 'create' },
    { there: { ticket: goodCa }, decision: 'keep' },
    { there: { member: 'me' }, decision: 'keep' },
  ])('with $there: $decision', async ({ there, decision }) => {
    expect(await decisions(workflow, files(there))).toEqual({ ticket: decision });
  });

  test('one whose lifetime is over is not requested from the signer', async () => {
    const issuing = tiny.definePhase({
      name: 'ticket',
      summary: 'Have a ticket issued',
      writes: { ticket },
      render: ({ issue, outputs }) =>
        issue({ name: 'ticket', algorithm: 'RSA-2048' }, ({ key }) => outputs({ ticket: key })),
      verify: () => [],
    });
    expect(await decisions(workflowOf(issuing), files({ member: 'me' }))).toEqual({ ticket: 'keep' });
  });
});

describe('amendments', () => {
  const amend = (policy: 'preserve' | 'observe') => {
    const target = textFile('ca', { policy });
    return tiny.definePhase({
      name: 'amend',
      summary: 'Amend the CA',
      amends: { target },
      render: ({ existing, outputs }) =>
        outputs({ target: existing.target?.endsWith('!') ? existing.target : `${existing.target}!` }),
      verify: ({ outputs }) =>
        outputs.target.endsWith('!')
          ? []
          : [{ code: 'TINY_WRONG', severity: 'error', artifact: 'ca', message: 'no !' }],
    });
  };
  const target = (phase: ReturnType<typeof amend>) => Object.values(phase.amends)[0] as typeof ca;
  const creator = (artifact: typeof ca): AnyPhase<typeof tinyConfig> => ({
    ...derive('ca', { writes: { artifact } }),
    verify: async () => [],
  });

  test('wait for what an earlier phase is going to create', async () => {
    const phase = amend('preserve');
    expect(await decisions(workflowOf(creator(target(phase)), phase), memoryPorts())).toEqual({
      ca: 'create',
      amend: 'deferred',
    });
  });

  test('change a preserved artifact, once', async () => {
    const phase = amend('preserve');
    const workflow = workflowOf(creator(target(phase)), phase);
    const ports = memoryPorts();
    expect((await run(workflow, ports)).error).toBeUndefined();
    expect(ports.memory.text('/etc/tiny/ca')).toBe('made from nothing!');
    expect(await decisions(workflow, ports)).toEqual({ ca: 'keep', amend: 'keep' });
  });

  test('of something that is not there are a conflict', async () => {
    const phase = amend('preserve');
    const workflow = workflowOf(creator(target(phase)), phase);
    expect(await decisions(workflow, memoryPorts(), { skip: ['ca'] })).toEqual({ amend: 'conflict' });
  });
});

describe('effects', () => {
  test('without outputs: asked live', async () => {
    const ports = memoryPorts();
    const workflow = workflowOf(effect('start', { done: ({ memory }) => memory.notes.has('done') })(ports));
    expect(await decisions(workflow, ports)).toEqual({ start: 'act' });
    await run(workflow, ports);
    expect(await decisions(workflow, ports)).toEqual({ start: 'keep' });
  });

  test('with a state as output: asked live', async () => {
    const ports = memoryPorts();
    const ready = textState('ready');
    const workflow = workflowOf(
      effect('start', { writes: { ready }, done: ({ memory }) => memory.notes.has('done') })(ports),
    );
    expect(await decisions(workflow, ports)).toEqual({ start: 'act' });
    await run(workflow, ports);
    expect(await decisions(workflow, ports)).toEqual({ start: 'keep' });
  });

  test('that acts although its file is there leaves the file pending, so that readers wait', async () => {
    const ports = files({ ca: goodCa });
    const workflow = workflowOf(effect('start', { writes: { ca }, done: () => false })(ports), leafPhase);
    expect(await decisions(workflow, ports)).toEqual({ start: 'act', leaf: 'deferred' });
  });

  test('that ask not to be asked while planning', async () => {
    const ports = memoryPorts();
    const shy = { ...effect('shy', { done: () => true })(ports), verifyOnlyAtTurn: true };
    const { phases } = await plan(workflowOf(shy), ports);
    expect(phases[0]).toMatchObject({ decision: 'deferred', reason: 'is asked of the live world when its turn comes' });
    const { result } = await run(workflowOf(shy), ports);
    expect(result?.phases[0]?.decision).toBe('keep');
  });

  test('whose world does not answer: deferred while planning, acted upon at their turn', async () => {
    const ports = memoryPorts();
    const workflow = workflowOf(
      effect('start', {
        done({ memory }) {
          if (!memory.notes.has('done')) throw new Error('ECONNREFUSED');
          return true;
        },
      })(ports),
    );
    expect((await plan(workflow, ports)).phases[0]).toMatchObject({ decision: 'deferred', reason: 'ECONNREFUSED' });
    const { result, error } = await run(workflow, ports);
    expect(error).toBeUndefined();
    expect(result?.phases[0]?.decision).toBe('act');
  });
});

describe('objects', () => {
  const accessPhase = derive('access', { writes: { access } });
  const connect = { kubeconfig: access, endpoint: 'as-written' } as const;
  const upload = tiny.definePhase({
    name: 'upload',
    summary: 'Upload',
    writes: { stored },
    connect,
    render: ({ config, outputs }) => outputs({ stored: { text: config.text } }),
    verify: ({ config, outputs }) =>
      outputs.stored.text === config.text
        ? []
        : [{ code: 'TINY_WRONG', severity: 'error', artifact: 'o', message: 'no' }],
  });
  const workflow = workflowOf(accessPhase, upload);

  test('are deferred while their connection is still to be made, without a try', async () => {
    const ports = memoryPorts();
    expect(await decisions(workflow, ports)).toEqual({ access: 'create', upload: 'deferred' });
    expect(ports.memory.connections).toEqual([]);
  });

  test('are deferred while the API server does not answer; at their turn that ends the run', async () => {
    const ports = memoryPorts({ files: { '/etc/tiny/access': goodCa }, apiRefusal: () => 'nobody listens' });
    expect((await plan(workflow, ports)).phases[1]).toMatchObject({
      decision: 'deferred',
      reason: expect.stringContaining('nobody listens'),
    });
    expect((await run(workflow, ports)).error).toMatchObject({ code: 'PHASES_UNREADABLE', kind: 'unavailable' });
  });

  test('are created, kept and replaced', async () => {
    const ports = memoryPorts();
    await run(workflow, ports);
    expect(await decisions(workflow, ports)).toEqual({ access: 'keep', upload: 'keep' });
    ports.memory.putObject({ apiVersion: 'v1', kind: 'Text', metadata: { name: 'stored' }, text: 'other' });
    expect(await decisions(workflow, ports)).toEqual({ access: 'keep', upload: 'replace' });
  });

  test('an effect acts although its connection may not see its output', async () => {
    const ports = memoryPorts({ files: { '/etc/tiny/access': goodCa } });
    let allowed = false;
    const { connect: real } = ports.clusters;
    const blind: MemoryPorts = {
      ...ports,
      clusters: {
        connect: async (options) => {
          const cluster = await real(options);
          return {
            ...cluster,
            get: (reference) => (allowed ? cluster.get(reference) : Promise.reject(new Error('forbidden'))),
          };
        },
      },
    };
    const opener = tiny.defineEffect({
      name: 'open',
      summary: 'Open the API',
      writes: { stored },
      connect,
      uses: ['cluster'],
      run: async ({ ports: { cluster } }) => {
        allowed = true;
        await cluster.apply({ apiVersion: 'v1', kind: 'Text', metadata: { name: 'stored' }, text: 'x' });
      },
      verify: async () => [],
    });
    const { error, result } = await run(workflowOf(accessPhase, opener), blind);
    expect(error).toBeUndefined();
    expect(result?.phases[1]?.decision).toBe('act');
  });
});

describe('an external CA', () => {
  const request: SigningRequest = {
    name: 'leaf',
    algorithm: 'RSA-2048',
    certificate: {
      commonName: 'leaf',
      organizations: ['o'],
      dnsNames: ['leaf.example'],
      ipAddresses: ['192.0.2.1'],
      usages: ['serverAuth'],
      isCA: false,
      notBefore: new Date(0),
      notAfter: new Date(1),
      issuer: { certificate: '{"subject":"ca","key":"k"}' },
    },
  };
  const issuing = tiny.definePhase({
    name: 'leaf',
    summary: 'Have a leaf issued',
    writes: { leaf },
    render: ({ issue, outputs }) => issue(request, ({ certificate = '' }) => outputs({ leaf: certificate })),
    verify: () => [],
  });

  test('what is missing is listed as a request, and nothing is written', async () => {
    const ports = memoryPorts();
    const { error } = await run(workflowOf(issuing, settingsPhase), ports);
    expect(error).toMatchObject({
      code: 'PHASES_EXTERNAL',
      findings: [
        {
          code: 'PHASES_EXTERNAL_REQUEST',
          message: expect.stringContaining('CN=leaf; O=o; serverAuth; SANs leaf.example, 192.0.2.1'),
          hint: 'Have your CA issue it and put it at /etc/tiny/leaf',
        },
      ],
    });
    expect(ports.memory.writes).toEqual([]);
    expect(ports.memory.signed).toEqual([]);
  });

  test('what exists is kept', async () => {
    expect(await decisions(workflowOf(issuing), files({ leaf: 'from elsewhere' }))).toEqual({ leaf: 'keep' });
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
