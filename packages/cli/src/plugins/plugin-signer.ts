import { webCryptoSigner } from '@groundplane/bootstrap';
import { messageOf } from '@groundplane/errors';
import type { Issued, Signer, SigningRequest } from '@groundplane/phases';
import { createSigningRequest, requestedKeyUsages } from '@groundplane/pki';
import type { CertificateOrder, CertificateSigner } from '@groundplane/plugin';
import { cliError } from '../error-codes.ts';
import { answerDifference } from './answer-difference.ts';

type Wanted = NonNullable<SigningRequest['certificate']>;

/**
 * The Signer of the engine that has certificates signed by a plugin. Keys are made here and stay here: the plugin gets requests that they
 * sign. Keys without a certificate are made as ever; a CA of its own (`self`) no plugin can make without its key.
 *
 * @param name how messages call it
 */
export function pluginSigner(name: string, source: CertificateSigner): Signer {
  const keys = webCryptoSigner();
  const issueOne = async (request: SigningRequest, key: Promise<Issued>): Promise<Issued> => {
    const made = await key;
    if (request.certificate === undefined) return made;
    const order = {
      ...orderOf(request.name, request.certificate),
      request: await requestText(request.certificate, made.key),
    };
    return { key: made.key, certificate: await signed(name, source, order) };
  };
  return {
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
  };
}

async function signed(name: string, source: CertificateSigner, order: CertificateOrder): Promise<string> {
  let answer: unknown;
  try {
    answer = await source.sign(order);
  } catch (cause) {
    throw cliError(
      'CLI_SIGNER_FAILED',
      `Cannot get the certificate '${order.name}' from the signer '${name}': ${messageOf(cause)}`,
      {
        hint: 'Nothing of it was written; run it again when the signer is in order',
        cause,
      },
    );
  }
  const refuse = (reason: string, cause?: unknown) =>
    cliError('CLI_SIGNER_FAILED', `Cannot use the answer of the signer '${name}' to '${order.name}' as ${reason}`, {
      hint: 'Nothing of it was written; correct what the CA adds or leaves out, and run it again',
      cause,
    });
  if (typeof answer !== 'string') throw refuse(`it is no text: ${typeof answer}`);
  let difference: string | undefined;
  try {
    difference = await answerDifference(order.profile, answer);
  } catch (cause) {
    throw refuse(`it cannot be read: ${messageOf(cause)}`, cause);
  }
  if (difference !== undefined) throw refuse(difference);
  return answer;
}

function orderOf(name: string, wanted: Wanted): Omit<CertificateOrder, 'request'> {
  const { usages, issuer, ...profile } = wanted;
  const { commonName, organizations, dnsNames, ipAddresses, isCA, notBefore, notAfter } = profile;
  return {
    name,
    authority: issuer === 'self' ? '' : issuer.certificate,
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
