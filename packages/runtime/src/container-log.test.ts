import { expect, it } from 'vitest';
import { parseContainerLog } from './container-log.ts';

const entry = (stream: string, tag: string, text: string): string =>
  `2016-10-06T00:17:09.669794202Z ${stream} ${tag} ${text}\n`;

it.each([
  { name: 'whole lines', text: entry('stdout', 'F', 'one') + entry('stderr', 'F', 'two'), expected: ['one', 'two'] },
  {
    name: 'a line in pieces',
    text: entry('stdout', 'P', 'one ') + entry('stdout', 'P', 'two ') + entry('stdout', 'F', 'three'),
    expected: ['one two three'],
  },
  {
    name: 'pieces of two streams',
    text: entry('stdout', 'P', 'out') + entry('stderr', 'F', 'err') + entry('stdout', 'F', 'put'),
    expected: ['err', 'output'],
  },
  {
    name: 'a line that has no end yet',
    text: entry('stdout', 'F', 'one') + entry('stdout', 'P', 'two'),
    expected: ['one', 'two'],
  },
  { name: 'more than one tag', text: entry('stdout', 'P:x', 'a') + entry('stdout', 'F:x', 'b'), expected: ['ab'] },
  {
    name: 'an empty line and blanks',
    text: entry('stdout', 'F', '') + entry('stdout', 'F', '  indented '),
    expected: ['', '  indented '],
  },
  {
    name: 'a first entry that was cut',
    text: `9.66Z stdo${entry('stdout', 'F', 'x')}${entry('stdout', 'F', 'one')}`,
    expected: ['one'],
  },
  { name: 'nothing', text: '', expected: [] },
])('reads $name', ({ text, expected }) => {
  expect(parseContainerLog(text)).toEqual(expected);
});
