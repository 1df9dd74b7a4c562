import { describe, expect, test } from 'vitest';
import { at, derive, run, textFile, textObject, tiny, workflowOf } from '../test/tiny-workflow.ts';
import { type JournalEntry, openJournal, optional, parseJournal, readJournal } from './index.ts';
import { type MemoryPorts, memoryPorts } from './testing/index.ts';

const a = textFile('a');
const b = textFile('b');
const journal = '/var/log/journal.jsonl';
const entryOf = (phase: string): JournalEntry => ({
  time: '2026-01-01T00:00:00.000Z',
  actor: 'test',
  workflow: 'tiny',
  phase,
  artifact: 'a',
  location: '/etc/tiny/a',
  action: 'created',
});
const entries = (ports: MemoryPorts) => parseJournal(ports.memory.text(journal) ?? '');

describe('the journal', () => {
  test('says who made what, when, with which digest', async () => {
    const ports = memoryPorts({ files: { '/etc/tiny/a': 'made from nothing' } });
    const user = { uid: 0, name: 'root', sudo: { uid: 1000, name: 'jane' }, loginUid: 1000 };
    const workflow = workflowOf(derive('one', { writes: { a } }), derive('two', { writes: { b } }));
    await run(workflow, ports, { journal, user });
    expect(entries(ports)).toEqual([
      {
        time: '2026-01-01T00:00:00.000Z',
        actor: 'test',
        user,
        workflow: 'tiny',
        phase: 'two',
        artifact: 'b',
        location: '/etc/tiny/b',
        action: 'created',
        // printf 'made from nothing' | sha256sum
        digest: 'sha256:304dab8e762e9bc2b5f83d6b0f77160760cc26f5046e2adcf90a668513b5c9c5',
      },
    ]);
    expect(ports.memory.mode(journal)).toBe(0o600);
  });

  test('that cannot be written does not stop the run', async () => {
    const ports = memoryPorts({ files: { '/var/log': 'in the way' } });
    const { error, events } = await run(workflowOf(derive('one', { writes: { a, b } })), ports, { journal });
    expect(error).toBeUndefined();
    const found = events.flatMap((event) => (event.type === 'finding' ? [event.finding] : []));
    expect(found).toMatchObject([{ code: 'PHASES_JOURNAL_UNWRITABLE', severity: 'warning', artifact: journal }]);
  });

  test('has what an effect changes by itself: objects, members of families, files', async () => {
    const family = at(
      'token-*',
      { kind: 'objects', family: { apiVersion: 'v1', kind: 'Text', prefix: 'token-' } },
      { secret: true, policy: 'ephemeral' },
    );
    const object = textObject('object');
    const file = textFile('own', { policy: 'observe' });
    const gone = textFile('gone');
    const text = (name: string) => ({ apiVersion: 'v1', kind: 'Text', metadata: { name }, text: 'guess me' });
    const place = (name: string) => ({ apiVersion: 'v1', kind: 'Text', name });
    const effect = tiny.defineEffect({
      name: 'effect',
      summary: 'Do by itself',
      reads: { a },
      writes: { family: optional(family), object, file, gone: optional(gone) },
      connect: { kubeconfig: a, endpoint: 'as-written' },
      uses: ['cluster', 'host'],
      verify: () => [],
      async run({ ports: { cluster, host } }) {
        await cluster.create(text('token-1'));
        await cluster.patch(place('token-1'), { text: 'other' });
        await cluster.delete(place('token-1'));
        await cluster.apply(text('object'));
        await host.files.write('/etc/tiny/own', new TextEncoder().encode('made from nothing'), { mode: 0o600 });
        await host.files.remove('/etc/tiny/gone');
      },
    });
    const ports = memoryPorts({ files: { '/etc/tiny/a': 'made from nothing', '/etc/tiny/gone': 'x' } });
    const { error } = await run(workflowOf(derive('first', { writes: { a } }), effect), ports, { journal });
    expect(error).toBeUndefined();
    expect(entries(ports).map(({ artifact, location, action }) => [artifact, location, action])).toEqual([
      ['token-*', 'Text token-1', 'created'],
      ['token-*', 'Text token-1', 'extended'],
      ['token-*', 'Text token-1', 'removed'],
      ['object', 'Text object', 'created'],
      ['own', '/etc/tiny/own', 'created'],
      ['gone', '/etc/tiny/gone', 'removed'],
    ]);
    const digests = entries(ports).map(({ digest }) => digest?.slice(0, 10));
    // printf '{"apiVersion":"v1","kind":"Text","metadata":{"name":"object"},"text":"guess me"}' | sha256sum
    expect(digests).toEqual([undefined, undefined, undefined, 'sha256:abc', 'sha256:304', undefined]);
    expect(ports.memory.text(journal)).not.toContain('guess me');
  });

  test('has no digest of a secret that lives for a while, as it could be guessed', async () => {
    const secret = textFile('secret', { secret: true, mode: 0o600 });
    const token = textFile('token', { secret: true, mode: 0o600, policy: 'ephemeral' });
    const ports = memoryPorts();
    await run(workflowOf(derive('one', { writes: { secret } }), derive('two', { writes: { token } })), ports, {
      journal,
    });
    expect(entries(ports).map(({ artifact, digest }) => [artifact, digest === undefined])).toEqual([
      ['secret', false],
      ['token', true],
    ]);
  });

  test('has what a phase removes', async () => {
    const ports = memoryPorts({ files: { '/etc/tiny/a': 'one' } });
    const workflow = workflowOf(
      tiny.definePhase({
        name: 'remove',
        summary: 'Remove',
        removes: [{ ...a, external: true }],
        render: ({ outputs }) => outputs({}),
        verify: () => [],
      }),
    );
    await run(workflow, ports, { journal });
    expect(entries(ports)).toMatchObject([{ artifact: 'a', action: 'removed' }]);
  });
});

