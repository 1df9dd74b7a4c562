import { errorsOf, messageOf } from '@groundplane/errors';
import type { CertifyingRequest } from '@groundplane/phases';
import {
  type CertificateDescription,
  describeCertificate,
  publicKeysOf,
  splitCertificates,
  verifyCertificate,
} from '@groundplane/pki';
import { answerDifference } from './answer-difference.ts';

export interface KubeletAnswerRequest {
  readonly order: CertifyingRequest;
  /** PEM of the public key of the request. */
  readonly publicKey: string;
  /** PEM of the CA of the cluster: every certificate in it counts, as for the API server. */
  readonly authority: string;
  /** True if the request itself says how long the certificate is to be valid. */
  readonly isLimited: boolean;
  readonly now: Date;
}

export interface JudgedKubeletAnswer {
  /** PEM of the certificate and the intermediates behind it, and nothing else. */
  readonly text: string;
  readonly description: CertificateDescription;
}

/**
 * Holds a certificate to the request that it is for: the same key, names and usages, signed by the CA of the cluster, and valid now and no
 * longer than was asked for.
 *
 * @throws Error whose message says why it is refused: after "as"
 */
export async function judgeKubeletAnswer(
  answer: unknown,
  { order, publicKey, authority, isLimited, now }: KubeletAnswerRequest,
): Promise<JudgedKubeletAnswer> {
  if (typeof answer !== 'string') throw new Error(`it is no text: ${typeof answer}`);
  const chain = splitCertificates(answer);
  const text = chain.join('');
  const description = await describeCertificate(text).catch((cause) => {
    throw new Error(`it cannot be read: ${messageOf(cause)}`, { cause });
  });
  const reason =
    (await keyReason(text, publicKey)) ??
    (await differenceReason(text, order, authority)) ??
    keyUsageReason(description, order) ??
    (isLimited ? lifetimeReason(description, order) : undefined) ??
    (await trustReason(text, { order, authority, now }));
  if (reason !== undefined) throw new Error(reason);
  return { text, description };
}

async function keyReason(text: string, publicKey: string): Promise<string | undefined> {
  const [certified] = await publicKeysOf(text);
  return certified === publicKey ? undefined : 'it is for another key than the request';
}

async function differenceReason(text: string, { certificate }: CertifyingRequest, authority: string) {
  const { usages: extendedKeyUsages, commonName, organizations, dnsNames, ipAddresses, isCA } = certificate;
  const { notBefore, notAfter } = certificate;
  const profile = {
    ...{ commonName, organizations, dnsNames, ipAddresses, isCA, notBefore, notAfter, extendedKeyUsages },
    keyUsages: [],
  };
  return answerDifference({ profile, authority }, text);
}

/** What restricts nothing allows what was asked for; of keys that encipher none nobody minds that they may (RFC 5280 4.2.1.3). */
function keyUsageReason({ keyUsages }: CertificateDescription, order: CertifyingRequest): string | undefined {
  if (keyUsages === undefined) return undefined;
  const missing = order.keyUsages.filter((usage) => !keyUsages.includes(usage));
  const others = keyUsages.filter((usage) => usage !== 'digitalSignature' && usage !== 'keyEncipherment');
  if (missing.length === 0 && others.length === 0) return undefined;
  return `it has the key usages ${keyUsages.join(', ') || 'none'} where ${order.keyUsages.join(', ')} was asked for`;
}

/** Certificates have whole seconds. */
function lifetimeReason({ notAfter }: CertificateDescription, { certificate }: CertifyingRequest): string | undefined {
  if (+notAfter <= +certificate.notAfter) return undefined;
  return `it is valid until ${notAfter.toISOString()}, longer than was asked for: ${certificate.notAfter.toISOString()}`;
}

async function trustReason(
  text: string,
  { order, authority, now }: Pick<KubeletAnswerRequest, 'order' | 'authority' | 'now'>,
): Promise<string | undefined> {
  const { commonName, organizations, dnsNames, ipAddresses, usages } = order.certificate;
  const sans = { dnsNames, ipAddresses };
  const findings = await verifyCertificate({
    artifact: order.name,
    certificate: text,
    issuerCertificates: authority,
    anchors: 'all',
    expected: {
      isCA: false,
      subject: { commonName, organizations },
      subjectRole: 'exact',
      extendedKeyUsages: usages,
      sans,
      requiredSans: sans,
    },
    now,
  });
  const errors = errorsOf(findings);
  return errors.length === 0 ? undefined : errors.map(({ message }) => message).join('; ');
}
