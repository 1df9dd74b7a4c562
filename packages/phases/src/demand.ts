import type { Severity } from '@groundplane/errors';
import type { JsonValue } from './events.ts';

/** An X.509 certificate, complete: whoever issues this has what the phase itself would make. */
export interface CertificateDemand {
  readonly subject: { readonly CN: string; readonly O?: readonly string[] };
  /** Subject alternative names (RFC 5280 4.2.1.6); a CA of ours carries its common name. */
  readonly dnsNames: readonly string[];
  readonly ipAddresses: readonly string[];
  /** Names of RFC 5280 4.2.1.3, as openssl spells them; the extension is critical. */
  readonly keyUsage: readonly string[];
  /** `serverAuth`, `clientAuth`; none for a CA. */
  readonly extendedKeyUsage: readonly string[];
  /** Basic constraints CA:TRUE or CA:FALSE; the extension is critical. */
  readonly isAuthority: boolean;
  /** Absent: any number of CAs may stand below it. */
  readonly pathLength?: number;
  /** Id of the artifact that holds the certificate of the CA; `null` if it is signed by itself. */
  readonly issuer: string | null;
  /** Of its key: `RSA-2048`, `ECDSA-P256`, … */
  readonly keyAlgorithm: string;
  /** How long it is valid from now on, with a fraction where it is no whole number of days. */
  readonly validityDays: number;
  /** True if it must not outlive its issuer. */
  readonly notLongerThanIssuer: boolean;
}

/** How a private or public key is written. */
export type KeyEncoding = 'PKCS#1' | 'SEC1' | 'PKCS#8' | 'PKIX';

export interface KeyDemand {
  readonly type: 'private' | 'public';
  /** Of the key that the phase makes: `RSA-2048`, `ECDSA-P256`, … */
  readonly algorithm: string;
  /** What the phase writes. */
  readonly encoding: KeyEncoding;
  /** What is accepted. */
  readonly encodings: readonly KeyEncoding[];
  /** Id of the artifact that holds the other half; absent where that is in the same file. */
  readonly matches?: string;
}

/** A kubeconfig of one cluster, one user and one context, which is the current one; everything is embedded. */
export interface KubeconfigDemand {
  readonly clusterName: string;
  readonly userName: string;
  readonly contextName: string;
  /** URL */
  readonly server: string;
  /** Id of the artifact whose first certificate is the CA of the cluster. */
  readonly authority: string;
  /** As whom the API server takes its user: the subject of the client certificate. */
  readonly user: { readonly CN: string; readonly O?: readonly string[] };
  readonly certificate: CertificateDemand;
  readonly key: KeyDemand;
}

/** What `verify` asks of an artifact or of the world, as a sentence, and where a tool needs it, as data. */
export interface Demand {
  /** One sentence, without a full stop. */
  readonly text: string;
  /** The finding where it is not met. Absent for what says how the phase makes it: then anything that meets the others will do. */
  readonly code?: string;
  /** `error`: what needs the artifact does not run · `warning`: it is said. Present with {@link code}. */
  readonly severity?: Severity;
  readonly certificate?: CertificateDemand;
  readonly key?: KeyDemand;
  readonly kubeconfig?: KubeconfigDemand;
  /** The whole document or object as the phase makes it. */
  readonly document?: JsonValue;
  /** The text of the file as the phase makes it. */
  readonly content?: string;
  /** A flag of the component: its value, or what its comma list has to hold; neither means any value. */
  readonly flag?: { readonly name: string; readonly value?: string; readonly holds?: readonly string[] };
  /** A field of the document and its value. */
  readonly field?: { readonly path: string; readonly value: JsonValue };
}