describe('parseJournal()', () => {
  test.each([
    ['a line that a crash cut short', `${JSON.stringify(entryOf('one'))}\n{"pha`],
    ['an empty line', `\n${JSON.stringify(entryOf('one'))}\n\n`],
    ['what is no entry', `null\n[]\n{"phase":"x"}\n${JSON.stringify(entryOf('one'))}\n`],
  ])('leaves out %s', (_, text) => {
    expect(parseJournal(text)).toEqual([entryOf('one')]);
  });
});

describe('openJournal()', () => {
  const written = async (ports: MemoryPorts, options: { readonly limit?: number } = {}) => {
    const open = openJournal(ports.host.files, journal, options);
    await Promise.all([open.append(entryOf('one')), open.append(entryOf('two'))]);
    return ports.memory.text(journal);
  };
  const two = `${JSON.stringify(entryOf('one'))}\n${JSON.stringify(entryOf('two'))}\n`;

  test('begins a new one, and goes on with one that is there', async () => {
    const ports = memoryPorts();
    expect(await written(ports)).toBe(two);
    expect(await written(ports)).toBe(two + two);
  });

  test('ends a line that a crash cut short, so that what follows can be read', async () => {
    const ports = memoryPorts({ files: { [journal]: `${two}{"time":"2026` } });
    await written(ports);
    const read = await readJournal(ports.host.files, journal);
    expect(read).toMatchObject({ damagedLines: 1, isCut: false });
    expect(read?.entries.map(({ phase }) => phase)).toEqual(['one', 'two', 'one', 'two']);
  });

  test('sets aside what is too large, once, and what was read before is still read', async () => {
    const ports = memoryPorts({ files: { [journal]: two } });
    const third = { ...entryOf('three'), time: '2026-01-02T00:00:00.000Z' };
    await openJournal(ports.host.files, journal, { limit: two.length }).append(third);
    expect(ports.memory.text(journal)).toBe(`${JSON.stringify(third)}\n`);
    expect(ports.memory.mode(`${journal}.1`)).toBe(0o600);
    const read = await readJournal(ports.host.files, journal);
    expect(read?.entries.map(({ phase }) => phase)).toEqual(['one', 'two', 'three']);
    expect(read?.isCut).toBe(true);
  });

  test('loses nothing when it is killed while it sets aside', async () => {
    const ports = memoryPorts({ files: { [journal]: two, [`${journal}.1`]: two } });
    const read = await readJournal(ports.host.files, journal);
    expect(read?.entries.map(({ phase }) => phase)).toEqual(['one', 'two']);
  });
});

