import { X509Certificate } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { openssl, testdata, testdataPath } from '../test/testdata.ts';
import { certificateChain } from './certificate-chain.ts';

const print = (name: string) => new X509Certificate(testdata(name)).fingerprint256.replaceAll(':', '').toLowerCase();
const join = (...names: readonly string[]) => names.map(testdata).join('');

/** Links as `role file`. */
async function shown(leaf: readonly string[], anchors: readonly string[] | undefined): Promise<readonly string[]> {
  const chain = await certificateChain({
    certificate: join(...leaf),
    ...(anchors === undefined ? {} : { anchors: join(...anchors) }),
  });
  const known = [...leaf, ...(anchors ?? [])];
  return chain.map(({ role, fingerprint }) => `${role} ${known.find((name) => print(name) === fingerprint)}`);
}

describe('certificateChain', () => {
  it.each<readonly [string, readonly string[], readonly string[] | undefined, readonly string[]]>([
    ['signed by the CA', ['leaf-of-root.crt'], ['root.crt'], ['leaf leaf-of-root.crt', 'anchor root.crt']],
    [
      'by way of an intermediate CA in the file',
      ['leaf-of-issuing.crt', 'issuing.crt'],
      ['root.crt'],
      ['leaf leaf-of-issuing.crt', 'intermediate issuing.crt', 'anchor root.crt'],
    ],
    [
      'with certificates in any order and one too many',
      ['leaf-of-below.crt', 'root.crt', 'issuing.crt', 'below.crt'],
      ['root.crt'],
      ['leaf leaf-of-below.crt', 'intermediate below.crt', 'intermediate issuing.crt', 'anchor root.crt'],
    ],
    [
      'up to an anchor that is an intermediate CA',
      ['leaf-of-issuing.crt'],
      ['issuing.crt'],
      ['leaf leaf-of-issuing.crt', 'anchor issuing.crt'],
    ],
    [
      'of several anchors the one that signed',
      ['leaf-of-root.crt'],
      ['issuing.crt', 'root.crt'],
      ['leaf leaf-of-root.crt', 'anchor root.crt'],
    ],
    ['of a CA with the same name and another key', ['leaf-of-root.crt'], ['impostor.crt'], ['leaf leaf-of-root.crt']],
    ['without the intermediate CA', ['leaf-of-issuing.crt'], ['root.crt'], ['leaf leaf-of-issuing.crt']],
    [
      'without anchors',
      ['leaf-of-issuing.crt', 'issuing.crt'],
      undefined,
      ['leaf leaf-of-issuing.crt', 'intermediate issuing.crt'],
    ],
    ['an anchor itself', ['root.crt'], ['root.crt'], ['anchor root.crt']],
  ])('%s', async (_, leaf, anchors, expected) => {
    expect(await shown(leaf, anchors)).toEqual(expected);
  });

  it('says which certificate bears its own signature', async () => {
    const chain = await certificateChain({ certificate: testdata('leaf-of-root.crt'), anchors: testdata('root.crt') });
    expect(chain.map(({ isSelfSigned }) => isSelfSigned)).toEqual([false, true]);
    // The name of its issuer alone is none.
    const signer = ['-CA', testdataPath('root.crt'), '-CAkey', testdataPath('root.key'), '-set_serial', '1'];
    const namesake = openssl(['x509', '-in', testdataPath('impostor.crt'), ...signer, '-days', '30']);
    const { subject, issuer, publicKey } = new X509Certificate(namesake);
    expect(subject).toBe(issuer);
    expect(new X509Certificate(namesake).verify(publicKey)).toBe(false);
    const [link] = await certificateChain({ certificate: namesake });
    expect(link?.isSelfSigned).toBe(false);
  });

  it('refuses what holds no certificate', async () => {
    await expect(certificateChain({ certificate: 'nothing' })).rejects.toMatchObject({
      code: 'PKI_CERTIFICATE_UNREADABLE',
    });
  });
});
