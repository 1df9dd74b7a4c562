import { describe, expect, test } from 'vitest';
import { checkPlugin } from './check-plugin.ts';

const sound = { interfaceVersion: 1, name: 'sound', signers: { one: () => ({}) }, phases: () => ({}) };

test('what fits the interface is given back', () => {
  expect(checkPlugin('pkg', sound)).toBe(sound);
  const least = { interfaceVersion: 1, name: 'least' };
  expect(checkPlugin('pkg', least)).toBe(least);
});

describe('refused by name, with the reason', () => {
  test.each([
    ['nothing', undefined, 'its default export is no plugin: nothing'],
    ['a function', () => sound, 'its default export is no plugin: a value of type function'],
    ['a list', [sound], 'its default export is no plugin: a list'],
    ['no version', { name: 'x' }, 'it does not say which interface version it is made for: nothing'],
    ['a version as text', { ...sound, interfaceVersion: '1' }, 'it is made for: a value of type string'],
    ['an older version', { ...sound, interfaceVersion: 0 }, 'it is made for an older interface version than 1: 0'],
    ['a newer version', { ...sound, interfaceVersion: 2 }, 'it is made for a newer interface version than 1: 2'],
    ['no name', { interfaceVersion: 1 }, "its 'name' is no text: nothing"],
    ['signers as a list', { ...sound, signers: [] }, "its 'signers' are no map of functions: a list"],
    [
      'a signer that is no function',
      { ...sound, signers: { s: {} } },
      "its signer 's' is no function: a value of type object",
    ],
    ['phases as a map', { ...sound, phases: {} }, "its 'phases' are no function: a value of type object"],
  ])('%s', (_, exported, reason) => {
    expect(() => checkPlugin('@x/broken', exported)).toThrow(
      expect.objectContaining({
        code: 'CLI_PLUGIN_UNUSABLE',
        kind: 'usage',
        message: expect.stringMatching(/^Cannot use the plugin '@x\/broken' as /),
        hint: expect.stringContaining('groundplane plugins uninstall @x/broken'),
      }),
    );
    expect(() => checkPlugin('@x/broken', exported)).toThrow(reason);
  });
});

test('what to do about another version depends on who is behind', () => {
  const hintOf = (interfaceVersion: number) => {
    try {
      return checkPlugin('p', { ...sound, interfaceVersion });
    } catch (error) {
      return (error as { readonly hint: string }).hint;
    }
  };
  expect(hintOf(0)).toMatch(/newer version of the plugin/);
  expect(hintOf(2)).toMatch(/^Update groundplane/);
});
