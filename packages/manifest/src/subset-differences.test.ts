import { describe, expect, it } from 'vitest';
import { sameObject, subsetDifferences } from './subset-differences.ts';

describe('subsetDifferences()', () => {
  it.each([
    ['equal', { a: 1 }, { a: 1 }, []],
    ['live has more', { a: 1 }, { a: 1, b: 2 }, []],
    ['other value', { a: 1 }, { a: 2 }, ['a']],
    ['other type', { a: '1' }, { a: 1 }, ['a']],
    ['missing', { a: { b: 1, c: 2 } }, {}, ['a.b', 'a.c']],
    ['absent is the empty string', { a: '' }, {}, []],
    ['absent is the empty list', { a: [] }, {}, []],
    ['absent is the empty map', { a: {} }, {}, []],
    ['absent is null', { a: null }, {}, []],
    ['the empty list is absent', { a: [] }, { a: null }, []],
    ['empty wanted, full there', { a: [] }, { a: [1] }, ['a']],
    ['empty string wanted, text there', { a: '' }, { a: 'x' }, ['a']],
    ['empty map wanted, foreign entries there', { a: {} }, { a: { x: 1 } }, []],
    ['false is a value', { a: false }, {}, ['a']],
    ['zero is a value', { a: 0 }, {}, ['a']],
    ['undefined asks for nothing', { a: undefined }, { a: 1 }, []],
    ['list item', { a: [{ b: 1 }] }, { a: [{ b: 2 }] }, ['a[0].b']],
    ['list item with a default added', { a: [{ b: 1 }] }, { a: [{ b: 1, c: 2 }] }, []],
    ['longer list', { a: [1] }, { a: [1, 2] }, ['a']],
    ['other order', { a: [1, 2] }, { a: [2, 1] }, ['a[0]', 'a[1]']],
    ['key with a dot', { data: { 'x.conf': 'a' } }, { data: { 'x.conf': 'b' } }, ['data["x.conf"]']],
    ['no live object', { a: 1 }, undefined, ['a']],
  ])('%s', (_, desired, live, expected) => {
    expect(subsetDifferences(desired, live)).toEqual(expected);
    expect(sameObject(desired, live)).toBe(expected.length === 0);
  });
});
