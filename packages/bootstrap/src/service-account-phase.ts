import { type Finding, isGroundplaneError } from '@groundplane/errors';
import { type AnyPhase, contract } from '@groundplane/phases';
import { publicKeyOf, publicKeysOf, serviceAccountKeyPair, weaknessOf } from '@groundplane/pki';
import { serviceAccountKey, serviceAccountPublicKey } from './artifacts.ts';
import { bootstrapError, bootstrapFinding } from './error-codes.ts';
import { placeIn } from './findings-about.ts';
import { type InitContext, keyAlgorithmOf } from './init-context.ts';
import { serviceAccountDemands } from './service-account-demands.ts';

/** What comes of another key, in the middle of a sentence. */
export const newSigningKey =
  'which replaces the key of the cluster: all tokens of service accounts are refused then, until the API server and the controller manager are restarted and each pod has got a new one';

const { name, longName, privateKeyFile, publicKeyFile } = serviceAccountKeyPair;

/** Makes the key pair of service account tokens (kubeadm: phases/certs, CreateServiceAccountKeyAndPublicKeyFiles). */
export const serviceAccountPhase: AnyPhase<InitContext> = contract<InitContext>().definePhase({
  name: `certs/${name}`,
  summary: `Generate ${longName}`,
  configuration: ['certificatesDir', 'encryptionAlgorithm'],
  inapplicable: ({ serviceAccountKeysElsewhere }) =>
    serviceAccountKeysElsewhere ? 'the CA is external and brings its service account keys' : undefined,
  keyAlgorithm: keyAlgorithmOf,
  writes: { key: serviceAccountKey, publicKey: serviceAccountPublicKey },
  demands: serviceAccountDemands,
  async render({ config, existing, issue, outputs }) {
    const { key, publicKey } = existing;
    if (key !== undefined) return outputs({ key, publicKey: publicKey ?? (await publicKeyOf(key)) });
    if (publicKey !== undefined) {
      throw bootstrapError(
        'BOOTSTRAP_KEY_MISSING',
        `Cannot make ${privateKeyFile} as ${publicKeyFile} is there already and would no longer match`,
        {
          hint: `Put the private key of ${publicKeyFile} back. Only without a backup move ${publicKeyFile} away, ${newSigningKey}`,
        },
      );
    }
    return issue({ name, algorithm: keyAlgorithmOf(config) }, async (issued) =>
      outputs({ key: issued.key, publicKey: await publicKeyOf(issued.key) }),
    );
  },
  async verify({ config, outputs }) {
    const [keyPath, publicKeyPath] = [placeIn(config, serviceAccountKey), placeIn(config, serviceAccountPublicKey)];
    let expected: string;
    try {
      expected = await publicKeyOf(outputs.key);
    } catch (thrown) {
      if (!isGroundplaneError(thrown)) throw thrown;
      return [unfitKey(keyPath, thrown)];
    }
    // After a rotation the file holds the old keys too.
    if ((await publicKeysOf(outputs.publicKey)).includes(expected)) return strengthFindings(keyPath, expected);
    return [
      bootstrapFinding({
        code: 'BOOTSTRAP_KEY_PAIR_MISMATCH',
        severity: 'error',
        artifact: publicKeyPath,
        message: `${publicKeyPath} is not the public half of ${privateKeyFile}, so service account tokens would not verify`,
        hint: `Make it anew: openssl pkey -in ${keyPath} -pubout -out ${publicKeyPath}`,
      }),
    ];
  },
});

/** Neither kube-apiserver nor kube-controller-manager starts with a key of another kind (client-go, util/keyutil; k8s.io/kubernetes, pkg/serviceaccount). */
function unfitKey(keyPath: string, { message }: Error): Finding {
  return bootstrapFinding({
    code: 'BOOTSTRAP_KEY_UNFIT',
    severity: 'error',
    artifact: keyPath,
    message: `${keyPath} cannot sign service account tokens: ${message}`,
    hint: `Put an unencrypted RSA key, or an ECDSA key of P-256, P-384 or P-521, there, with its public half in ${publicKeyFile}; or move both away and run the phase that makes them: init phase certs sa`,
  });
}

function strengthFindings(place: string, publicKey: string): readonly Finding[] {
  const weakness = weaknessOf(publicKey);
  if (weakness === undefined) return [];
  return [
    bootstrapFinding({
      code: 'BOOTSTRAP_KEY_WEAK',
      severity: weakness.severity,
      artifact: place,
      message: `${place} should not sign service account tokens as ${weakness.reason}: ${weakness.value}`,
      hint: `Move ${privateKeyFile} and ${publicKeyFile} away and run the phase that makes both: init phase certs sa`,
    }),
  ];
}
