import { expect, it } from 'vitest';
import { mergeEnvironment, proxyEnvironment } from './environment.ts';

it('proxyEnvironment() takes all spellings and no empty values', () => {
  const environment = {
    HTTPS_PROXY: 'a',
    no_proxy: 'b',
    Http_Proxy: 'c',
    empty_proxy: '',
    _proxy: 'd',
    PROXY: 'e',
    proxy_url: 'f',
  };
  expect(proxyEnvironment(environment).map(({ name }) => name)).toEqual([
    'HTTPS_PROXY',
    'no_proxy',
    'Http_Proxy',
    '_proxy',
  ]);
});

it('mergeEnvironment() lets the last variable of a name count and sorts by bytes', () => {
  expect(
    mergeEnvironment(
      [
        { name: 'b', value: '1' },
        { name: 'a', value: '' },
      ],
      [{ name: 'B' }, { name: 'b', value: '2' }],
    ),
  ).toEqual([{ name: 'B' }, { name: 'a' }, { name: 'b', value: '2' }]);
});
