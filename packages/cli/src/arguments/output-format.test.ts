import { expect, it } from 'vitest';
import { outputFormat } from './output-format.ts';

it.each<readonly [string, string, string | undefined]>([
  ['a word of its own', 'init -o json --frob', 'json'],
  ['behind what is unknown', 'frob -o json', 'json'],
  ['joined to the letter', '-ojson frob', 'json'],
  ['with an equals sign', 'frob -o=json', 'json'],
  ['the long name', 'frob --output jsonl', 'jsonl'],
  ['the long name with an equals sign', 'frob --output=json', 'json'],
  ['the last of two', 'frob -o text -o json', 'json'],
  ['none', 'frob --outputs=json', undefined],
  ['without a value', 'init -o', undefined],
  ['no flag any more', 'init -- -o json', undefined],
])('%s', (_, line, format) => {
  expect(outputFormat(line.split(' '))).toBe(format);
});
