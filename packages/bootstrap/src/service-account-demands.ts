import type { Demand } from '@groundplane/phases';
import { serviceAccountKeyPair } from '@groundplane/pki';
import { serviceAccountKey, serviceAccountPublicKey } from './artifacts.ts';
import { keyDemand, rule } from './certificate-demands.ts';
import type { InitContext } from './init-context.ts';

/** What is asked of the key pair of service account tokens. */
export function serviceAccountDemands(config: InitContext): Readonly<Record<'key' | 'publicKey', readonly Demand[]>> {
  const readers = serviceAccountKeyPair.usedBy.join(' and ');
  const key = keyDemand(config, serviceAccountPublicKey.id);
  const code = 'BOOTSTRAP_KEY_PAIR_MISMATCH';
  return {
    key: [
      {
        text: `Made here: a key of ${key.algorithm} in ${key.encoding} form, with which ${readers} sign; other RSA and ECDSA (P-256, P-384, P-521) keys will do`,
        key,
      },
      rule(
        'BOOTSTRAP_KEY_UNFIT',
        'error',
        'It is an RSA or ECDSA key (P-256, P-384, P-521) in PKCS#1, SEC1 or PKCS#8 form and not encrypted',
      ),
      rule(code, 'error', `${serviceAccountPublicKey.id} holds its public half`),
      rule(
        'BOOTSTRAP_KEY_WEAK',
        'error',
        'If it is of RSA, it has at least 1024 bits: with a shorter one kube-apiserver starts and signs no token',
      ),
      rule('BOOTSTRAP_KEY_WEAK', 'warning', 'If it is of RSA, it has at least 2048 bits'),
    ],
    publicKey: [
      {
        text: `Made here: the public half of ${serviceAccountKey.id} as PEM of type PUBLIC KEY`,
        key: {
          type: 'public',
          algorithm: key.algorithm,
          encoding: 'PKIX',
          encodings: ['PKIX'],
          matches: serviceAccountKey.id,
        },
      },
      rule(
        code,
        'error',
        `One of the public keys in it is that of ${serviceAccountKey.id}; after a rotation older ones may stand beside it`,
      ),
    ],
  };
}
