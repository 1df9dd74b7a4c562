import { encodePem } from './pem.ts';
import { distrust, signed } from './verify-chain.ts';
import { parseCertificate, parseCertificates } from './x509-certificate.ts';
import type { ReadCertificate } from './x509-library.ts';

export interface ChainParts {
  /** PEM; the first certificate is the leaf. */
  readonly certificate: string;
  /** PEM of certificates that may be intermediates, in any order. */
  readonly candidates: readonly string[];
  /** PEM of the CA certificates that its users trust. */
  readonly anchors: readonly string[];
  readonly now: Date;
}

/**
 * Puts a certificate together with the intermediates that lead to a CA that is trusted, in the order in which TLS sends them (RFC 8446
 * 4.4.2: each certifies the one before it) and Go's `tls.X509KeyPair` takes them. The anchor itself is left out. Of several
 * ways the first that verifies counts; where none leads to an anchor, as far as signatures lead.
 *
 * @returns PEM of the leaf and, behind it, of the intermediates
 * @throws PKI_CERTIFICATE_UNREADABLE
 */
export async function completeChain({ certificate, candidates, anchors, now }: ChainParts): Promise<readonly string[]> {
  const leaf = await parseCertificate(certificate);
  const [trusted, others] = await Promise.all([all(anchors), all(candidates)]);
  const intermediates = others.filter((one) => !trusted.some((anchor) => anchor.equal(one)) && !one.equal(leaf));
  const ways = await waysFrom([leaf], { intermediates, trusted });
  const complete = ways.filter(({ isComplete }) => isComplete);
  for (const { path } of complete) {
    const verdict = await distrust({ certificate: leaf, intermediates: path.slice(1), anchors: trusted, now });
    if (verdict === undefined) return textsOf(path);
  }
  const [best] = complete.length > 0 ? complete : ways.toSorted((a, b) => b.path.length - a.path.length);
  return textsOf(best?.path ?? [leaf]);
}

interface Way {
  readonly path: readonly ReadCertificate[];
  readonly isComplete: boolean;
}

/** More than any CA has; a bundle of hundreds that certify one another is not searched for ever. */
const longest = 8;

async function waysFrom(
  path: readonly ReadCertificate[],
  pool: { readonly intermediates: readonly ReadCertificate[]; readonly trusted: readonly ReadCertificate[] },
): Promise<readonly Way[]> {
  const child = path.at(-1) as ReadCertificate;
  for (const anchor of pool.trusted)
    if (anchor.equal(child) || (await signed(anchor, child))) return [{ path, isComplete: true }];
  const ways: Way[] = [];
  for (const parent of pool.intermediates) {
    if (path.length >= longest || path.some((earlier) => earlier.equal(parent)) || !(await signed(parent, child)))
      continue;
    ways.push(...(await waysFrom([...path, parent], pool)));
  }
  return ways.length > 0 ? ways : [{ path, isComplete: false }];
}

async function all(texts: readonly string[]): Promise<readonly ReadCertificate[]> {
  return (await Promise.all(texts.map((text) => parseCertificates(text)))).flat();
}

function textsOf(path: readonly ReadCertificate[]): readonly string[] {
  return path.map(({ rawData }) => encodePem('CERTIFICATE', rawData));
}
