import { readFileSync } from 'node:fs';
import { isGroundplaneError } from '@groundplane/errors';
import { describe, expect, it } from 'vitest';
import { parseDocuments, parseYaml } from './parse-yaml.ts';
import { resolveScalar } from './resolve-scalar.ts';

interface Golden {
  readonly name: string;
  readonly text: string;
  readonly value?: unknown;
  readonly error?: true;
  readonly duplicate?: boolean;
}

/** What Go's reader made of the texts; testdata/go-yaml/main.go is the program. */
function goldens(name: string): readonly Golden[] {
  return JSON.parse(readFileSync(new URL(`../testdata/go-yaml/${name}.json`, import.meta.url), 'utf8'));
}

function thrownBy(run: () => unknown): unknown {
  try {
    run();
  } catch (thrown) {
    return thrown;
  }
  return undefined;
}

const codeOf = (run: () => unknown): string | undefined => {
  const thrown = thrownBy(run);
  return isGroundplaneError(thrown) ? thrown.code : undefined;
};

describe('parseYaml()', () => {
  it.each(goldens('plain-scalars'))('resolves $text as Go does', ({ text, value, error }) => {
    if (error === true) {
      expect(codeOf(() => parseYaml(`a: ${text}\n`))).toBe('MANIFEST_YAML_INVALID');
    } else {
      expect(parseYaml(`a: ${text}\n`)).toEqual({ a: value });
    }
  });

  it.each(goldens('documents'))('reads as Go does: $name', ({ text, value, error, duplicate }) => {
    if (error === true) {
      expect(codeOf(() => parseYaml(text))).toBe('MANIFEST_YAML_INVALID');
      return;
    }
    expect(JSON.parse(JSON.stringify(parseYaml(text)))).toEqual(value);
    expect(codeOf(() => parseYaml(text, { strict: true }))).toBe(duplicate ? 'MANIFEST_DUPLICATE_KEY' : undefined);
  });

  it('keeps a timestamp apart from a string, for the writer', () => {
    expect(resolveScalar('2026-01-02').type).toBe('timestamp');
    expect(resolveScalar('2026-13-02').type).toBe('string');
  });

  it.each([
    ['plain', '{"a":"json"}', { a: 'json' }],
    ['tab', '{"a":1,\n\t"b":"c"}\n', { a: 1, b: 'c' }],
    ['escape of the basic plane', '{"a":"caf\\u00e9"}', { a: 'café' }],
    ['yes in quotes', '{"a":"yes"}', { a: 'yes' }],
    ['duplicate', '{"a":1,"a":2}', { a: 2 }],
    ['trailing comma', '{"a":1,}', 'MANIFEST_JSON_INVALID'],
    ['flow mapping', '{a: 1}', 'MANIFEST_JSON_INVALID'],
    ['two objects', '{"a":1}\n{"b":1}', 'MANIFEST_YAML_INVALID'],
    ['escaped slash', '{"a":"b\\/c"}', 'MANIFEST_YAML_INVALID'],
    ['surrogate pair', '{"a":"\\ud83d\\ude00"}', 'MANIFEST_YAML_INVALID'],
  ])('reads JSON as Kubernetes does: %s', (_, text, expected) => {
    if (typeof expected === 'string') expect(codeOf(() => parseYaml(text))).toBe(expected);
    else expect(parseYaml(text)).toEqual(expected);
  });

  it('does not quote the text in an error about JSON', () => {
    expect(String(thrownBy(() => parseYaml('{"key":"s3cret",}')))).not.toContain('s3cret');
  });

  const secret = 'LS0tLS1CRUdJTiBFQyBQUklWQVRFIEtFWS0tLS0tCg==';

  it.each([
    ['behind a quoted text', `key: "" ${secret}`],
    ['in quotes behind a text', `key:\n- a\n"${secret}"`],
    ['in the header of a block', `key: |${secret}`],
    ['as a number', `key: !!int ${secret}`],
    ['as a number in a list', `[!!int ${secret}]`],
    ['as an anchor', `key: *${secret}`],
    ['between two brackets', `key: []${secret}`],
    ['with an escape', `key: "${secret}\\q"`],
    ['without an end', `key: "${secret}`],
  ])('does not quote what may be secret: %s', (_, text) => {
    const thrown = thrownBy(() => parseYaml(text));
    expect(isGroundplaneError(thrown)).toBe(true);
    expect(String(thrown)).not.toContain(secret.slice(0, 12));
    expect(JSON.stringify(isGroundplaneError(thrown) && thrown.details)).not.toContain(secret.slice(0, 12));
  });

  it.each([
    ['NUL', 'a: 1\nb: x\0y\n', 'U+0000: line 2'],
    ['escape', 'a: \u001b[31m\n', 'U+001B: line 1'],
    ['delete, in a comment', '# \u007f\na: 1\n', 'U+007F: line 1'],
    ['no character', 'a: 1\n# \uffff\n', 'U+FFFF: line 2'],
  ])('refuses control characters: %s', (_, text, says) => {
    expect(String(thrownBy(() => parseYaml(text)))).toContain(says);
  });

  it.each([
    ['lists', `a: ${'['.repeat(5_000)}${']'.repeat(5_000)}`],
    ['mappings', `a: ${'{a: '.repeat(5_000)}1${'}'.repeat(5_000)}`],
    [
      'lists by indentation',
      `a:\n${Array.from({ length: 1_500 }, (_, depth) => `${' '.repeat(depth + 1)}-`).join('\n')}`,
    ],
    ['JSON', `{"a":${'['.repeat(5_000)}${']'.repeat(5_000)}}`],
    ['lists, one too many', `${'['.repeat(501)}${']'.repeat(501)}`],
  ])('refuses what is nested too deeply: %s', (_, text) => {
    const thrown = thrownBy(() => parseYaml(text));
    expect(codeOf(() => parseYaml(text))).toBe('MANIFEST_YAML_INVALID');
    expect(String(thrown)).toContain('nested too deeply');
  });

  it('reads what is nested deeply', () => {
    expect(JSON.stringify(parseYaml(`${'['.repeat(450)}${']'.repeat(450)}`))).toHaveLength(900);
  });

  /** Each one grows, or would, by a power. */
  it.each([
    [
      'aliases of aliases',
      Array.from(
        { length: 9 },
        (_, level) =>
          `a${level}: &a${level} [${Array(9)
            .fill(level === 0 ? 'x' : `*a${level - 1}`)
            .join(', ')}]`,
      ),
    ],
    [
      'merge keys of merge keys',
      Array.from(
        { length: 40 },
        (_, level) => `a${level}: &a${level} {${level === 0 ? '' : `<<: [*a${level - 1}, *a${level - 1}]`}}`,
      ),
    ],
  ])('refuses %s', (_, lines) => {
    expect(codeOf(() => parseYaml(lines.join('\n')))).toBe('MANIFEST_YAML_INVALID');
  });

  it.each([
    ['digits', `a: ${'9'.repeat(1_000_000)}`],
    ['zeros', `a: ${'0'.repeat(1_000_000)}`],
    ['digits of base 16', `a: 0x${'f'.repeat(1_000_000)}`],
    ['characters in quotes', `a: "${'x'.repeat(1_000_000)}"`],
    ['escapes', `a: "${'\\x41'.repeat(200_000)}"`],
    ['dashes', `a: ${'-'.repeat(1_000_000)}`],
    ['blanks', `a: x${' '.repeat(1_000_000)}y`],
    ['line ends', `a: x${'\n'.repeat(50_000)}`],
  ])('takes its time by the length alone: %s', (_, text) => {
    const start = performance.now();
    codeOf(() => parseYaml(text));
    expect(performance.now() - start).toBeLessThan(10_000);
  });

  it('reports the path and line of a duplicate key', () => {
    const thrown = thrownBy(() => parseYaml('a:\n  b: 1\n  c:\n  - d: 1\n    d: 2\n', { strict: true }));
    expect(thrown).toMatchObject({ details: { key: 'd', path: 'a.c[0].d', line: 5 } });
  });
});

