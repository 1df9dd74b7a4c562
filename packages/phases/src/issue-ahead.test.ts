import type { Finding } from '@groundplane/errors';
import { describe, expect, test } from 'vitest';
import { sampleConfig, samplePhases, sampleWorkflow, sampleWorld } from '../test/sample-workflow.ts';
import { derive, run, textFile, tiny, workflowOf } from '../test/tiny-workflow.ts';
import { type Artifact, type Event, runWorkflow, type Signer } from './index.ts';
import { memoryPorts } from './testing/index.ts';

const b = textFile('b');

const rootOf = (name: string) => {
  const file = textFile(name);
  return tiny.definePhase({
    name,
    summary: `Make ${name}`,
    writes: { file },
    render: ({ issue, outputs }) => issue({ name, algorithm: 'RSA-2048' }, ({ key }) => outputs({ file: key })),
    verify: () => [],
  });
};

describe('issuing', () => {
  test('lets a phase go on while the keys of later ones are still being made', async () => {
    const ports = memoryPorts();
    let finished = () => {};
    const firstPhase = new Promise<void>((resolve) => {
      finished = resolve;
    });
    const issue: Signer['issue'] = (requests) =>
      requests.map(async ({ name }) => {
        if (name === 'second') await firstPhase;
        return { key: `key of ${name}` };
      });
    const onEvent = (event: Event) => {
      if (event.type === 'phase-finished' && event.phase === 'first') finished();
    };
    const signer = { ...ports.signer, issue };
    await run(workflowOf(rootOf('first'), rootOf('second')), { ...ports, signer }, { onEvent });
    expect(ports.memory.text('/etc/tiny/second')).toBe('key of second');
  });

  test('asks once for everything whose inputs are there: the CA alone, then all that it signs', async () => {
    const ports = sampleWorld();
    await runWorkflow({ workflow: sampleWorkflow(), config: sampleConfig, ports, actor: 'test' });
    expect(ports.memory.signed.map((requests) => requests.map(({ name }) => name))).toEqual([
      ['ca'],
      ['server', 'client'],
    ]);
  });

  test('asks for two roots at once', async () => {
    const ports = memoryPorts();
    await run(workflowOf(rootOf('first'), derive('between', { writes: { b } }), rootOf('second')), ports);
    expect(ports.memory.signed.map((requests) => requests.map(({ name }) => name))).toEqual([['first', 'second']]);
    expect(ports.memory.text('/etc/tiny/first')).not.toEqual(ports.memory.text('/etc/tiny/second'));
  });

  test('asks for nothing twice: a root that was asked for ahead of its turn stays as it was answered', async () => {
    const issued = (file: Artifact<string>, from?: Artifact<string>) =>
      tiny.definePhase({
        name: file.id,
        summary: `Make ${file.id}`,
        reads: from === undefined ? {} : { from },
        writes: { file },
        render: ({ issue, outputs }) =>
          issue({ name: file.id, algorithm: 'RSA-2048' }, ({ key }) => outputs({ file: key })),
        verify: () => [],
      });
    const one = textFile('one');
    const two = textFile('two');
    const leafOfOne = textFile('leaf of one');
    const leafOfTwo = textFile('leaf of two');
    const ports = memoryPorts();
    await run(workflowOf(issued(one), issued(leafOfOne, one), issued(two), issued(leafOfTwo, two)), ports);
    expect(ports.memory.signed.map((requests) => requests.map(({ name }) => name))).toEqual([
      ['one', 'two'],
      ['leaf of one'],
      ['leaf of two'],
    ]);
  });

  test('completes a certificate whose key is there with that key', async () => {
    const ports = sampleWorld();
    const request = { workflow: sampleWorkflow(samplePhases.slice(0, 3)), config: sampleConfig, ports, actor: 'test' };
    await runWorkflow(request);
    const key = ports.memory.text('/etc/sample/server.key');
    ports.memory.remove('/etc/sample/server.crt');
    const result = await runWorkflow(request);
    expect(result.phases.map(({ decision }) => decision)).toEqual(['keep', 'complete', 'keep']);
    expect(ports.memory.text('/etc/sample/server.key')).toBe(key);
  });
});

