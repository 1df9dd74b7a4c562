import type { Finding } from '@groundplane/errors';

/** What a key, or a key and its certificate, are to be made for. Plain data: PEM text, names, instants. */
export interface SigningRequest {
  /** Name for messages: `apiserver`, `admin.conf`. */
  readonly name: string;
  /** `RSA-2048`, `RSA-3072`, `RSA-4096`, `ECDSA-P256`, `ECDSA-P384`. */
  readonly algorithm: string;
  /** PEM of a private key that exists already and is to be used. Secret. */
  readonly key?: string;
  /** Absent when only a key is wanted (service account keys). */
  readonly certificate?: {
    readonly commonName: string;
    readonly organizations: readonly string[];
    readonly dnsNames: readonly string[];
    readonly ipAddresses: readonly string[];
    readonly usages: readonly ('serverAuth' | 'clientAuth')[];
    readonly isCA: boolean;
    readonly notBefore: Date;
    readonly notAfter: Date;
    /**
     * PEM of the issuing CA and, where this node holds it, its key; `self` for a root. `name`: which CA of the cluster it is, `etcd-ca`.
     * `keyPlace`: where the key would be. `remedy`: how a CA that is kept elsewhere is asked, `groundplane certs requests`.
     */
    readonly issuer:
      | 'self'
      | {
          readonly certificate: string;
          readonly key?: string;
          readonly name?: string;
          readonly keyPlace?: string;
          readonly remedy?: string;
        };
  };
}

/** A certificate for a key that is elsewhere, such as a kubelet's: its owner has made the request. Plain data. */
export interface CertifyingRequest {
  /** Name for messages. */
  readonly name: string;
  /** PEM `CERTIFICATE REQUEST` (PKCS#10) by the key that is to be certified. Whoever asks has checked it. */
  readonly request: string;
  /** What the certificate is to say, whatever else the request asks for. */
  readonly certificate: NonNullable<SigningRequest['certificate']>;
  /** What the key is for (RFC 5280 4.2.1.3). */
  readonly keyUsages: readonly ('digitalSignature' | 'keyEncipherment')[];
}

export interface Issued {
  /** PEM. Secret. */
  readonly key: string;
  /** PEM of the certificate, followed by intermediates where the signer returned some. */
  readonly certificate?: string;
  /** What is odd about it, and no reason to refuse it: warnings. */
  readonly remarks?: readonly Finding[];
}

export interface Signer {
  /** How messages and the journal call it, where it is not this program itself. */
  readonly name?: string;
  /** True if it can answer this request; where it cannot, the plan says `external` and lists the request. */
  canIssue(request: SigningRequest): boolean;
  /**
   * Keys of these algorithms are going to be asked for, unless something comes in between: a signer that makes keys may begin. Called
   * once in a run, after planning.
   */
  announce?(algorithms: readonly string[]): void;
  /**
   * Issues all of them, in parallel where it can: one answer for each request, in the order of the requests. A signer with one exchange
   * for all of them gives the same promise's parts.
   */
  issue(requests: readonly SigningRequest[]): readonly Promise<Issued>[];
  /**
   * Issues a certificate for somebody else's key. No phase asks for that; a signer without it signs for this node alone.
   *
   * @returns PEM of the certificate, followed by intermediates where there are some
   */
  certify?(request: CertifyingRequest): Promise<string>;
}
