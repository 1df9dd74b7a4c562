import { hex } from './distinguished-name.ts';
import { violatedConstraint } from './name-constraints.ts';
import { loadX509Library, type ReadCertificate, type X509Library } from './x509-library.ts';

export interface Chain {
  readonly certificate: ReadCertificate;
  readonly intermediates: readonly ReadCertificate[];
  /** Trusted as they are, self-signed or not. */
  readonly anchors: readonly ReadCertificate[];
  readonly now: Date;
}

/** Why a certificate is not trusted. */
export interface Distrust {
  readonly reason: string;
  /**
   * `chain`: signatures and names do not lead to an anchor, or a CA on the way may not sign what it signed ·
   * `anchor`: the anchor signed the certificate itself, but by what it says it may not ·
   * `expired`, `early`: all is well but for the time of a CA on the way.
   */
  readonly fault: 'chain' | 'anchor' | 'expired' | 'early';
}

/**
 * Looks for a path from a certificate to an anchor (RFC 5280 6.1) by the rules of Go's `x509.Certificate.Verify`, which
 * the Kubernetes components apply: names compared byte by byte, signatures, CA flag, keyCertSign, path length, name
 * constraints, validity of every CA. The certificate's own validity and usages are left to the caller.
 *
 * @returns undefined if there is such a path
 */
export async function distrust(chain: Chain): Promise<Distrust | undefined> {
  const { certificate, anchors } = chain;
  if (anchors.some((anchor) => isSame(anchor, certificate))) return undefined;
  const library = await loadX509Library();
  const critical = unknownCriticalExtension(certificate);
  if (critical !== undefined) return { reason: critical, fault: 'chain' };
  return search([certificate], chain, library);
}

async function search(
  path: readonly ReadCertificate[],
  chain: Chain,
  library: X509Library,
): Promise<Distrust | undefined> {
  const child = path.at(-1) as ReadCertificate;
  const wanted = hex(child.verbatim.issuer);
  const bySubject = (candidate: ReadCertificate) =>
    hex(candidate.verbatim.subject) === wanted && !path.some((earlier) => isSame(earlier, candidate));
  const candidates = [
    ...chain.anchors.filter(bySubject).map((parent) => ({ parent, isAnchor: true })),
    ...chain.intermediates.filter(bySubject).map((parent) => ({ parent, isAnchor: false })),
  ];
  let failure: Distrust = {
    reason: `no CA certificate at hand has the name of its issuer '${child.issuer}'`,
    fault: 'chain',
  };
  for (const { parent, isAnchor } of candidates) {
    const obstacle = await obstacleTo(parent, { path, isAnchor }, library);
    const next = obstacle ?? (isAnchor ? undefined : await search([...path, parent], chain, library));
    const found = next ?? outsideValidity(parent, chain.now);
    if (found === undefined) return undefined;
    if (failure.fault === 'chain') failure = found;
  }
  return failure;
}

/** Why `parent` cannot have signed the last certificate of the path. */
async function obstacleTo(
  parent: ReadCertificate,
  { path, isAnchor }: { readonly path: readonly ReadCertificate[]; readonly isAnchor: boolean },
  library: X509Library,
): Promise<Distrust | undefined> {
  const { x509 } = library;
  const child = path.at(-1) as ReadCertificate;
  const constraints = parent.getExtension(x509.BasicConstraintsExtension);
  const usages = parent.getExtension(x509.KeyUsagesExtension)?.usages;
  const isVersion3 = parent.structure.tbsCertificate.version === 2;
  const name = `'${parent.subject}'`;
  const intermediates = path.length - 1;
  const signature = await signatureFault(child, parent);
  if (signature !== undefined) return { reason: signature, fault: 'chain' };
  const reason =
    unknownCriticalExtension(parent) ??
    ((constraints === null ? isVersion3 : !constraints.ca)
      ? `its issuer ${name} is no CA by its basic constraints`
      : undefined) ??
    (usages !== undefined && (usages & x509.KeyUsageFlags.keyCertSign) === 0
      ? `the key usage of its issuer ${name} lacks keyCertSign`
      : undefined) ??
    (constraints?.pathLength !== undefined && intermediates > constraints.pathLength
      ? `the path length of ${name} allows ${constraints.pathLength} CAs below it, there are ${intermediates}`
      : undefined) ??
    (await violatedConstraint(parent, path));
  return reason === undefined ? undefined : { reason, fault: isAnchor && path.length === 1 ? 'anchor' : 'chain' };
}

/** Whether names and signature say so; by what the parent may sign it is not held to anything. */
export async function signed(parent: ReadCertificate, child: ReadCertificate): Promise<boolean> {
  if (hex(parent.verbatim.subject) !== hex(child.verbatim.issuer)) return false;
  try {
    return await child.verify({ publicKey: parent.publicKey, signatureOnly: true });
  } catch {
    // An algorithm that is not known here: nobody can say who signed it.
    return false;
  }
}

async function signatureFault(child: ReadCertificate, parent: ReadCertificate): Promise<string | undefined> {
  const { signatureAlgorithm, tbsCertificate } = child.structure;
  if (!signatureAlgorithm.isEqual(tbsCertificate.signature)) {
    return 'it names two different signature algorithms';
  }
  try {
    if (child.signatureAlgorithm.hash.name === 'SHA-1') return 'its signature uses SHA-1, which Kubernetes refuses';
    if (await child.verify({ publicKey: parent.publicKey, signatureOnly: true })) return undefined;
  } catch {
    return `its signature algorithm is not supported: ${signatureAlgorithm.algorithm}`;
  }
  return `its signature is not by the key of '${parent.subject}', although the names match`;
}

function outsideValidity({ notBefore, notAfter, subject }: ReadCertificate, now: Date): Distrust | undefined {
  if (now > notAfter)
    return { reason: `its issuer '${subject}' expired on ${notAfter.toISOString()}`, fault: 'expired' };
  if (now < notBefore) {
    return { reason: `its issuer '${subject}' is not valid before ${notBefore.toISOString()}`, fault: 'early' };
  }
  return undefined;
}

/** Object identifiers of the extensions that are looked at here or by the caller, or that restrict nothing here. */
const knownExtensions = new Set([
  '2.5.29.14', // subjectKeyIdentifier
  '2.5.29.15', // keyUsage
  '2.5.29.17', // subjectAltName
  '2.5.29.19', // basicConstraints
  '2.5.29.30', // nameConstraints
  '2.5.29.31', // cRLDistributionPoints
  '2.5.29.32', // certificatePolicies
  '2.5.29.33', // policyMappings
  '2.5.29.35', // authorityKeyIdentifier
  '2.5.29.36', // policyConstraints
  '2.5.29.37', // extKeyUsage
  '2.5.29.54', // inhibitAnyPolicy
]);

function unknownCriticalExtension({ extensions, subject }: ReadCertificate): string | undefined {
  const unknown = extensions.find(({ critical, type }) => critical && !knownExtensions.has(type));
  return unknown && `'${subject}' has a critical extension that is not known: ${unknown.type}`;
}

function isSame(a: ReadCertificate, b: ReadCertificate): boolean {
  return a.equal(b);
}
