import type { Finding } from '@groundplane/errors';
import { firstCertificate, publicKeyPin } from '@groundplane/pki';
import { bootstrapFinding } from './error-codes.ts';

/** One CA of a node. */
export interface PlacedAuthority {
  readonly name: string;
  readonly place: string;
  /** PEM of its file. */
  readonly text: string;
}

/**
 * CAs of a node that are one: whoever has a certificate of one of them is let in wherever the other is trusted. etcd lets everyone in, and the
 * front proxy says who a user is.
 *
 * @returns a warning for each but the first of those that share a key, about its place
 */
export async function sharedAuthorityFindings(authorities: readonly PlacedAuthority[]): Promise<readonly Finding[]> {
  const seen = new Map<string, PlacedAuthority>();
  const findings: Finding[] = [];
  for (const authority of authorities) {
    const pin = await publicKeyPin(firstCertificate(authority.text)).catch(() => undefined);
    if (pin === undefined) continue;
    const first = seen.get(pin);
    if (first === undefined) {
      seen.set(pin, authority);
      continue;
    }
    findings.push(
      bootstrapFinding({
        code: 'BOOTSTRAP_AUTHORITY_SHARED',
        severity: 'warning',
        artifact: authority.place,
        message: `${authority.name} and ${first.name} are one CA, so that whoever has a certificate of one of them is let in by both, to etcd and in any name: ${authority.place}, ${first.place}`,
        hint: 'Give each of ca, front-proxy-ca and etcd-ca a root of its own',
      }),
    );
  }
  return findings;
}
