import { describe, expect, test } from 'vitest';
import { tellingLines } from './telling-lines.ts';

const trace = [
  'goroutine 1 [running]:',
  'go.uber.org/zap/zapcore.CheckWriteAction.OnWrite(0x1?, 0x2?, {0x0?, 0x0?, 0x0?})',
  '\tgo.uber.org/zap@v1.27.0/zapcore/entry.go:196 +0x54',
  'main.main()',
  '\tgo.etcd.io/etcd/main.go:12 +0x28',
];
const wal = '{"level":"panic","msg":"failed to create WAL","error":"no space left on device"}';

describe('tellingLines', () => {
  test.each([
    ['the last ones', ['a', 'b', 'c'], ['b', 'c']],
    ['all where there are fewer', ['a'], ['a']],
    ['none of an empty log', [], []],
    [
      'the reason before a stack trace of Go',
      ['a', wal, 'panic: failed to create WAL', '', ...trace],
      [wal, 'panic: failed to create WAL'],
    ],
    [
      'the reason before those of all goroutines',
      ['a', 'fatal error: out of memory', '', ...trace, '', 'goroutine 7 [select]:', 'x()'],
      ['a', 'fatal error: out of memory'],
    ],
    [
      'what is said after a stack trace that the program outlived',
      ['panic: x', '', ...trace, 'E1130 goes on', 'I1130 and on'],
      ['E1130 goes on', 'I1130 and on'],
    ],
    [
      'a stack trace whose reason is not to be seen',
      trace.slice(2),
      ['main.main()', '\tgo.etcd.io/etcd/main.go:12 +0x28'],
    ],
  ])('shows %s', (_, log, shown) => {
    expect(tellingLines(log, 2)).toEqual(shown);
  });
});
