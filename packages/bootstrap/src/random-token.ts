import type { Entropy } from '@groundplane/phases';

const alphabet = 'abcdefghijklmnopqrstuvwxyz0123456789';
/** Bytes from here on are left out: with them the first characters of the alphabet would be likelier than the others. */
const unfair = 256 - (256 % alphabet.length);
const idLength = 6;
const secretLength = 16;

/** A bootstrap token `[a-z0-9]{6}.[a-z0-9]{16}`, each character equally likely (k8s.io/cluster-bootstrap, token/util). */
export function randomToken(entropy: Entropy): string {
  let characters = '';
  while (characters.length < idLength + secretLength) {
    for (const byte of entropy.bytes(32)) if (byte < unfair) characters += alphabet[byte % alphabet.length];
  }
  return `${characters.slice(0, idLength)}.${characters.slice(idLength, idLength + secretLength)}`;
}
