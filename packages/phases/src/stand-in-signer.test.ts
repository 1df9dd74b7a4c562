import { expect, test } from 'vitest';
import type { Signer, SigningRequest } from './ports.ts';
import { standInSigner } from './stand-in-signer.ts';
import { fakeSigner, parseFakeCertificate } from './testing/index.ts';

const real = 'the key that is there';

function recorded() {
  const asked: SigningRequest[] = [];
  const signer = fakeSigner(1);
  const issue: Signer['issue'] = (requests) => {
    asked.push(...requests);
    return signer.issue(requests);
  };
  return { answer: standInSigner({ ...signer, issue }), asked };
}

function requestFor(name: string, issuer: 'self' | { certificate: string; key?: string }): SigningRequest {
  const certificate = {
    ...{ commonName: name, organizations: [], dnsNames: [], ipAddresses: [], usages: [], isCA: issuer === 'self' },
    ...{ notBefore: new Date(0), notAfter: new Date(1), issuer },
  };
  return { name, algorithm: 'RSA-2048', certificate };
}

test('a chain that is made from nothing is what a run would get', async () => {
  const { answer } = recorded();
  const root = await answer(requestFor('ca', 'self'));
  const leaf = await answer(requestFor('leaf', { certificate: root.certificate ?? '', key: root.key }));
  expect([root.faithful, leaf.faithful]).toEqual([true, true]);
  expect(parseFakeCertificate(leaf.certificate ?? '').issuer).toBe(parseFakeCertificate(root.certificate ?? '').key);
});

test.each<[string, SigningRequest]>([
  ['to sign with', requestFor('leaf', { certificate: 'the CA that is there', key: real })],
  ['as its own', { ...requestFor('ca', 'self'), key: real }],
  ['alone', { name: 'sa', algorithm: 'RSA-2048', key: real }],
])('a key that is there is not used: %s', async (_, request) => {
  const { answer, asked } = recorded();
  const { faithful, key } = await answer(request);
  expect(faithful).toBe(false);
  expect(key).not.toContain(real);
  expect(asked.length).toBeGreaterThan(0);
  expect(JSON.stringify(asked)).not.toContain(real);
});

test('one authority stands in for each that is there', async () => {
  const { answer, asked } = recorded();
  for (const [name, ca] of [
    ['a', 'one'],
    ['b', 'one'],
    ['c', 'other'],
  ] as const)
    await answer(requestFor(name, { certificate: ca, key: real }));
  expect(asked.filter(({ certificate }) => certificate?.issuer === 'self')).toHaveLength(2);
});
