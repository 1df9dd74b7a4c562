import { createHash } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { componentConfigHash } from './component-config-hash.ts';

const base64 = (text: string) => Buffer.from(text).toString('base64');
const both = 'sha256:c8f8b724728a6d6684106e5e64e94ce811c9965d19dd44dd073cf86cf43bc238';

/** Values of kubeadm's own test, componentconfigs/checksums_test.go. */
describe('componentConfigHash', () => {
  it.each([
    ['data and binary data', { data: { foo: 'bar' }, binaryData: { bar: base64('baz') } }, both],
    ['keys do not count', { data: { foo2: 'bar' }, binaryData: { bar2: base64('baz') } }, both],
    ['data alone', { data: { foo: 'bar' } }, 'sha256:fcde2b2edba56bf408601fb721fe9b5c338d10ee429ea04fae5511b68fbf8fb9'],
    [
      'binary data alone',
      { binaryData: { bar: base64('baz') } },
      'sha256:baa5a0964d3320fbc0c6a922140453c8513ea24ab8fd0577034804a967248096',
    ],
  ])('%s', async (_name, configMap, expected) => {
    expect(await componentConfigHash(configMap)).toBe(expected);
  });

  it('takes values in the order of their keys and as UTF-8', async () => {
    const digest = createHash('sha256').update('2é1').digest('hex');
    expect(await componentConfigHash({ data: { b: '1', a: '2é' } })).toBe(`sha256:${digest}`);
  });
});