describe('a signer that is not in order', () => {
  const format: Artifact<string>['format'] = {
    name: 'key',
    parse: (bytes) => {
      const text = new TextDecoder().decode(bytes);
      if (!text.startsWith('key')) throw new Error('it holds no key');
      return text;
    },
    serialize: (value) => new TextEncoder().encode(value),
  };
  const first = tiny.definePhase({
    name: 'first',
    summary: 'Make first',
    writes: { file: { ...textFile('first'), format } },
    render: ({ issue, outputs }) =>
      issue({ name: 'first', algorithm: 'RSA-2048' }, ({ key }) => outputs({ file: key.trim() })),
    verify: () => [],
  });
  const down = new Error('down');

  test.each<[string, () => unknown, object]>([
    ['gives nothing', () => undefined, { code: 'PHASES_SIGNER_ANSWER' }],
    ['gives no answer', () => [], { code: 'PHASES_SIGNER_ANSWER' }],
    ['gives null', () => [Promise.resolve(null)], { code: 'PHASES_SIGNER_ANSWER' }],
    ['gives a number', () => [7], { code: 'PHASES_SIGNER_ANSWER' }],
    ['gives a key that is none', () => [Promise.resolve({ key: 'garbage' })], { code: 'PHASES_SIGNER_ANSWER' }],
    ['gives bytes', () => [Promise.resolve({ key: new Uint8Array(4) })], { code: 'PHASES_SIGNER_ANSWER' }],
    ['gives one promise that fails', () => Promise.reject(down), { code: 'PHASES_SIGNER_ANSWER' }],
    [
      'throws',
      () => {
        throw down;
      },
      { code: 'PHASES_INTERNAL', message: 'Cannot finish first: down', cause: down },
    ],
    ['fails', () => [Promise.reject(down)], { code: 'PHASES_INTERNAL', cause: down }],
  ])('%s: an error, and nothing is written', async (_, issue, expected) => {
    const ports = memoryPorts();
    const signer = { ...ports.signer, issue: issue as Signer['issue'] };
    const { error } = await run(workflowOf(first), { ...ports, signer });
    expect(error).toMatchObject(expected);
    expect(ports.memory.text('/etc/tiny/first')).toBeUndefined();
  });

  const asksFor = (verify: (text: string) => readonly Finding[]) =>
    tiny.definePhase({
      name: 'first',
      summary: 'Make first',
      writes: { file: textFile('first') },
      render: ({ issue, outputs }) =>
        issue({ name: 'first', algorithm: 'RSA-2048' }, ({ key }) => outputs({ file: key })),
      verify: ({ outputs }) => verify(outputs.file),
      demands: () => ({
        file: [
          { text: 'It is long', code: 'TINY_SHORT', severity: 'error' },
          { text: 'It is pretty', code: 'TINY_UGLY', severity: 'warning' },
        ],
      }),
    });

  test.each([
    [undefined, 'the signer'],
    ['far', "the signer 'far'"],
  ])(
    'of the name %s, gives what the phase does not want: it is told what was asked, and nothing is written',
    async (name, called) => {
      const ports = memoryPorts();
      const error = {
        code: 'TINY_SHORT',
        severity: 'error',
        artifact: '/etc/tiny/first',
        message: '/etc/tiny/first: short',
      } as const;
      const signer = { ...ports.signer, ...(name === undefined ? {} : { name }) };
      const ran = await run(workflowOf(asksFor(() => [{ ...error, hint: 'Move it away' }])), { ...ports, signer });
      expect(ran.error).toMatchObject({
        code: 'PHASES_SIGNER_ANSWER',
        message: `Cannot go on with first as the answer of ${called} is not what was asked of it: /etc/tiny/first: short; what is asked: It is long`,
        findings: [{ ...error, hint: expect.stringContaining('Nothing of it was written') }],
      });
      expect(ports.memory.writes).toEqual([]);
    },
  );

  test('its answer is judged once, and a warning is told', async () => {
    const judged: string[] = [];
    const warning = { code: 'TINY_UGLY', severity: 'warning', artifact: 'first', message: 'ugly' } as const;
    const ports = memoryPorts();
    const events: Event[] = [];
    const phase = asksFor((text) => {
      judged.push(text);
      return [warning];
    });
    await run(workflowOf(phase), ports, { onEvent: (event) => events.push(event) });
    expect(judged).toEqual([ports.memory.text('/etc/tiny/first')]);
    expect(events.filter(({ type }) => type === 'finding')).toMatchObject([{ finding: warning }]);
  });

  test('what was written otherwise than its answer is judged again', async () => {
    const { host, ...ports } = memoryPorts();
    const { read } = host.files;
    const garbling: typeof read = async (path) => {
      const content = await read(path);
      return content && { ...content, bytes: new TextEncoder().encode('something else') };
    };
    const judged: string[] = [];
    const phase = asksFor((text) => {
      judged.push(text);
      return [];
    });
    await run(workflowOf(phase), { ...ports, host: { ...host, files: { ...host.files, read: garbling } } });
    expect(judged).toHaveLength(2);
    expect(judged[1]).toBe('something else');
  });

  test('never answers: the run ends when it is told to', async () => {
    const ports = memoryPorts();
    const controller = new AbortController();
    const issue: Signer['issue'] = (requests) => {
      queueMicrotask(() => controller.abort());
      return requests.map(() => new Promise(() => {}));
    };
    const signer = { ...ports.signer, issue };
    const { error } = await run(workflowOf(first), { ...ports, signer }, { signal: controller.signal });
    expect(error).toMatchObject({ code: 'PHASES_ABORTED' });
  });
});
