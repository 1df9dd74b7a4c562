import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { normalizeArguments, persistentFlags } from '../src/index.ts';

it('the example of the README says what it prints', () => {
  const readme = readFileSync(new URL('../README.md', import.meta.url), 'utf8');
  const example = /```ts\n(.*?)```/s.exec(readme)?.[1] ?? '';
  const body = example
    .replace(/^import .*\n/, '')
    .replaceAll(' as const', '')
    .replace(/console\.log\((.*)\);.*/, 'return [$1];');
  const [path, flags] = new Function('normalizeArguments', 'persistentFlags', body)(
    normalizeArguments,
    persistentFlags,
  );
  const comment = /\/\/ (.*)/.exec(example)?.[1] ?? '';
  expect(comment).toBe("[ 'serve' ] { v: 5, names: [ 'a', 'b', 'c' ] }");
  expect({ path, flags }).toEqual({ path: ['serve'], flags: { v: 5, names: ['a', 'b', 'c'] } });
});
