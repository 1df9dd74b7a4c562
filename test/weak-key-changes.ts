import { createPublicKey } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type ArtifactChange, issuedIn, keyBeside, ofText } from './artifact-changes.ts';
import { signedWithSha1, withShortKey } from './certificate-changes.ts';
import { ed25519Key, rsaKey } from './openssl-pair.ts';

function withRsaOf(bits: number): ArtifactChange {
  return ofText((_, artifact) => {
    const short = withShortKey(issuedIn(artifact), bits);
    writeFileSync(join(artifact.root, keyBeside(artifact.path)), short.key);
    return short.certificate;
  });
}

/** What can be wrong with the algorithms of a certificate; its key changes with it. */
export const weakCertificateChanges = {
  'with a key of 1024 bits': withRsaOf(1024),
  'with a key of 512 bits': withRsaOf(512),
  'signed with SHA-1': ofText((_, artifact) => signedWithSha1(issuedIn(artifact))),
} satisfies Readonly<Record<string, ArtifactChange>>;

function pairOf(make: () => string): ArtifactChange {
  return ofText((_, { root, path }) => {
    const key = make();
    const publicKey = createPublicKey(key).export({ type: 'spki', format: 'pem' });
    writeFileSync(join(root, path.replace(/\.key$/, '.pub')), publicKey);
    return key;
  });
}

/** What the key pair of service account tokens can be. */
export const tokenKeyChanges = {
  'of RSA with 1024 bits': pairOf(() => rsaKey(1024)),
  'of RSA with 512 bits': pairOf(() => rsaKey(512)),
  'of Ed25519': pairOf(ed25519Key),
} satisfies Readonly<Record<string, ArtifactChange>>;
