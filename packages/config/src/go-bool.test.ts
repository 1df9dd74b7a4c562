import { describe, expect, it } from 'vitest';
import { parseGoBool } from './go-bool.ts';

describe('parseGoBool', () => {
  it.each(['1', 't', 'T', 'true', 'TRUE', 'True'])('reads %s as true', (text) => {
    expect(parseGoBool(text)).toBe(true);
  });

  it.each(['0', 'f', 'F', 'false', 'FALSE', 'False'])('reads %s as false', (text) => {
    expect(parseGoBool(text)).toBe(false);
  });

  it.each(['', 'yes', 'tRUE', 'on', '2', 'toString'])('refuses %j', (text) => {
    expect(parseGoBool(text)).toBeUndefined();
  });
});
