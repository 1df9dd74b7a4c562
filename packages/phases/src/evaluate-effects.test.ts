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
import type { AnyPhase } from './index.ts';
import { type MemoryPorts, memoryPorts } from './testing/index.ts';

const ca = textFile('ca');
const leaf = textFile('leaf');
const access = textFile('access');
const stored = textObject('stored', { policy: 'converge' });

const leafPhase = derive('leaf', { reads: { ca }, writes: { leaf } });

function files(content: Readonly<Record<string, string | { content: string; mode: number }>>): MemoryPorts {
  return memoryPorts({
    files: Object.fromEntries(Object.entries(content).map(([name, text]) => [`/etc/tiny/${name}`, text])),
  });
}

const goodCa = 'made from nothing';

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

  test('that the configuration wants every time act although there is nothing to do', async () => {
    const ports = memoryPorts();
    const insistent = { ...effect('insistent', { done: () => true })(ports), everyTime: () => true };
    expect(await decisions(workflowOf(insistent), ports)).toEqual({ insistent: 'act' });
    expect((await run(workflowOf(insistent), ports)).error).toBeUndefined();
    expect(ports.memory.notes.has('done')).toBe(true);
  });

  test('that ask not to be asked while planning', async () => {
    const ports = memoryPorts();
    const shy = { ...effect('shy', { done: () => true })(ports), verifyOnlyAtTurn: true };
    const { phases } = await plan(workflowOf(shy), ports);
    expect(phases[0]).toMatchObject({ decision: 'deferred', reason: 'is asked of the live world when its turn comes' });
    const { result } = await run(workflowOf(shy), ports);
    expect(result?.phases[0]?.decision).toBe('keep');
  });

  test('whose world does not answer: unknown while planning, acted upon at their turn', async () => {
    const ports = memoryPorts();
    const workflow = workflowOf(
      effect('start', {
        done({ memory }) {
          if (!memory.notes.has('done')) throw new Error('ECONNREFUSED');
          return true;
        },
      })(ports),
    );
    expect((await plan(workflow, ports)).phases[0]).toMatchObject({ decision: 'unknown', reason: 'ECONNREFUSED' });
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

  test('are unknown while the API server does not answer; at their turn that ends the run', async () => {
    const ports = memoryPorts({ files: { '/etc/tiny/access': goodCa }, apiRefusal: () => 'nobody listens' });
    expect((await plan(workflow, ports)).phases[1]).toMatchObject({
      decision: 'unknown',
      reason: expect.stringContaining('nobody listens'),
    });
    expect((await run(workflow, ports)).error).toMatchObject({ code: 'PHASES_UNREADABLE', kind: 'unavailable' });
  });

  test('are not asked for behind one that could not be told', async () => {
    let asked = 0;
    const ports = memoryPorts({
      files: { '/etc/tiny/access': goodCa },
      apiRefusal: () => {
        asked += 1;
        return 'nobody listens';
      },
    });
    const more = textObject('more', { policy: 'converge' });
    const after = derive('after', { reads: { stored }, writes: { more }, connect });
    expect(await decisions(workflowOf(accessPhase, upload, after), ports)).toMatchObject({
      upload: 'unknown',
      after: 'unknown',
    });
    expect(asked).toBe(1);
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
