import { encodePem, parsePem } from './pem.ts';
import { publicKeyOf } from './private-key.ts';
import { parseCertificate } from './x509-certificate.ts';

/**
 * The public keys of a text, in their order: those of its public keys (PKIX), certificates and private keys, which is what Kubernetes
 * components find in a file of public keys (client-go: util/keyutil, ParsePublicKeysPEM). Other blocks are skipped.
 *
 * @returns PEM `PUBLIC KEY` of each, in one spelling
 */
export async function publicKeysOf(text: string): Promise<readonly string[]> {
  const keys = await Promise.all(
    parsePem(text).map(async ({ label, der }) => {
      if (label === 'PUBLIC KEY') return [encodePem(label, der)];
      const block = encodePem(label, der);
      const found =
        label === 'CERTIFICATE'
          ? parseCertificate(block).then(({ publicKey }) => encodePem('PUBLIC KEY', publicKey.rawData))
          : publicKeyOf(block);
      return found.then(
        (key) => [key],
        () => [],
      );
    }),
  );
  return keys.flat();
}
