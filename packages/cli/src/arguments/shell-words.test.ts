import { execFileSync } from 'node:child_process';
import { expect, test } from 'vitest';
import { shellWords } from './shell-words.ts';

test.each<[string, readonly string[]]>([
  ['/usr/local/bin/sign', ['/usr/local/bin/sign']],
  ['  sign   --ca  main ', ['sign', '--ca', 'main']],
  [`sign 'two words' "and two"`, ['sign', 'two words', 'and two']],
  [`sign --name='a b'c"d e"`, ['sign', '--name=a bcd e']],
  [`sign '' ""`, ['sign', '', '']],
  [`sign 'a "b" \\ $c'`, ['sign', 'a "b" \\ $c']],
  [`sign "a 'b' \\" \\\\ \\$c \\n"`, ['sign', `a 'b' " \\ $c \\n`]],
  [`sign a\\ b \\'c \\*`, ['sign', 'a b', "'c", '*']],
  ['sign a#b a~b x=y {z}', ['sign', 'a#b', 'a~b', 'x=y', '{z}']],
  ['sign\tä\u00fc', ['sign', 'ä\u00fc']],
])('%s', (text, words) => {
  expect(shellWords(text)).toEqual({ words });
  const byShell = execFileSync('sh', ['-c', `printf '%s\\0' ${text}`], { encoding: 'utf8' });
  expect(byShell.split('\0').slice(0, -1)).toEqual(words);
});

test.each([
  ...[...'|&;<>()$`*?['].map((character) => [`sign a${character}b`, `'${character}'`]),
  ['sign "$HOME"', "'$'"],
  ['sign "`id`"', "'`'"],
  ['sign ~/x', "'~'"],
  ['sign #x', "'#'"],
  ["sign 'a", "a quote is not closed: '"],
  ['sign "a\\"', 'a quote is not closed: "'],
  ['sign a\\', 'it ends with a backslash'],
])('%s is refused', (text, reason) => {
  expect(shellWords(text ?? '')).toEqual({ reason: expect.stringContaining(reason ?? '') });
});

test('nothing is no word', () => {
  expect(shellWords(' ')).toEqual({ words: [] });
});
