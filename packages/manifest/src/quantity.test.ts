import { describe, expect, it } from 'vitest';
import { normalQuantity, quantityAtMost } from './quantity.ts';

/** Outcomes of apimachinery's resource.ParseQuantity and String. */
describe('normalQuantity', () => {
  it.each([
    ['0', '0'],
    ['0Ki', '0'],
    ['5', '5'],
    ['1.5', '1500m'],
    ['1500', '1500'],
    ['2000', '2k'],
    ['1024Ki', '1Mi'],
    ['1536Mi', '1536Mi'],
    ['1.5Gi', '1536Mi'],
    ['100Mi', '100Mi'],
    ['512Ki', '512Ki'],
    ['0.5Ki', '512'],
    ['1e3', '1e3'],
    ['1000e3', '1e6'],
    ['12E', '12E'],
    ['0.5m', '500u'],
    ['1n', '1n'],
    ['0.1n', '1n'],
    ['-5Gi', '-5Gi'],
    ['+5k', '5k'],
    [' 7 ', '7'],
    ['.5', '500m'],
    ['5.', '5'],
  ])('%j is %s', (text, expected) => {
    expect(normalQuantity(text)).toBe(expected);
  });

  it.each(['', 'x', '.', 'Ki', '1 Mi', '1KiB', '1mi', '--1', '1e', '2026-01-02', '5m0s'])('refuses %j', (text) => {
    expect(normalQuantity(text)).toBeUndefined();
  });
});

describe('quantityAtMost', () => {
  it.each([
    ['1500m', '1', false],
    ['1', '1000m', true],
    ['1Mi', '1M', false],
    ['1M', '1Mi', true],
    ['-1', '0', true],
    ['-1', '-2', false],
    ['1e3', '1k', true],
    ['lots', '1', undefined],
    ['1', '', undefined],
  ])('%j is at most %j: %s', (quantity, limit, expected) => {
    expect(quantityAtMost(quantity, limit)).toBe(expected);
  });
});
