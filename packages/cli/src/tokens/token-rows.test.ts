import { describe, expect, it } from 'vitest';
import { tokenObject, tokenRow } from './token-rows.ts';

const now = new Date('2030-01-01T00:00:00Z');
const token = {
  id: 'abcdef',
  secret: '0123456789abcdef',
  usages: ['authentication', 'signing'],
  groups: ['system:bootstrappers:a', 'system:bootstrappers:b'],
};
const bare = { ...token, usages: [], groups: [] };
const until = (seconds: number) => new Date(now.getTime() + seconds * 1000);

describe('tokenRow', () => {
  it('has a header before the first row, with which it lines up', () => {
    const text = tokenRow({ ...token, expires: until(86_399), description: 'one' }, { now, isFirst: true });
    expect(text).toBe(
      [
        'TOKEN                     TTL         EXPIRES                USAGES                   DESCRIPTION                                                EXTRA GROUPS',
        'abcdef.0123456789abcdef   23h         2030-01-01T23:59:59Z   authentication,signing   one                                                        system:bootstrappers:a,system:bootstrappers:b',
        '',
      ].join('\n'),
    );
  });

  it('says what is not there', () => {
    expect(tokenRow(bare, { now, isFirst: false })).toBe(
      'abcdef.0123456789abcdef   <forever>   <never>   <none>                   <none>                                                     <none>\n',
    );
  });

  it.each([
    [-2, '<invalid>'],
    [-1, '0s'],
    [0, '0s'],
    [59.9, '59s'],
    [60, '1m'],
    [3599, '59m'],
    [3600, '1h'],
    [86_400, '1d'],
    [364 * 86_400, '364d'],
    [365 * 86_400, '1y'],
    [800 * 86_400, '2y'],
  ])('%d seconds are %s', (seconds, text) => {
    expect(tokenRow({ ...token, expires: until(seconds) }, { now, isFirst: false }).split(/\s+/)[1]).toBe(text);
  });
});

it('leaves out what is empty in the object', () => {
  expect(tokenObject(bare)).toEqual({
    kind: 'BootstrapToken',
    apiVersion: 'output.kubeadm.k8s.io/v1alpha3',
    token: 'abcdef.0123456789abcdef',
  });
  expect(tokenObject({ ...token, expires: until(0.5), description: 'x' })).toMatchObject({
    expires: '2030-01-01T00:00:00Z',
    description: 'x',
    usages: token.usages,
    groups: token.groups,
  });
});
