import type { Finding } from '@groundplane/errors';
import type { KubeconfigRow } from '@groundplane/kubeconfig';
import type { CertificateDemand } from '@groundplane/phases';
import type { CertificateAuthorityName, CertificateRequest } from '@groundplane/pki';

/** `authority` the certificate of a CA, without its key · `service-account` the key pair for tokens, which nobody signs. */
export type NeedKind = 'authority' | 'certificate' | 'kubeconfig' | 'service-account';

/**
 * `missing` neither certificate nor key is there · `requested` the key is there and waits for its certificate ·
 * `valid` nothing is to be done · `wrong` something is there that does not verify, and nothing takes its place while it is there.
 */
export type NeedState = 'missing' | 'requested' | 'valid' | 'wrong';

/** One thing that a node needs from a CA whose key is kept elsewhere. No field is secret. */
export interface CertificateNeed {
  /** That of the certificate table, or the file name of the kubeconfig: `apiserver`, `admin.conf`. */
  readonly name: string;
  readonly kind: NeedKind;
  /** Path of the file that it belongs into. */
  readonly place: string;
  /** Path of the file with its private key: a kubeconfig holds its own. Absent for a CA. */
  readonly keyPlace?: string;
  /** The CA that has to sign it, and the path of its certificate. */
  readonly authority?: CertificateAuthorityName;
  readonly authorityPlace?: string;
  /** Commands of the phases that take it from there. */
  readonly phases: readonly string[];
  /** Components that read it or are handed it. */
  readonly usedBy: readonly string[];
  /** What it has to say; absent where there is nothing to sign. */
  readonly demand?: CertificateDemand;
  readonly state: NeedState;
  /** Why it is `wrong`, or what is unusual about it. */
  readonly findings: readonly Finding[];
}

/** A need with what is there of it, for those who go on with it. */
export interface KnownNeed extends CertificateNeed {
  readonly request?: CertificateRequest;
  readonly row?: KubeconfigRow;
  /** PEM of the key that waits for its certificate, or has it. Secret. */
  readonly key?: string;
  /** Text of the file at `place`. Secret for kubeconfigs. */
  readonly content?: string;
}

export function withoutSecrets({ request: _, row: __, key: ___, content: ____, ...need }: KnownNeed): CertificateNeed {
  return need;
}
