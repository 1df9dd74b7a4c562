import type { CertificateRequest } from './certificate-request.ts';
import { pkiError } from './error-codes.ts';
import { type CertificateAndKey, issueCertificate } from './issue-certificate.ts';
import { generatePrivateKey } from './private-key.ts';

/** One certificate to be issued. */
export interface SigningTask {
  /** How results, errors and other tasks call it: the name of the table row or of the kubeconfig file. */
  readonly name: string;
  readonly request: CertificateRequest;
  /** `self`, or the name of a certificate authority: one that the signer knows, or an earlier task of the same list. */
  readonly issuer: string;
  /** PEM of the private key to certify; without it a new one is made. */
  readonly key?: string | undefined;
}

/**
 * Something that issues certificates: this package's {@link localSigner}, or a CA elsewhere that is sent signing
 * requests. Given all tasks of a phase group at once, so that it can work on them at the same time.
 *
 * @returns one result for each task, in their order
 */
export type Signer = (tasks: readonly SigningTask[]) => Promise<readonly CertificateAndKey[]>;

/**
 * A signer that holds the keys of its authorities. All keys of a list are made at the same time, and a certificate is
 * signed as soon as its own key and its issuer are there.
 *
 * @param authorities name → certificate and key
 * @returns a signer that throws PKI_ISSUER_UNKNOWN and what {@link issueCertificate} throws
 */
export function localSigner(authorities: Readonly<Record<string, CertificateAndKey>> = {}): Signer {
  return (tasks) => {
    const issued = new Map<string, Promise<CertificateAndKey>>();
    const issue = async (task: SigningTask, issuer: IssuerOf): Promise<CertificateAndKey> => {
      const [key, resolved] = await Promise.all([task.key ?? generatePrivateKey(task.request.keyAlgorithm), issuer]);
      return issueCertificate(task.request, { issuer: resolved, key });
    };
    const results = tasks.map((task) => {
      const issuer = task.issuer === 'self' ? 'self' : (issued.get(task.issuer) ?? known(task, authorities));
      const result = issue(task, issuer);
      issued.set(task.name, result);
      return result;
    });
    return Promise.all(results);
  };
}

type IssuerOf = 'self' | CertificateAndKey | Promise<CertificateAndKey>;

function known(task: SigningTask, authorities: Readonly<Record<string, CertificateAndKey>>): IssuerOf {
  const issuer = authorities[task.issuer];
  if (issuer !== undefined) return issuer;
  const error = pkiError(
    'PKI_ISSUER_UNKNOWN',
    `Cannot issue the certificate '${task.name}' as the signer does not hold the key of its CA: ${task.issuer}`,
    {
      hint: `Put the certificate and the key of '${task.issuer}' in place, or have its certificates signed where the key is`,
    },
  );
  return Promise.reject(error);
}
