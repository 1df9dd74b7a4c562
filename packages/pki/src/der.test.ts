import { describe, expect, test } from 'vitest';
import { openssl, testdata } from '../test/testdata.ts';
import { derElement, derElements, derTags } from './der.ts';
import { parsePem } from './pem.ts';

test.each([0, 1, 127, 128, 255, 256, 65_535, 65_536, 1_000_000])('contents of %i octets are found again', (length) => {
  const contents = new Uint8Array(length).fill(7);
  const bytes = derElement(derTags.sequence, contents.subarray(0, length >> 1), contents.subarray(length >> 1));
  const [element, ...others] = derElements(bytes);
  expect(others).toEqual([]);
  expect(element?.tag).toBe(derTags.sequence);
  expect(element?.contents.length).toBe(length);
  expect(element?.whole).toEqual(bytes);
});

test('lengths are written as openssl reads them', () => {
  const inner = derElement(0x04, new Uint8Array(300));
  const pem = `-----BEGIN X-----\n${Buffer.from(derElement(derTags.sequence, inner)).toString('base64')}\n-----END X-----\n`;
  expect(openssl(['asn1parse'], pem)).toMatch(
    /^ *0:d=0 +hl=4 l= 304 cons: SEQUENCE +\n *4:d=1 +hl=4 l= 300 prim: OCTET/,
  );
});

describe('the elements of a certificate', () => {
  const [block] = parsePem(testdata('root.crt'));
  const der = block?.der ?? new Uint8Array();

  test('are those that openssl lists', () => {
    const lines = openssl(['asn1parse'], testdata('root.crt')).split('\n');
    const depth = (level: number) => lines.filter((line) => line.includes(`:d=${level} `)).length;
    const [certificate] = derElements(der);
    const parts = derElements(certificate?.contents ?? der);
    expect(parts).toHaveLength(depth(1));
    const inside = parts
      .filter(({ tag }) => tag === derTags.sequence)
      .map(({ contents }) => derElements(contents).length);
    expect(inside.reduce((sum, count) => sum + count, 0)).toBe(depth(2));
  });

  test.each([1, 2, 3, 100])('cut short by %i octets are an error', (missing) => {
    expect(() => derElements(der.slice(0, der.length - missing))).toThrow('cut short');
  });
});
