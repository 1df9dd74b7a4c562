import { messageOf } from '@groundplane/errors';
import type { Host, Signer } from '@groundplane/phases';
import { firstCertificate, splitCertificates, type Validity, validityOf } from '@groundplane/pki';
import { certificateArtifactsOf } from './artifacts.ts';
import { refuseExpiredAuthority } from './authority-validity.ts';
import { bootstrapError } from './error-codes.ts';
import { placeIn } from './findings-about.ts';
import { type InitContext, validityPeriodsOf } from './init-context.ts';
import type { KubeletAuthority } from './kubelet-request-order.ts';
import { readText } from './read-text.ts';
import { issuerOf } from './signing-requests.ts';

const authority = certificateArtifactsOf('ca');

/**
 * The CA that kubelets' certificates have to come from, with its key where that is here.
 *
 * @throws GroundplaneError BOOTSTRAP_KUBELET_SIGNER_MISSING if it is not here, or the key is not and nobody else signs; BOOTSTRAP_AUTHORITY_EXPIRED
 */
export async function kubeletAuthority(
  context: InitContext,
  { host, signer }: { readonly host: Host; readonly signer: Signer },
  now: Date,
): Promise<KubeletAuthority> {
  const [place, keyPlace] = [placeIn(context, authority.certificate), placeIn(context, authority.key)];
  const certificate = await readText(host, place);
  if (certificate === undefined)
    throw missing(`the certificate of its CA is not here: ${place}`, {
      hint: 'Run it on a control-plane node as root, or name the folder that ca.crt is in: --cert-dir',
    });
  let validity: Validity;
  const key = await readText(host, keyPlace);
  try {
    // What is signed here is signed by the first; of the others one may have signed as well.
    const issuers = key === undefined ? splitCertificates(certificate) : [firstCertificate(certificate)];
    const all = await Promise.all([firstCertificate(certificate), ...issuers.slice(1)].map(validityOf));
    validity = {
      notBefore: new Date(Math.min(...all.map(({ notBefore }) => +notBefore))),
      notAfter: new Date(Math.max(...all.map(({ notAfter }) => +notAfter))),
    };
  } catch (cause) {
    throw missing(`the certificate of its CA cannot be used, ${place}: ${messageOf(cause)}`, { cause });
  }
  if (signer.certify === undefined || (signer.name === undefined && key === undefined))
    throw missing(`the key of its CA is not here, and nobody else is named who signs: ${keyPlace}`, {
      hint: "Name who signs: --signer-command 'PROGRAM ARGUMENTS', or signer in the GroundplaneConfiguration of --config",
    });
  if (key !== undefined) await refuseExpiredAuthority({ certificate, place }, 'certificates of kubelets', now);
  const issuer = issuerOf({ authority: certificate, authorityKey: key }, { name: 'ca', keyPlace });
  if (issuer === 'self') throw new TypeError('the CA of a cluster is not issued by what it issues');
  return { issuer, validity, periodMs: validityPeriodsOf(context).certificate };
}

function missing(reason: string, more: { readonly hint?: string; readonly cause?: unknown }) {
  const message = `Cannot sign the requests of kubelets as ${reason}`;
  return bootstrapError('BOOTSTRAP_KUBELET_SIGNER_MISSING', message, more);
}
