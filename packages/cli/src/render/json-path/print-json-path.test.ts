import { describe, expect, it } from 'vitest';
import { parseJsonPath } from './parse-json-path.ts';
import { printJsonPath } from './print-json-path.ts';

const store = {
  name: 'jsonpath',
  book: [
    { category: 'reference', author: 'Nigel Rees', price: 8.95 },
    { category: 'fiction', author: 'Evelyn Waugh', price: 12.99 },
    { category: 'fiction', author: 'Herman Melville', price: 8.99, isbn: '0-553-21311-3' },
  ],
  labels: { 'k8s.io/role': 'x', plain: true },
  nothing: null,
};

const print = (template: string, more: { readonly allowMissingKeys?: boolean; readonly asJson?: boolean } = {}) =>
  printJsonPath(parseJsonPath(template), store, { allowMissingKeys: false, ...more });

/** The dialect's own examples (kubernetes.io, reference/kubectl/jsonpath; client-go/util/jsonpath tests). */
describe('printJsonPath', () => {
  it.each([
    ['text alone', 'hello', 'hello'],
    ['a quoted text', '{"hello\\n"}', 'hello\n'],
    ['a quoted text in single quotes', "{'it\\'s'}", "it's"],
    ['a field', '{.name}', 'jsonpath'],
    ['a field without a dot before it, from the root', '{$.name}', 'jsonpath'],
    ['several paths with text between', 'name={.name};{"\\t"}{.labels.plain}', 'name=jsonpath;\ttrue'],
    ['an element', '{.book[0].author}', 'Nigel Rees'],
    ['an element from the end', '{.book[-1].author}', 'Herman Melville'],
    ['a range of elements', '{.book[0:2].price}', '8.95 12.99'],
    ['a range with a step', '{.book[0:3:2].price}', '8.95 8.99'],
    ['a range without its ends', '{.book[:].price}', '8.95 12.99 8.99'],
    ['a range to before the end', '{.book[0:-1].price}', '8.95 12.99'],
    ['all elements', '{.book[*].category}', 'reference fiction fiction'],
    ['a union', '{.book[0,2].price}', '8.95 8.99'],
    ['a key in brackets', "{.labels['k8s\\.io/role']}", 'x'],
    ['an escaped key', '{.labels.k8s\\.io/role}', 'x'],
    ['recursive descent', '{..price}', '8.95 12.99 8.99'],
    ['a comparison', '{.book[?(@.price<10)].author}', 'Nigel Rees Herman Melville'],
    ['an equality', '{.book[?(@.category=="fiction")].price}', '12.99 8.99'],
    ['existence', '{.book[?(@.isbn)].isbn}', '0-553-21311-3'],
    ['an object', '{.labels}', '{"k8s.io/role":"x","plain":true}'],
    ['null', '{.nothing}', 'null'],
    ['a loop', '{range .book[*]}{.author}{"; "}{end}', 'Nigel Rees; Evelyn Waugh; Herman Melville; '],
    ['a loop in a loop', '{range .book[0:1]}{range .author}<{@}>{end}!{end}.', '<Nigel Rees>!.'],
    ['a loop over nothing', '[{range .book[0:0]}{.author}{end}]', '[]'],
  ])('%s', (_, template, text) => {
    expect(print(template)).toBe(text);
  });

  it('prints what each path finds as a list', () => {
    expect(print('{.book[*].price}', { asJson: true })).toBe('[\n    8.95,\n    12.99,\n    8.99\n]\n');
  });

  it('takes a missing field as nothing where that is wanted', () => {
    expect(print('<{.missing.field}>', { allowMissingKeys: true })).toBe('<>');
    expect(() => print('{.missing}')).toThrow('missing is not found');
  });

  it.each([
    ['{.name', 'unclosed action'],
    ['{.book[0}', 'unterminated array'],
    ['{.book[x]}', 'invalid array index x'],
    ['{"x}', 'unterminated quoted string'],
    ['{....name}', 'invalid multiple recursive descent'],
    ['{end}', 'not in range, nothing to end'],
    ['{frob}', 'unrecognized identifier frob'],
    ['{.book[9]}', 'array index out of bounds: index 9, length 3'],
    ['{.book[?(@.price<"x")]}', 'incompatible types for comparison'],
    ['{*}', 'unrecognized character in action'],
  ])('refuses %s', (template, message) => {
    expect(() => print(template)).toThrow(message);
  });
});
