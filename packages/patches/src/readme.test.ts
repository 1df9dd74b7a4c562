import { readFileSync } from 'node:fs';
import { stringifyYaml } from '@groundplane/manifest';
import { expect, test } from 'vitest';
import { applyPatches, readPatches } from './index.ts';

test('the example of the README prints what it says', () => {
  const readme = readFileSync(new URL('../README.md', import.meta.url), 'utf8');
  const [, example = ''] = /```ts\n([\s\S]*?)```/.exec(readme) ?? [];
  const code = example.replaceAll(/^import .*$/gm, '');
  const printed: string[] = [];
  const known = { stringifyYaml, applyPatches, readPatches, console: { log: (text: string) => printed.push(text) } };
  new Function(...Object.keys(known), code)(...Object.values(known));
  const promised = [...example.matchAll(/^\/\/ (.*)$/gm)].map(([, line]) => `${line}\n`).join('');
  expect(printed).toEqual([promised]);
});
