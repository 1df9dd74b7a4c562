import { expect, it } from 'vitest';
import { testdata } from '../test/testdata.ts';
import type { BootstrapToken } from './bootstrap-token.ts';
import { clusterInfo } from './cluster-info.ts';
import { isSignedBy } from './detached-jws.ts';
import { signClusterInfo } from './sign-cluster-info.ts';

const now = new Date('2026-11-30T12:00:00Z');
const token = (id: string, change: Partial<BootstrapToken> = {}): BootstrapToken => ({
  id,
  secret: '0123456789abcdef',
  usages: ['signing', 'authentication'],
  groups: [],
  ...change,
});
const unsigned = clusterInfo({ server: 'https://192.0.2.10:6443', certificateAuthority: testdata('ca.crt') });

it('those tokens sign that may, and what others left is removed', async () => {
  const before = { ...unsigned, data: { ...unsigned.data, other: 'kept', 'jws-kubeconfig-gonezz': 'x..y' } };
  const tokens = [
    token('abcdef'),
    token('future', { expires: new Date(now.getTime() + 1) }),
    token('expire', { expires: now }),
    token('nosign', { usages: ['authentication'] }),
  ];
  const { data = {} } = await signClusterInfo(before, { tokens, now });
  expect(Object.keys(data).sort()).toEqual(['jws-kubeconfig-abcdef', 'jws-kubeconfig-future', 'kubeconfig', 'other']);
  for (const id of ['abcdef', 'future']) {
    const signature = data[`jws-kubeconfig-${id}`] ?? '';
    expect(await isSignedBy(unsigned.data?.kubeconfig ?? '', { signature, token: token(id) })).toBe(true);
  }
});

it('signing again changes nothing', async () => {
  const once = await signClusterInfo(unsigned, { tokens: [token('abcdef')], now });
  expect(await signClusterInfo(once, { tokens: [token('abcdef')], now })).toEqual(once);
});
