import type { CertifyingRequest, SigningRequest as EngineRequest } from '@groundplane/phases';
import { backdating, type SigningRequest, type Validity } from '@groundplane/pki';
import type { KubeletRequest } from './kubelet-request.ts';

/** The CA of the cluster as the Signer wants it, and what it lays down for certificates. */
export interface KubeletAuthority {
  readonly issuer: Exclude<NonNullable<EngineRequest['certificate']>['issuer'], 'self'>;
  /** Of its certificate, which no certificate outlives. */
  readonly validity: Validity;
  /** How long certificates are valid that ask for nothing else, in milliseconds. */
  readonly periodMs: number;
}

/** The least that kube-controller-manager gives (pkg/controller/certificates/signer, duration); the API takes no request for less. */
const shortestMs = 10 * 60_000;

/** What a signer is asked for on behalf of a kubelet; the request has been judged. */
export function kubeletRequestOrder(
  { request, content }: { readonly request: KubeletRequest; readonly content: SigningRequest },
  { issuer, validity, periodMs }: KubeletAuthority,
  now: Date,
): CertifyingRequest {
  const { name, usages, expirationSeconds, purpose } = request;
  const wantedMs = Math.max(shortestMs, (expirationSeconds ?? Number.POSITIVE_INFINITY) * 1000);
  return {
    name,
    request: content.pem,
    certificate: {
      ...content.subject,
      ...content.sans,
      usages: [purpose === 'serving' ? 'serverAuth' : 'clientAuth'],
      isCA: false,
      notBefore: new Date(Math.max(+now - backdating, +validity.notBefore)),
      notAfter: new Date(Math.min(+now + Math.min(periodMs, wantedMs), +validity.notAfter)),
      issuer,
    },
    keyUsages: ['digitalSignature', ...(usages.includes('key encipherment') ? (['keyEncipherment'] as const) : [])],
  };
}
