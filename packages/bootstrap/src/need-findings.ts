import type { Finding } from '@groundplane/errors';
import { bootstrapFinding } from './error-codes.ts';

/** Why what is there of a certificate is of no use, in words of their own: no phase gets as far. */

export function keyMissing(place: string, keyPlace: string): Finding {
  return bootstrapFinding({
    code: 'BOOTSTRAP_CERTIFICATE_KEY_MISSING',
    severity: 'error',
    artifact: place,
    message: `Cannot use ${place} as its private key is missing: ${keyPlace}`,
    hint: `Put ${keyPlace} back, or move ${place} away and have another one signed`,
  });
}

export function unverified({
  place,
  authorityPlace = '',
}: {
  readonly place: string;
  readonly authorityPlace?: string;
}): Finding {
  return bootstrapFinding({
    code: 'BOOTSTRAP_CERTIFICATE_UNVERIFIED',
    severity: 'error',
    artifact: place,
    message: `Cannot verify ${place} as the certificate of its CA is not there: ${authorityPlace}`,
    hint: `Bring ${authorityPlace}: groundplane certs import FILE`,
  });
}
