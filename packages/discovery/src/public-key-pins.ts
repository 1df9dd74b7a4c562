import { publicKeyPin, splitCertificates, verifyCertificate } from '@groundplane/pki';
import { discoveryError } from './error-codes.ts';

/**
 * Reads pins of public keys as `--discovery-token-ca-cert-hash` takes them (kubeadm: util/pubkeypin).
 *
 * @param texts `sha256:` and the hexadecimal digits of 32 bytes, in either case
 * @returns the same in lower case
 * @throws DISCOVERY_PIN_INVALID
 */
export function parsePins(texts: readonly string[]): readonly string[] {
  return texts.map((text) => {
    if (/^sha256:[0-9a-f]{64}$/i.test(text)) return text.toLowerCase();
    throw discoveryError(
      'DISCOVERY_PIN_INVALID',
      `Cannot use the pin as it is not sha256: and 64 hexadecimal digits: ${JSON.stringify(text)}`,
      { hint: 'See the right one: groundplane token create --print-join-command, on a control-plane node' },
    );
  });
}

/**
 * The pins of all certificates of a CA, in their order.
 *
 * @param certificateAuthority PEM, one or several certificates
 * @throws PKI_CERTIFICATE_UNREADABLE
 */
export async function pinsOf(certificateAuthority: string): Promise<readonly string[]> {
  return Promise.all(splitCertificates(certificateAuthority).map(publicKeyPin));
}

/**
 * The certificates of a CA that its pins answer for: those whose public key is pinned, and those that one of them has signed
 * as a CA. kubeadm trusts all of them as soon as one is pinned, so that a pinned certificate, which is public, would let in
 * any other beside it.
 *
 * @param certificateAuthority PEM, one or several certificates
 * @param pins as {@link parsePins} gives them
 * @returns PEM
 * @throws PKI_CERTIFICATE_UNREADABLE, DISCOVERY_PIN_MISMATCH
 */
export async function pinnedCertificates(
  certificateAuthority: string,
  options: { readonly pins: readonly string[]; readonly now: Date },
): Promise<string> {
  const certificates = splitCertificates(certificateAuthority);
  const theirs = await Promise.all(certificates.map(publicKeyPin));
  const anchors = certificates.filter((_, index) => options.pins.includes(theirs[index] ?? ''));
  if (anchors.length === 0) {
    throw discoveryError(
      'DISCOVERY_PIN_MISMATCH',
      `Cannot trust the API server as no CA in its cluster-info has a pinned public key: ${theirs.join(', ') || 'none'}`,
      {
        hint: 'Compare with what a control-plane node says: groundplane token create --print-join-command. If that is what was given, another server answers at this address',
        details: { found: theirs, pinned: options.pins },
      },
    );
  }
  const trusted = [...anchors];
  let others = certificates.filter((certificate) => !anchors.includes(certificate));
  // Level by level: a search through all paths would have as many as the sender likes.
  for (let found = trusted; found.length > 0; ) {
    const chain = { anchors: trusted, now: options.now };
    const vouched = await Promise.all(others.map((other) => isIssuedBy(other, chain)));
    found = others.filter((_, index) => vouched[index]);
    others = others.filter((_, index) => !vouched[index]);
    trusted.push(...found);
  }
  return trusted.join('');
}

async function isIssuedBy(
  certificate: string,
  chain: { readonly anchors: readonly string[]; readonly now: Date },
): Promise<boolean> {
  const nothing = { dnsNames: [], ipAddresses: [] };
  const findings = await verifyCertificate({
    artifact: 'cluster-info',
    certificate,
    issuerCertificates: chain.anchors.join(''),
    anchors: 'all',
    expected: {
      isCA: true,
      subject: { commonName: '', organizations: [] },
      subjectRole: 'free',
      extendedKeyUsages: [],
      sans: nothing,
      requiredSans: nothing,
    },
    now: chain.now,
  });
  return findings.every(({ severity }) => severity !== 'error');
}
