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

it.each([
  [
    'a field',
    { fieldRef: { fieldPath: 'status.podIP' } },
    { fieldRef: { apiVersion: 'v1', fieldPath: 'status.podIP' } },
  ],
  ['a field of another version', { fieldRef: { apiVersion: 'v2', fieldPath: 'a' } }, undefined],
  [
    'a resource of the own container',
    { resourceFieldRef: { containerName: '', resource: 'limits.cpu', divisor: '0' } },
    { resourceFieldRef: { resource: 'limits.cpu', divisor: '0' } },
  ],
  ['a secret without a name', { secretKeyRef: { name: '', key: '' } }, { secretKeyRef: { key: '' } }],
  ['a map', { configMapKeyRef: { name: 'm', key: 'k', optional: false } }, undefined],
  ['a file', { fileKeyRef: { volumeName: '', path: 'p', key: 'k' } }, undefined],
  ['nothing', {}, undefined],
])('mergeEnvironment() writes a value from %s as Kubernetes does', (_, given, written) => {
  expect(mergeEnvironment([{ name: 'A', valueFrom: given }])).toEqual([{ name: 'A', valueFrom: written ?? given }]);
});
