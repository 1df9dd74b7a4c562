import { type Finding, messageOf } from '@groundplane/errors';
import type { Issued, Signer, SigningRequest } from '@groundplane/phases';
import { createSigningRequest, describeCertificate, requestedKeyUsages } from '@groundplane/pki';
import { answerDifference, endOf } from './answer-difference.ts';
import type { CertificateOrder, CertificateSigner } from './certificate-order.ts';
import { bootstrapError, bootstrapFinding } from './error-codes.ts';
import { webCryptoSigner } from './web-crypto-signer.ts';

type Wanted = NonNullable<SigningRequest['certificate']>;

/**
 * The Signer of the engine that has certificates signed by somebody else: a command, a plugin, a service. Keys are made here and stay here:
 * whoever signs gets requests that they have signed. Keys without a certificate are made as ever; a CA of its own (`self`) nobody can make
 * without its key. Answers are held to names and usages at once, and by the phases to all else.
 *
 * @param name how messages and the journal call it
 */
export function requestingSigner(name: string, source: CertificateSigner): Signer {
  const keys = webCryptoSigner();
  const issueOne = async (request: SigningRequest, key: Promise<Issued>): Promise<Issued> => {
    const made = await key;
    if (request.certificate === undefined) return made;
    const order = await limited({
      ...orderOf(request.name, request.certificate),
      request: await requestText(request.certificate, made.key),
    });
    const certificate = await signed(name, source, order);
    return { key: made.key, certificate, remarks: await shortfall(name, order, certificate) };
  };
  return {
    name,
    canIssue({ name: what, certificate }) {
      if (certificate === undefined) return true;
      if (certificate.issuer === 'self') return false;
      return source.canSign?.(orderOf(what, certificate)) ?? true;
    },
    announce: (algorithms) => keys.announce?.(algorithms),
    issue(requests) {
      const made = keys.issue(requests.map(({ certificate: _, ...keyAlone }) => keyAlone));
      return requests.map((request, index) => issueOne(request, made[index] as Promise<Issued>));
    },
    async certify({ name: what, request, certificate, keyUsages }) {
      const { profile, ...order } = orderOf(what, certificate);
      return signed(name, source, await limited({ ...order, profile: { ...profile, keyUsages }, request }));
    },
  };
}

async function signed(name: string, source: CertificateSigner, order: CertificateOrder): Promise<string> {
  let answer: unknown;
  try {
    answer = await source.sign(order);
  } catch (cause) {
    throw bootstrapError(
      'BOOTSTRAP_SIGNER_FAILED',
      `Cannot get the certificate '${order.name}' from the signer '${name}': ${messageOf(cause)}`,
      {
        hint: 'Nothing of it was written; run it again when the signer is in order',
        cause,
      },
    );
  }
  const refuse = (reason: string, cause?: unknown) =>
    bootstrapError(
      'BOOTSTRAP_SIGNER_FAILED',
      `Cannot use the answer of the signer '${name}' to '${order.name}' as ${reason}`,
      {
        hint: 'Nothing of it was written; correct what the CA adds or leaves out, and run it again',
        cause,
      },
    );
  if (typeof answer !== 'string') throw refuse(`it is no text: ${typeof answer}`);
  let difference: string | undefined;
  try {
    difference = await answerDifference(order, answer);
  } catch (cause) {
    throw refuse(`it cannot be read: ${messageOf(cause)}`, cause);
  }
  if (difference !== undefined) throw refuse(difference);
  return answer;
}

/** How much of the validity that was asked for may be missing without a word: some CAs begin and end with a day. */
const tolerated = 0.01;

/** A CA may grant less than it is asked for, but then somebody has to renew sooner. */
async function shortfall(
  name: string,
  { name: what, profile }: CertificateOrder,
  certificate: string,
): Promise<readonly Finding[]> {
  const { notBefore, notAfter } = await describeCertificate(certificate);
  const [asked, granted] = [+profile.notAfter - +profile.notBefore, +notAfter - +notBefore];
  if (granted >= asked * (1 - tolerated)) return [];
  return [
    bootstrapFinding({
      code: 'BOOTSTRAP_ANSWER_TOO_SHORT',
      severity: 'warning',
      artifact: what,
      message: `The signer '${name}' gives less than was asked for: ${what} is valid until ${notAfter.toISOString()}, and was to be until ${profile.notAfter.toISOString()}`,
      hint: 'Renew it before, set certificateValidityPeriod to what the CA grants, or have the CA grant more',
    }),
  ];
}

/** Nobody is asked for a certificate that outlives its CA, as most sign none. */
async function limited(order: CertificateOrder): Promise<CertificateOrder> {
  const { notAfter } = order.profile;
  const end = await endOf(order.authority);
  return { ...order, profile: { ...order.profile, notAfter: new Date(Math.min(+end, +notAfter)) } };
}

function orderOf(name: string, wanted: Wanted): Omit<CertificateOrder, 'request'> {
  const { usages, issuer, ...profile } = wanted;
  const { commonName, organizations, dnsNames, ipAddresses, isCA, notBefore, notAfter } = profile;
  return {
    name,
    authority: issuer === 'self' ? '' : issuer.certificate,
    ...(issuer === 'self' || issuer.name === undefined ? {} : { issuer: issuer.name }),
    profile: {
      ...{ commonName, organizations, dnsNames, ipAddresses, isCA, notBefore, notAfter },
      keyUsages: requestedKeyUsages({ isCA }),
      extendedKeyUsages: usages,
    },
  };
}

function requestText({ commonName, organizations, dnsNames, ipAddresses, usages, isCA }: Wanted, key: string) {
  const subject = { commonName, organizations };
  return createSigningRequest({ subject, sans: { dnsNames, ipAddresses }, extendedKeyUsages: usages, isCA }, key);
}
