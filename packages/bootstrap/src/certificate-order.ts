/**
 * A certificate that a signer is to get: plain data. The key stays with Groundplane, or with the kubelet that asks; the request is signed by
 * it.
 */
export interface CertificateOrder {
  /** Name for messages: `apiserver`, `admin.conf`. */
  readonly name: string;
  /** PEM `CERTIFICATE REQUEST` (PKCS#10) with subject, names, usages and basic constraints. */
  readonly request: string;
  /** PEM of the certificates of the CA that users of the certificate trust: the chain has to lead to one of them. */
  readonly authority: string;
  /** Which CA of the cluster that is: `ca`, `front-proxy-ca`, `etcd-ca`; absent where a phase does not say. */
  readonly issuer?: string;
  readonly profile: CertificateProfile;
}

/** What the certificate has to say, no more and no less; it is held to this before anything is written. */
export interface CertificateProfile {
  readonly commonName: string;
  readonly organizations: readonly string[];
  readonly dnsNames: readonly string[];
  readonly ipAddresses: readonly string[];
  readonly keyUsages: readonly ('digitalSignature' | 'keyEncipherment' | 'keyCertSign')[];
  readonly extendedKeyUsages: readonly ('serverAuth' | 'clientAuth')[];
  readonly isCA: boolean;
  readonly notBefore: Date;
  /** Not later than that of the authority. */
  readonly notAfter: Date;
}

/** Gets certificates from somewhere. It never sees a private key. */
export interface CertificateSigner {
  /** True if it can get this one. Asked while planning, so it neither waits nor looks anywhere. @default it can get all */
  canSign?(order: CertificateOrder | Omit<CertificateOrder, 'request'>): boolean;
  /**
   * @returns PEM of the certificate, followed by the intermediates that lead to the authority
   * @throws an error whose message says why there is none; no secret is ever part of it
   */
  sign(order: CertificateOrder): Promise<string>;
}
