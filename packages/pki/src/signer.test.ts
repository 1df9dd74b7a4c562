import { expect, test } from 'vitest';
import { openssl, testdata, usualFacts, withFiles } from '../test/testdata.ts';
import { certificateRequest, defaultValidityPeriods } from './certificate-request.ts';
import { certificateRow, certificateTable } from './certificate-table.ts';
import { isPair } from './key-pair.ts';
import { localSigner, type SigningTask } from './signer.ts';

const options = {
  now: new Date('2026-12-01T12:00:00Z'),
  validityPeriods: defaultValidityPeriods,
  keyAlgorithm: 'ECDSA-P256',
} as const;
const task = (name: Parameters<typeof certificateRow>[0]): SigningTask => {
  const row = certificateRow(name);
  return { name, issuer: row.issuer, request: certificateRequest(row, usualFacts, options) };
};

test('a whole table at once: every certificate verifies under its own CA of the same list', async () => {
  const issued = await localSigner()(certificateTable.map(({ name }) => task(name)));
  expect(issued).toHaveLength(certificateTable.length);
  const byName = new Map(certificateTable.map(({ name }, index) => [name as string, issued[index]]));
  for (const { name, issuer } of certificateTable) {
    const leaf = byName.get(name);
    const authority = byName.get(issuer === 'self' ? name : issuer);
    if (leaf === undefined || authority === undefined) throw new Error(`nothing issued for ${name}`);
    expect(await isPair(leaf.certificate, leaf.key)).toBe(true);
    const verdict = withFiles({ ca: authority.certificate, leaf: leaf.certificate }, (paths) =>
      openssl(['verify', '-x509_strict', '-attime', '1796126400', '-CAfile', paths.ca, paths.leaf]),
    );
    expect(verdict).toContain(': OK');
  }
});

test('signs with the authorities that it holds and certifies given keys', async () => {
  const sign = localSigner({ ca: { certificate: testdata('root.crt'), key: testdata('root.key') } });
  const key = testdata('rsa-pkcs1.key');
  const [leaf] = await sign([{ ...task('apiserver'), key }]);
  expect(leaf?.key).toBe(key);
  const verdict = withFiles({ leaf: leaf?.certificate ?? '', ca: testdata('root.crt') }, (paths) =>
    openssl(['verify', '-attime', '1796126400', '-CAfile', paths.ca, paths.leaf]),
  );
  expect(verdict).toContain(': OK');
});

test('a CA whose key is elsewhere: the error names certificate and CA', async () => {
  await expect(localSigner()([task('apiserver')])).rejects.toMatchObject({
    code: 'PKI_ISSUER_UNKNOWN',
    kind: 'unavailable',
    message: "Cannot issue the certificate 'apiserver' as the signer does not hold the key of its CA: ca",
  });
});