describe('parseDocuments()', () => {
  const configuration = 'apiVersion: v1\nkind: ConfigMap\n';
  const count = (text: string): readonly string[] =>
    parseDocuments(text).map(({ kind, empty }) => (empty ? 'empty' : (kind ?? 'no kind')));

  it.each([
    ['comment before the first separator', `# c\n---\n${configuration}`, ['empty', 'ConfigMap']],
    ['blank line before the first separator', `\n---\n${configuration}`, ['empty', 'ConfigMap']],
    ['separator first', `---\n${configuration}`, ['ConfigMap']],
    ['two separators', `---\n---\n${configuration}`, ['empty', 'ConfigMap']],
    ['comment without separator', `# c\n${configuration}`, ['ConfigMap']],
    ['comment after the last separator', `${configuration}---\n# end\n`, ['ConfigMap', 'empty']],
    ['separator last', `${configuration}---\n`, ['ConfigMap']],
    ['separator last without line end', `${configuration}---`, ['ConfigMap']],
    ['empty in the middle', `${configuration}---\n\n\n---\n${configuration}`, ['ConfigMap', 'empty', 'ConfigMap']],
    ['byte order mark before a separator', `\ufeff---\n${configuration}`, ['ConfigMap']],
    ['dots at the end', `${configuration}...\n`, ['ConfigMap']],
    ['dots and a separator', `${configuration}...\n---\n${configuration}`, ['ConfigMap', 'ConfigMap']],
    ['Windows line ends', `${configuration}---\n${configuration}`.replaceAll('\n', '\r\n'), ['ConfigMap', 'ConfigMap']],
    ['Windows blank first', `\r\n---\r\n${configuration}`, ['empty', 'ConfigMap']],
    ['bare carriage returns', `${configuration}---\n${configuration}`.replaceAll('\n', '\r'), ['ConfigMap']],
    ['comment behind the separator', `${configuration}--- # x\n${configuration}`, ['ConfigMap', 'ConfigMap']],
    ['blanks behind the separator', `${configuration}---  \t\n${configuration}`, ['ConfigMap', 'ConfigMap']],
    ['nothing', '', []],
    ['two JSON documents', '{"kind":"A"}\n---\n{"kind":"B"}\n', ['A', 'B']],
    ['a list', '[1]', ['no kind']],
  ])('splits as Kubernetes does: %s', (_, text, expected) => {
    expect(count(text)).toEqual(expected);
  });

  it.each([
    ['four dashes', 'a: 1\n----\nb: 1\n'],
    ['text behind the separator', 'a: 1\n---foo: bar\n'],
    ['document behind the separator', '--- {a: 1}\n'],
  ])('refuses %s', (_, text) => {
    expect(codeOf(() => parseDocuments(text))).toBe('MANIFEST_SEPARATOR_INVALID');
  });

  it('cuts a quoted scalar at three dashes, as the splitting knows no YAML', () => {
    expect(codeOf(() => parseDocuments('a: "x\n---\ny"\n'))).toBe('MANIFEST_YAML_INVALID');
  });

  it('takes a document in flow style that is no JSON only where that is allowed', () => {
    const text = '{a: yes}\n---\n{"b": 1}\n';
    expect(codeOf(() => parseDocuments(text))).toBe('MANIFEST_JSON_INVALID');
    expect(parseDocuments(text, { allowFlowMappings: true }).map(({ value }) => value)).toEqual([
      { a: true },
      { b: 1 },
    ]);
  });

  it('takes indented dashes for text', () => {
    expect(parseDocuments('a: t\n  ---\n')[0]?.value).toEqual({ a: 't ---' });
    expect(parseDocuments('a: |\n  a\n  ---\n  b\n')[0]?.value).toEqual({ a: 'a\n---\nb\n' });
  });

  it('names the document and the line of the file in an error', () => {
    const thrown = thrownBy(() => parseDocuments('a: 1\n---\nb: 1\nc: [1\n'));
    expect(thrown).toMatchObject({ code: 'MANIFEST_YAML_INVALID', details: { document: 2 } });
    expect(String(thrown)).toMatch(/YAML document 2 .*line [45]$/);
  });

  it('gives the line of the file for a duplicate key', () => {
    expect(parseDocuments('a: 1\n---\nb: 1\nb: 2\n')[1]?.duplicateKeys).toEqual([{ key: 'b', path: 'b', line: 4 }]);
  });
});
