import type { Issued, Signer, SigningRequest } from './ports.ts';

/** What came of a request in a prediction. */
export interface StandIn extends Issued {
  /** False if the answer cannot be what a run would get: a key that is there already was not used. */
  readonly faithful: boolean;
}

/**
 * Answers signing requests with keys that were made for this prediction and are thrown away with it. No key that is there already is
 * used, neither to sign with nor as the subject's own: an authority of the prediction stands in for it.
 *
 * @param signer makes keys and certificates in this process
 */
export function standInSigner(signer: Signer): (request: SigningRequest) => Promise<StandIn> {
  const thrownAway = new Set<string>();
  const authorities = new Map<string, Promise<Issued>>();
  const issue = async (request: SigningRequest): Promise<Issued> => {
    const issued = await signer.issue([request])[0];
    if (issued === undefined) throw new TypeError(`Cannot predict '${request.name}' as the signer returned no answer`);
    thrownAway.add(issued.key);
    return issued;
  };
  const authorityFor = (issuer: string, request: SigningRequest, wanted: Wanted): Promise<Issued> => {
    const found =
      authorities.get(issuer) ??
      issue({
        name: `stand-in for the issuer of ${request.name}`,
        algorithm: request.algorithm,
        certificate: { ...wanted, ...standIn },
      });
    authorities.set(issuer, found);
    return found;
  };
  return async (request) => {
    const { key, certificate, ...rest } = request;
    const isOwnKey = key === undefined || thrownAway.has(key);
    const kept = isOwnKey && key !== undefined ? { key } : {};
    if (certificate === undefined) return { ...(await issue({ ...rest, ...kept })), faithful: isOwnKey };
    const { issuer } = certificate;
    if (issuer === 'self' || (issuer.key !== undefined && thrownAway.has(issuer.key)))
      return { ...(await issue({ ...rest, ...kept, certificate })), faithful: isOwnKey };
    const authority = await authorityFor(issuer.certificate, request, certificate);
    const by = { certificate: authority.certificate ?? '', key: authority.key };
    return { ...(await issue({ ...rest, ...kept, certificate: { ...certificate, issuer: by } })), faithful: false };
  };
}

type Wanted = NonNullable<SigningRequest['certificate']>;

const standIn = {
  commonName: 'stand-in',
  organizations: [],
  dnsNames: [],
  ipAddresses: [],
  usages: [],
  isCA: true,
  issuer: 'self',
} as const;
