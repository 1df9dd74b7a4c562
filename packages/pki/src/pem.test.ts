import { describe, expect, test } from 'vitest';
import { testdata } from '../test/testdata.ts';
import { decodeBase64, encodeBase64, encodePem, parsePem } from './pem.ts';

const block = '-----BEGIN CERTIFICATE-----\nAAEC\n-----END CERTIFICATE-----\n';

describe('parsePem', () => {
  test.each<[string, string, readonly string[]]>([
    ['one block', block, ['CERTIFICATE']],
    ['no line end at the end', block.trimEnd(), ['CERTIFICATE']],
    ['text around and between', `subject=CN = x\n${block}more\n\n${block}trailer`, ['CERTIFICATE', 'CERTIFICATE']],
    ['CRLF', block.replaceAll('\n', '\r\n'), ['CERTIFICATE']],
    ['blanks in and behind the base64', block.replace('AAEC', '  AA EC \t'), ['CERTIFICATE']],
    ['blanks behind the dashes', block.replaceAll('-----\n', '----- \n'), ['CERTIFICATE']],
    ['an indented block is none', `  ${block.replaceAll('\n', '\n  ')}`, []],
    ['labels that differ', block.replace('END CERTIFICATE', 'END X'), []],
    ['damaged base64 is left out, what follows is not', block.replace('AAEC', 'AA!C') + block, ['CERTIFICATE']],
    ['a cut block is left out, what follows is not', `-----BEGIN CERTIFICATE-----\nAAEC\n${block}`, ['CERTIFICATE']],
    ['cut short', block.slice(0, 40), []],
    ['nothing', '', []],
  ])('%s', (_, text, labels) => {
    const blocks = parsePem(text);
    expect(blocks.map(({ label }) => label)).toEqual(labels);
    for (const { der } of blocks) expect([...der]).toEqual([0, 1, 2]);
  });

  test('headers are seen and are no part of the contents', () => {
    const [encrypted] = parsePem(testdata('encrypted-sec1.key'));
    expect(encrypted).toMatchObject({ label: 'EC PRIVATE KEY', hasHeaders: true });
  });
});

test('encodePem breaks lines after 64 characters and undoes parsePem', () => {
  for (const name of ['root.crt', 'issuing.crt', 'rsa-pkcs1.key']) {
    const text = testdata(name);
    const [first] = parsePem(text);
    expect(encodePem(first?.label ?? '', first?.der ?? new Uint8Array())).toBe(text);
  }
});

test('base64 has every byte and refuses what is none', () => {
  const bytes = Uint8Array.from({ length: 256 }, (_, index) => index);
  expect(encodeBase64(bytes)).toBe(Buffer.from(bytes).toString('base64'));
  expect(decodeBase64(encodeBase64(bytes))).toEqual(bytes);
  for (const text of ['A', 'AAE', 'A-_A', 'AAE=AAE=']) expect(decodeBase64(text)).toBeUndefined();
});
