import { generateToken } from '@groundplane/discovery';
import type { Entropy } from '@groundplane/phases';

/** A new bootstrap token `id.secret`. */
export function randomToken(entropy: Entropy): string {
  return generateToken((length) => entropy.bytes(length));
}
