import { type CertificateDescription, describe } from './describe-certificate.ts';
import { signed } from './verify-chain.ts';
import { parseCertificates } from './x509-certificate.ts';
import type { ReadCertificate } from './x509-library.ts';

/** What a certificate of a chain is there. */
export type ChainRole = 'leaf' | 'intermediate' | 'anchor';

export interface ChainLink extends CertificateDescription {
  readonly role: ChainRole;
  /** True if it bears its own signature. */
  readonly isSelfSigned: boolean;
}

export interface ChainSources {
  /** PEM; the first certificate is the leaf, the others are intermediates. */
  readonly certificate: string;
  /** PEM of the CA file that its users trust, each certificate of it. @default there is none */
  readonly anchors?: string | undefined;
}

/**
 * The way from a certificate to the one that is trusted, by the signatures, for people: it says who signed what, and not that all is well, which
 * is the affair of `verifyCertificate`.
 *
 * @returns the leaf first; the last one is an `anchor` if the signatures lead to one. A certificate that is an anchor itself is one link.
 * @throws PKI_CERTIFICATE_UNREADABLE
 */
export async function certificateChain({ certificate, anchors }: ChainSources): Promise<readonly ChainLink[]> {
  const [leaf, ...intermediates] = await parseCertificates(certificate);
  const trusted = anchors === undefined ? [] : await parseCertificates(anchors);
  const path: ReadCertificate[] = [leaf];
  const isTrusted = (one: ReadCertificate) => trusted.some((anchor) => anchor.equal(one));
  while (!isTrusted(path.at(-1) as ReadCertificate)) {
    const child = path.at(-1) as ReadCertificate;
    const next = await signerOf(child, [...trusted, ...intermediates], path);
    if (next === undefined) break;
    path.push(next);
  }
  return Promise.all(
    path.map(async (one, index) => ({
      ...(await describe(one)),
      role: isTrusted(one) ? ('anchor' as const) : index === 0 ? ('leaf' as const) : ('intermediate' as const),
      isSelfSigned: await signed(one, one),
    })),
  );
}

async function signerOf(
  child: ReadCertificate,
  candidates: readonly ReadCertificate[],
  path: readonly ReadCertificate[],
): Promise<ReadCertificate | undefined> {
  for (const candidate of candidates) {
    if (path.some((earlier) => earlier.equal(candidate))) continue;
    if (await signed(candidate, child)) return candidate;
  }
  return undefined;
}
