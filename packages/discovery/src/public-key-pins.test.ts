import { execFileSync } from 'node:child_process';
import { createHash, X509Certificate } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { testdata } from '../test/testdata.ts';
import { parsePins, pinnedCertificates, pinsOf } from './public-key-pins.ts';

const folder = new URL('../../../test/cases/pin-is-over-the-public-key/', import.meta.url);
const read = (name: string) => readFileSync(new URL(name, folder), 'utf8');
const pins = JSON.parse(read('pins.json')) as Readonly<Record<string, string>>;
const ca = read('ca.crt');
const corp = read('corp-root.crt');
const now = new Date('2026-11-30T12:00:00Z');
const pin = 'sha256:d6d55d061c1af36ad52a372ed7a2c7548e9219e5a738aa245ab4a1a1f84db088';
const nobody = `sha256:${'0'.repeat(64)}`;

function opensslPin(certificate: string): string {
  const key = execFileSync('openssl', ['x509', '-pubkey', '-noout'], { input: certificate });
  const der = execFileSync('openssl', ['pkey', '-pubin', '-outform', 'der'], { input: key });
  return `sha256:${createHash('sha256').update(der).digest('hex')}`;
}

describe('parsePins', () => {
  it.each([pin, pin.toUpperCase(), `SHA256:${pin.slice(7)}`, `Sha256:${pin.slice(7).toUpperCase()}`])(
    'takes %s',
    (text) => {
      expect(parsePins([text])).toEqual([pin]);
    },
  );

  it.each([
    ['no prefix', pin.slice(7)],
    ['31 bytes', pin.slice(0, -2)],
    ['33 bytes', `${pin}00`],
    ['half a byte more', `${pin}0`],
    ['two colons', `sha256:${pin}`],
    ['a colon at its end', `${pin}:`],
    ['another hash', `sha512:${pin.slice(7)}`],
    ['no hexadecimal digits', `${pin.slice(0, -1)}g`],
    ['a blank', `${pin} `],
    ['a line end', `${pin}\n`],
    ['nothing', ''],
  ])('refuses %s', (_, text) => {
    expect(() => parsePins([pin, text])).toThrow(
      expect.objectContaining({ code: 'DISCOVERY_PIN_INVALID', kind: 'usage' }),
    );
  });
});

describe('pinsOf', () => {
  it.each(['ca.crt', 'ca-reissued.crt', 'corp-root.crt'])('%s as openssl has it', async (name) => {
    expect(await pinsOf(read(name))).toEqual([opensslPin(read(name))]);
    expect(pins[name]).toBe(opensslPin(read(name)));
  });

  it('all certificates of a bundle, in their order', async () => {
    expect(await pinsOf(corp + ca)).toEqual([opensslPin(corp), opensslPin(ca)]);
  });
});

/** Subjects by another parser. */
function fingerprints(pem: string): readonly string[] {
  const blocks = pem.match(/-----BEGIN CERTIFICATE-----[^-]+-----END CERTIFICATE-----/g) ?? [];
  return blocks.map((block) => new X509Certificate(block).fingerprint256);
}

describe('pinnedCertificates', () => {
  it.each<[string, string, readonly string[]]>([
    ['the CA itself', ca, [pin]],
    ['one of two pins', ca, [nobody, pin]],
    ['a CA that was issued again for the same key', read('ca-reissued.crt'), [pin]],
  ])('%s', async (_, pem, list) => {
    expect(fingerprints(await pinnedCertificates(pem, { pins: list, now }))).toEqual(fingerprints(pem));
  });

  it('of a bundle only the pinned one, wherever it is, as a stranger beside it is not vouched for', async () => {
    const options = { pins: [pin], now };
    expect(fingerprints(await pinnedCertificates(read('bundle.crt'), options))).toEqual(fingerprints(ca));
    expect(fingerprints(await pinnedCertificates(ca + corp, options))).toEqual(fingerprints(ca));
  });

  it('both of a bundle where both are pinned', async () => {
    const both = await pinnedCertificates(corp + ca, { pins: [pin, opensslPin(corp)], now });
    expect(fingerprints(both)).toEqual(fingerprints(corp + ca));
  });

  it('a CA that the pinned one has signed, and one that only bears its name', async () => {
    const [root, issuing, impostor] = [testdata('ca.crt'), testdata('issuing.crt'), testdata('impostor-issuing.crt')];
    const options = { pins: [opensslPin(root)], now };
    expect(fingerprints(await pinnedCertificates(issuing + root, options))).toEqual(fingerprints(root + issuing));
    expect(fingerprints(await pinnedCertificates(impostor + root, options))).toEqual(fingerprints(root));
  });

  it.each([
    ['another CA', corp],
    ['a bundle of others', corp + corp],
  ])('%s is refused, and its pin told', async (_, pem) => {
    await expect(pinnedCertificates(pem, { pins: [pin], now })).rejects.toMatchObject({
      code: 'DISCOVERY_PIN_MISMATCH',
      kind: 'refused',
      message: expect.stringContaining(opensslPin(corp)),
    });
  });
});
