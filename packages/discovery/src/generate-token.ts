import { tokenText } from './bootstrap-token.ts';

const alphabet = 'abcdefghijklmnopqrstuvwxyz0123456789';
/** Bytes from here on are left out: with them the first characters of the alphabet would be likelier than the others. */
const unfair = 256 - (256 % alphabet.length);
const idLength = 6;
const secretLength = 16;

/**
 * A new bootstrap token, each character equally likely (k8s.io/cluster-bootstrap, token/util).
 *
 * @param randomBytes gives that many cryptographically strong random bytes
 * @returns `id.secret`
 */
export function generateToken(randomBytes: (length: number) => Uint8Array): string {
  let characters = '';
  while (characters.length < idLength + secretLength) {
    for (const byte of randomBytes(32)) if (byte < unfair) characters += alphabet[byte % alphabet.length];
  }
  return tokenText({
    id: characters.slice(0, idLength),
    secret: characters.slice(idLength, idLength + secretLength),
  });
}
