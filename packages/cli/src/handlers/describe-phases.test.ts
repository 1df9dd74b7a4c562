import { readFileSync } from 'node:fs';
import { exampleNode } from '@groundplane/bootstrap';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { describe, expect, test } from 'vitest';
import type { Invocation } from '../invocation.ts';
import { describePhases } from './describe-phases.ts';

const schema = JSON.parse(readFileSync(new URL('../../schemas/phases-describe.schema.json', import.meta.url), 'utf8'));
const validate = new Ajv2020({ strict: true, allErrors: true, allowUnionTypes: true }).compile(schema);

async function printed(flags: Invocation['flags'] = {}, ...words: readonly string[]): Promise<string> {
  const texts: string[] = [];
  const output = { stdout: (text: string) => void texts.push(text), stderr: () => {}, columns: undefined };
  await describePhases({ path: ['phases', 'describe'], flags, words, output } as unknown as Invocation);
  return texts.join('');
}

const workflows = ['init', 'join', 'reset'];

describe.each(workflows)('%s', (workflow) => {
  test('the document is valid by its schema, and one line as an event', async () => {
    const document = JSON.parse(await printed({ output: 'json', workflow }));
    expect(validate(document), JSON.stringify(validate.errors)).toBe(true);
    expect(document.workflow).toBe(workflow);
    const line = await printed({ output: 'jsonl', workflow });
    expect(line.trimEnd()).not.toContain('\n');
    expect(JSON.parse(line)).toEqual({ type: 'phases-describe', ...document });
    expect(validate(JSON.parse(line))).toBe(true);
  });

  test('all formats tell of the same phases', async () => {
    const { phases } = JSON.parse(await printed({ output: 'json', workflow })) as { phases: { phase: string }[] };
    const names = phases.map(({ phase }) => phase);
    const headings = (text: string, pattern: RegExp) => [...text.matchAll(pattern)].map(([, name]) => name);
    expect(headings(await printed({ output: 'markdown', workflow }), /^### (.*)$/gm)).toEqual(names);
    expect(headings(await printed({ workflow }), /^(\S+): /gm)).toEqual(names);
  });
});

test('what is not in the schema is refused', async () => {
  const document = JSON.parse(await printed({ output: 'json' }, 'certs/ca'));
  expect(validate(document)).toBe(true);
  expect(validate({ ...document, phases: [{ ...document.phases[0], more: 1 }] })).toBe(false);
  const [phase] = document.phases;
  const wrong = { ...phase, writes: [{ ...phase.writes[0], mode: 'rw' }] };
  expect(validate({ ...document, phases: [wrong] })).toBe(false);
});

test('one phase, or a group', async () => {
  const names = async (word: string) =>
    JSON.parse(await printed({ output: 'json' }, word)).phases.map(({ phase }: { phase: string }) => phase);
  expect(await names('certs/ca')).toEqual(['certs/ca']);
  expect(await names('control-plane')).toEqual(await names('control-plane/all'));
  expect(await names('Control-Plane')).toHaveLength(3);
  expect(await names('Control-Plane/ALL')).toEqual(await names('control-plane'));
  await expect(names('certs/c')).rejects.toMatchObject({ code: 'CLI_ARGUMENT_INVALID', kind: 'usage' });
});

test('text says who has to make what, and Markdown shows the documents', async () => {
  const text = await printed({}, 'certs/apiserver');
  expect(text).toContain(`DNS:${exampleNode.name}, IP:10.96.0.1, IP:${exampleNode.address}`);
  expect(text).toMatch(
    /writes {9}\/etc\/kubernetes\/pki\/apiserver\.key: PEM private key, mode 0600 \(at most 0640\), owner root:root, secret/,
  );
  const markdown = await printed({ output: 'markdown' }, 'control-plane/scheduler');
  expect(markdown).toContain('  ```yaml\n  apiVersion: v1\n');
});

test('values are those of the file', async () => {
  const config = new URL('../../test/described.yaml', import.meta.url).pathname;
  const text = await printed({ config }, 'certs/apiserver');
  expect(text).toContain('/srv/pki/apiserver.crt');
  expect(text).toContain('DNS:node-x, IP:10.96.0.1, IP:192.0.2.77');
  expect(text).toContain('a key of ECDSA-P384');
  await expect(printed({ config: '/nowhere.yaml' })).rejects.toMatchObject({ code: 'CLI_FILE_UNREADABLE' });
});
