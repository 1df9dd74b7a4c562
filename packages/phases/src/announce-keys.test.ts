import { expect, test } from 'vitest';
import { run, textFile, tiny, workflowOf } from '../test/tiny-workflow.ts';
import type { Signer } from './index.ts';
import { memoryPorts } from './testing/index.ts';

const root = textFile('root');
const leaf = textFile('leaf');
const leafKey = textFile('leaf.key');

const rootPhase = tiny.definePhase({
  name: 'root',
  summary: 'Make the root',
  writes: { root },
  keyAlgorithm: () => 'RSA-4096',
  render: ({ issue, outputs }) =>
    issue({ name: 'root', algorithm: 'RSA-4096' }, ({ key }) => outputs({ root: `root ${key}` })),
  verify: () => [],
});

const leafPhase = tiny.definePhase({
  name: 'leaf',
  summary: 'Make the leaf',
  reads: { root },
  writes: { leafKey, leaf },
  keyAlgorithm: () => 'ECDSA-P256',
  render: ({ existing: { leafKey: key }, issue, outputs }) =>
    issue({ name: 'leaf', algorithm: 'ECDSA-P256', ...(key === undefined ? {} : { key }) }, (issued) =>
      outputs({ leafKey: issued.key, leaf: 'leaf' }),
    ),
  verify: () => [],
});

const workflow = workflowOf(rootPhase, leafPhase);

/** What is announced in a run in which some of the files are there. */
async function announcedWith(files: Readonly<Record<string, string>>): Promise<readonly (readonly string[])[]> {
  const ports = memoryPorts({ files });
  const announced: (readonly string[])[] = [];
  const signer: Signer = { ...ports.signer, announce: (algorithms) => void announced.push(algorithms) };
  const { error } = await run(workflow, { ...ports, signer });
  expect(error).toBeUndefined();
  return announced;
}

test('the keys of all phases are announced before the first one is made, also of those whose inputs are not there', async () => {
  expect(await announcedWith({})).toEqual([['RSA-4096', 'ECDSA-P256']]);
});

test('no key is announced for what is there', async () => {
  expect(await announcedWith({ '/etc/tiny/root': 'root' })).toEqual([['ECDSA-P256']]);
});

test('no key is announced where one is to be used', async () => {
  expect(await announcedWith({ '/etc/tiny/root': 'root', '/etc/tiny/leaf.key': 'key' })).toEqual([]);
});

test('a run that stops announces nothing', async () => {
  const ports = memoryPorts({ files: { '/etc/tiny/root': 'broken' } });
  const announced: unknown[] = [];
  const signer: Signer = { ...ports.signer, announce: (algorithms) => void announced.push(algorithms) };
  const { error } = await run(workflow, { ...ports, signer });
  expect(error).toMatchObject({ code: 'PHASES_CONFLICT' });
  expect(announced).toEqual([]);
});
