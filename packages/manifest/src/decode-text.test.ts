import { isGroundplaneError } from '@groundplane/errors';
import { describe, expect, it } from 'vitest';
import { decodeText } from './decode-text.ts';

describe('decodeText()', () => {
  it.each([
    ['UTF-8', Buffer.from('a: é\n'), 'a: é\n'],
    ['UTF-8 with a byte order mark', Buffer.from('\ufeffa: é\n'), 'a: é\n'],
    ['UTF-16, little endian', Buffer.from('\ufeffa: é\n', 'utf16le'), 'a: é\n'],
    ['UTF-16, big endian', Buffer.from('\ufeffa: é\n', 'utf16le').swap16(), 'a: é\n'],
    ['nothing', Buffer.of(), ''],
  ])('reads %s', (_, bytes, text) => {
    expect(decodeText(bytes)).toBe(text);
  });

  it('refuses what no document of Kubernetes is as large as', () => {
    expect(decodeText(Buffer.alloc(1024 * 1024, '#'))).toHaveLength(1024 * 1024);
    expect(() => decodeText(Buffer.alloc(1024 * 1024 + 1, '#'))).toThrow('larger than 1 MiB: 1048577 bytes');
  });

  it.each([
    ['Latin-1', Buffer.from('a: x\nb: \u00e9\nc: y\n', 'latin1'), 'not UTF-8: line 2'],
    ['a character that is cut off', Buffer.from('a: x\n€').subarray(0, -1), 'not UTF-8: line 2'],
    ['half of a UTF-16 character', Buffer.from('\ufeffab', 'utf16le').subarray(0, -1), 'not UTF-16LE: line 1'],
    ['a surrogate alone', Buffer.from('\ufeffa\n\ud800\nb', 'utf16le'), 'not UTF-16LE: line 2'],
    ['a byte that never occurs', Buffer.of(0x61, 0xff), 'not UTF-8: line 1'],
  ])('refuses %s, with the line', (_, bytes, text) => {
    let thrown: unknown;
    try {
      decodeText(bytes);
    } catch (error) {
      thrown = error;
    }
    expect(isGroundplaneError(thrown) && thrown.code).toBe('MANIFEST_ENCODING_INVALID');
    expect(String(thrown)).toContain(text);
  });
});