describe('a file that is no journal', () => {
  const first = JSON.stringify(entryOf('one'));
  const key = '-----BEGIN RSA PRIVATE KEY-----\nMIIE\n-----END RSA PRIVATE KEY-----\n';
  const ofAnother = '{"time":"2026-01-01T00:00:00Z","level":"INFO","msg":"started"}\n';

  test.each([
    ['a key', key],
    ['a kubeconfig', 'apiVersion: v1\nkind: Config\n'],
    ['lines of JSON of another program', ofAnother],
    ['what has an entry further down', `${key}${first}\n`],
    ['a blank', ' '],
    ['bytes that are no text', '\u0000\u0001'],
  ])('is never written to: %s', async (_, text) => {
    for (const limit of [1_000_000, 1]) {
      const ports = memoryPorts({ files: { [journal]: text } });
      const open = openJournal(ports.host.files, journal, { limit });
      await expect(open.append(entryOf('two'))).rejects.toMatchObject({ code: 'PHASES_JOURNAL_FOREIGN' });
      await expect(open.append(entryOf('three'))).rejects.toMatchObject({ code: 'PHASES_JOURNAL_FOREIGN' });
      expect(ports.memory.text(journal)).toBe(text);
      expect(ports.memory.paths().filter((path) => path.startsWith(journal))).toEqual([journal]);
    }
  });

  test.each([
    ['an empty file', ''],
    ['a journal', `${first}\n`],
    ['a first line that a crash cut short', '{"time":"2026'],
    ['the same, later', `{"time":"2026\n${first}\n`],
    ['a first line cut after a letter', '{'],
  ])('is not: %s', async (_, text) => {
    const ports = memoryPorts({ files: { [journal]: text } });
    await openJournal(ports.host.files, journal).append(entryOf('two'));
    expect(parseJournal(ports.memory.text(journal) ?? '').at(-1)).toEqual(entryOf('two'));
  });

  test('is not replaced by what is set aside', async () => {
    const ports = memoryPorts({ files: { [journal]: `${first}\n`, [`${journal}.1`]: key } });
    const open = openJournal(ports.host.files, journal, { limit: 1 });
    await expect(open.append(entryOf('two'))).rejects.toThrow(`${journal}.1`);
    expect(ports.memory.text(`${journal}.1`)).toBe(key);
    expect(ports.memory.text(journal)).toBe(`${first}\n`);
  });

  test('leaves the run without a journal, with a warning', async () => {
    const ports = memoryPorts({ files: { [journal]: key } });
    const { error, events } = await run(workflowOf(derive('one', { writes: { a, b } })), ports, { journal });
    expect(error).toBeUndefined();
    expect(ports.memory.text('/etc/tiny/a')).toBeDefined();
    expect(ports.memory.text(journal)).toBe(key);
    const found = events.flatMap((event) => (event.type === 'finding' ? [event.finding] : []));
    expect(found).toMatchObject([{ code: 'PHASES_JOURNAL_UNWRITABLE', severity: 'warning', artifact: journal }]);
  });
});

test('readJournal() knows a journal that is not there', async () => {
  expect(await readJournal(memoryPorts().host.files, journal)).toBeUndefined();
});
