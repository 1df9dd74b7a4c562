import { errorFactory } from '@groundplane/errors';

/** Why this package cannot go on. */
export const pkiErrorCodes = {
  PKI_CERTIFICATE_UNREADABLE: {
    kind: 'conflict',
    description: 'A text given as a certificate holds none, or one that cannot be parsed',
  },
  PKI_SIGNING_REQUEST_UNREADABLE: {
    kind: 'conflict',
    description: 'A text given as a PKCS#10 signing request holds none, or its signature is wrong',
  },
  PKI_KEY_UNREADABLE: {
    kind: 'conflict',
    description: 'A text given as a private key holds no RSA or ECDSA key in PKCS#1, SEC1 or unencrypted PKCS#8 form',
  },
  PKI_ISSUER_KEY_MISMATCH: {
    kind: 'conflict',
    description: 'A CA certificate and the private key given for it are not a pair, so nothing it signs would verify',
  },
  PKI_REQUEST_INCOMPLETE: {
    kind: 'usage',
    description: 'A certificate request lacks what every certificate of its kind needs',
  },
  PKI_NAME_INVALID: {
    kind: 'usage',
    description: 'A value is neither an IP address, nor a DNS name, nor a wildcard DNS name',
  },
  PKI_SUBNET_INVALID: {
    kind: 'usage',
    description: 'A service subnet is no CIDR, or too small to hold the address of the API server',
  },
  PKI_CERTIFICATE_KEY_INVALID: {
    kind: 'usage',
    description: 'A certificate key is not 32 bytes in hexadecimal',
  },
  PKI_SHARED_FILE_UNREADABLE: {
    kind: 'conflict',
    description: 'A file that control-plane nodes share was encrypted with another certificate key, or is not whole',
  },
  PKI_ISSUER_UNKNOWN: {
    kind: 'unavailable',
    description: 'A signer was asked to sign with a certificate authority whose key it does not hold',
  },
} as const;

export const pkiError = errorFactory(pkiErrorCodes);

/** What {@link verifyCertificate} can find. Severities are in the texts; where none is, it is an error. */
export const pkiFindingCodes = {
  PKI_CERTIFICATE_UNREADABLE: 'The text holds no certificate that can be parsed',
  PKI_CERTIFICATE_EXPIRED: 'The time is past NotAfter. An error for a leaf, a warning for a CA',
  PKI_CERTIFICATE_NOT_YET_VALID:
    'The time is before NotBefore. An error for a leaf, a warning for a CA, and for a leaf whose CA is not valid yet either',
  PKI_CERTIFICATE_UNTRUSTED: 'No chain of signatures leads to a trust anchor, or its CA may not sign such certificates',
  PKI_ISSUER_OUTSIDE_VALIDITY:
    'The signatures lead to a trust anchor, but a CA on the way has expired (error) or is not valid yet (warning)',
  PKI_CERTIFICATE_NOT_CA: 'Basic constraints do not allow the certificate to sign others',
  PKI_CERTIFICATE_NOT_ALONE: 'More than one certificate is in the file, and its reader takes one only',
  PKI_CERTIFICATE_CANNOT_SIGN: 'A CA whose key usage lacks keyCertSign (warning)',
  PKI_KEY_UNREADABLE: 'The private key cannot be parsed',
  PKI_KEY_MISMATCH: 'The private key is not the one of the certificate',
  PKI_KEY_WEAK:
    'The RSA key is too short: less than 1024 bits are an error, less than 2048 are one where clients refuse them, else a warning',
  PKI_USAGE_MISSING: 'An extended key usage that its users need is missing. An error for a leaf, a warning for a CA',
  PKI_SUBJECT_DIFFERS:
    'Common name or organizations are not the expected ones. An error where they are an identity, else a warning',
  PKI_SAN_MISSING:
    'A subject alternative name is missing. An error for names that clients of the cluster use, else a warning',
} as const;

export type PkiFindingCode = keyof typeof pkiFindingCodes;
