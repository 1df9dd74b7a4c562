import { readFileSync } from 'node:fs';
import { parseDocuments, stringifyYaml } from '@groundplane/manifest';
import { describe, expect, it } from 'vitest';
import { documentTable } from './document-table.ts';
import {
  fieldPathsIn,
  meansPath,
  ourLenientVerdict,
  ourVerdict,
  theirLenientVerdict,
  theirVerdict,
} from './verdicts.ts';

/** How many mutations of each document are tried; another seed tries others. */
const rounds = Number(process.env.GROUNDPLANE_MUTATIONS ?? (process.env.GROUNDPLANE_TEST_FULL === '1' ? 100 : 20));
const seed = Number(process.env.GROUNDPLANE_SEED ?? 1);

/** Small and repeatable: the constants are those of the minimal standard generator (Park and Miller). */
function randomOf(start: number): (below: number) => number {
  let state = (start * 7919 + 12345) % 2147483647;
  return (below) => {
    state = (state * 48271) % 2147483647;
    return state % below;
  };
}

const values: readonly unknown[] = [
  ...[null, '', ' ', 0, 1, -1, 6443, 65536, 2147483648, 1.5, 1e21, true, false],
  ...['x', 'X', ' x ', 'no', '0', '5m', '0.5h', '-1h', '1d', 'a.example.com', '*.example.com', 'a_b', 'ä', 'a\nb'],
  ...[
    '10.0.0.0/16',
    '10.0.0.0/16,fd00::/112',
    'fd00::/64',
    '192.0.2.1',
    '2001:DB8::1',
    '127.0.0.1',
    '::',
    '192.0.2.010',
  ],
  ...[
    '/abs',
    'rel',
    'Always',
    'RSA-2048',
    'v1.36.0',
    'v1.20.0',
    'https://a:1',
    'http://[::1]:1',
    'unix:///a',
    'a:1',
    'file:///etc/hostname',
  ],
  ...['abcdef.0123456789abcdef', '2026-01-02T03:04:05Z', '2026-01-02T03:04:05.5+01:00', 'MNT_FORCE', '00'.repeat(32)],
  ...[
    [],
    ['x'],
    [null],
    [''],
    [1],
    [['x']],
    {},
    { x: true },
    { x: null },
    [{}],
    [{ name: 'a', value: 'b' }],
    [{ name: '' }],
  ],
];

type Container = Record<string, unknown> | unknown[];

/** Every place in a document that a mutation can hit. */
function places(value: unknown, found: { readonly parent: Container; readonly key: string | number }[] = []) {
  if (typeof value !== 'object' || value === null) return found;
  const parent = value as Container;
  const keys = Array.isArray(parent) ? parent.map((_item, index) => index) : Object.keys(parent);
  for (const key of keys) {
    found.push({ parent, key });
    places((parent as Record<string | number, unknown>)[key], found);
  }
  return found;
}

/** Deletes, replaces, retypes, renames or repeats one thing. */
function mutate(document: unknown, random: (below: number) => number): unknown {
  const copy = structuredClone(document);
  const all = places(copy);
  const place = all[random(all.length)];
  if (place === undefined) return copy;
  const parent = place.parent as Record<string | number, unknown>;
  const { key } = place;
  const value = parent[key];
  switch (random(6)) {
    case 0:
      if (Array.isArray(parent)) parent.splice(Number(key), 1);
      else delete parent[key];
      break;
    case 1:
      parent[key] = Array.isArray(value) ? [...value, ...value] : [value];
      break;
    case 2:
      if (typeof key === 'string') {
        parent[random(2) === 0 ? key.toUpperCase() : `${key}x`] = value;
        delete parent[key];
      }
      break;
    default:
      parent[key] = values[random(values.length)];
  }
  return copy;
}

const names = ['everything of reset', 'everything of upgrade', 'join of a control plane node', 'a file', 'all kinds'];
const bases: readonly (readonly [string, string])[] = [
  ['full init and cluster', readFileSync(new URL('fixtures/full-input.yaml', import.meta.url), 'utf8')],
  ...documentTable.filter(([name]) => names.includes(name)),
];

type Judge = (text: string) => { readonly valid: boolean; readonly output: string };
type OwnJudge = (text: string) => { readonly valid: boolean; readonly paths: readonly string[] };

/** Both ways of reading a file: strictly, and as commands do that only warn about fields they do not know. */
const readings: readonly (readonly [string, Judge, OwnJudge])[] = [
  ['read strictly', theirVerdict, ourVerdict],
  ['read by a command', theirLenientVerdict, ourLenientVerdict],
];

describe.each(readings)('mutated documents, %s', (_reading, judge, ownJudge) => {
  it.each(bases)('%s', (_name, text) => {
    const random = randomOf(seed);
    const documents = parseDocuments(text).map(({ value }) => value);
    const differences: unknown[] = [];
    for (let round = 0; round < rounds; round++) {
      const hit = random(documents.length);
      const mutated = documents.map((value, index) => (index === hit ? mutate(value, random) : value));
      const file = mutated.map((value) => stringifyYaml(value)).join('---\n');
      const theirs = judge(file);
      const ours = ownJudge(file);
      const missed = fieldPathsIn(theirs.output).filter((path) => !ours.paths.some((own) => meansPath(own, path)));
      if (theirs.valid === ours.valid && missed.length === 0) continue;
      differences.push({ changed: stringifyYaml(mutated[hit]), theirs, ours, missed });
    }
    expect(differences).toEqual([]);
  });
});
