import type { CertificateSigner, SignerParameters } from '@groundplane/plugin';
import { authorityParameters } from './authority-parameters.ts';
import { fingerprintOf, type StepAuthority, stepAuthority } from './step-authority.ts';

/**
 * Gets certificates from step-ca by its own API, with tokens of a JWK provisioner.
 *
 * @throws Error for parameters that cannot be used
 */
export function stepSigner(parameters: SignerParameters): CertificateSigner {
  const authorities = authorityParameters(parameters).map(stepAuthority);
  return {
    canSign: ({ profile }) => !profile.isCA,
    async sign(order) {
      const authority = await authorityFor(order.authority, authorities);
      return authority.sign(order);
    },
  };
}

/** The one whose root its users trust. What another one signs would be refused later, with a certificate issued in vain. */
async function authorityFor(trusted: string, authorities: readonly StepAuthority[]): Promise<StepAuthority> {
  const wanted = certificatesIn(trusted).map(fingerprintOf);
  const offered = await Promise.all(authorities.map((one) => one.fingerprint()));
  const found = authorities[offered.findIndex((fingerprint) => wanted.includes(fingerprint))];
  if (found !== undefined) return found;
  throw new Error(
    `the CA on this node is the root of no authority that is configured: it has the fingerprint ${wanted.join(', ') || 'of nothing'}, they have ${offered.join(', ')}`,
  );
}

function certificatesIn(text: string): readonly string[] {
  return text.match(/-----BEGIN CERTIFICATE-----[^-]+-----END CERTIFICATE-----/g) ?? [];
}
