import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { parseYaml } from './parse-yaml.ts';
import { stringifyYaml } from './stringify-yaml.ts';

/** What sigs.k8s.io/yaml writes; testdata/go-yaml/main.go is the program. */
const written: readonly { readonly value: unknown; readonly text: string }[] = JSON.parse(
  readFileSync(new URL('../testdata/go-yaml/written.json', import.meta.url), 'utf8'),
);

/** Go leaves these plain although other YAML 1.1 readers take them for numbers or dates. */
const quotedBeyondGo = [
  '1e999',
  '-1e999',
  '123e4567',
  '.',
  '.e3',
  '2026-13-02',
  '2026-02-29',
  '2024-02-30',
  '2026-01-02T03:04:05',
  '2026-01-02 03:04:05 +1',
];

describe('stringifyYaml()', () => {
  it.each(written.map((row) => [row.text, row] as const))('writes the text of Go: %j', (text, { value }) => {
    const scalar = /^a: (.*)\n$/.exec(text)?.[1] ?? '';
    expect(stringifyYaml(value)).toBe(quotedBeyondGo.includes(scalar) ? `a: "${scalar}"\n` : text);
  });

  it.each(written.map((row) => [row.text, row] as const))('is read again as the same value: %j', (_, { value }) => {
    const text = stringifyYaml(value);
    expect(parseYaml(text)).toEqual(value);
    expect(parse(text, { version: '1.1', schema: 'yaml-1.1' })).toEqual(value);
    expect(parse(text, { version: '1.2' })).toEqual(value);
  });

  it('quotes what only readers other than Go misread', () => {
    expect(stringifyYaml({ a: '=', b: '<<' })).toBe('a: "="\nb: "<<"\n');
  });

  it('escapes line breaks that only YAML 1.1 knows', () => {
    expect(stringifyYaml({ a: 'x\u2028y\u0085z' })).toBe('a: "x\\Ly\\Nz"\n');
  });

  it('leaves undefined properties out and keeps null', () => {
    expect(stringifyYaml({ a: undefined, b: null, c: { d: undefined } })).toBe('b: null\nc: {}\n');
  });

  it.each([
    ['a function', () => 1],
    ['infinity', Number.POSITIVE_INFINITY],
    ['a symbol', Symbol('x')],
  ])('refuses %s', (_, value) => {
    expect(() => stringifyYaml({ a: value })).toThrow(TypeError);
  });
});
