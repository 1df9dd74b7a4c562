import { createHash, createPrivateKey, createPublicKey, X509Certificate } from 'node:crypto';
import { lstatSync, readdirSync, readFileSync, readlinkSync } from 'node:fs';
import { load } from 'js-yaml';

/** What a file holds. */
export type ContentKind = 'certificate' | 'private key' | 'public key' | 'pem pair' | 'yaml' | 'text' | 'directory';

/**
 * A file as other programs see it: stat, the X.509 and key parsers of Node.js (OpenSSL), another YAML parser than the product's. Two files
 * that look the same here are the same to whoever uses them. No text of a secret is in it.
 */
export function artifactView(path: string, kind: ContentKind): string {
  const status = lstatSync(path, { throwIfNoEntry: false });
  if (status === undefined) return 'absent';
  const mode = `${(status.mode & 0o7777).toString(8)} ${status.uid}:${status.gid}`;
  if (status.isSymbolicLink()) return `link to ${readlinkSync(path)}`;
  if (status.isDirectory()) return `directory ${mode}: ${readdirSync(path).toSorted().join(' ')}`;
  return `file ${mode}: ${contentView(readFileSync(path, 'utf8'), kind)}`;
}

function contentView(text: string, kind: ContentKind): string {
  try {
    return readers[kind](text);
  } catch {
    // Every text that cannot be read is as good as any other.
    return 'unreadable';
  }
}

const readers: Readonly<Record<ContentKind, (text: string) => string>> = {
  certificate: certificateView,
  'private key': (text) => keyView(createPublicKey(createPrivateKey(text))),
  'public key': (text) => keyView(createPublicKey(text)),
  'pem pair': (text) => `${certificateView(text)}, ${keyView(createPublicKey(createPrivateKey(text)))}`,
  yaml: (text) => digest(canonical(load(text))),
  text: (text) => digest(text.trimEnd()),
  directory: () => 'no directory',
};

function certificateView(text: string): string {
  const { subject, issuer, validFrom, validTo, subjectAltName, keyUsage, ca, fingerprint256 } = new X509Certificate(
    text,
  );
  const holdsKey = text.includes('PRIVATE KEY-----');
  const facts = { holdsKey, subject, issuer, validFrom, validTo, subjectAltName, keyUsage, ca, fingerprint256 };
  return JSON.stringify(facts);
}

function keyView(key: ReturnType<typeof createPublicKey>): string {
  return digest(key.export({ type: 'spki', format: 'pem' }).toString());
}

function digest(text: string): string {
  return createHash('sha256').update(text).digest('hex');
}

function canonical(value: unknown): string {
  return JSON.stringify(value, (_, part) =>
    typeof part === 'object' && part !== null && !Array.isArray(part)
      ? Object.fromEntries(Object.entries(part).toSorted(([one], [other]) => (one < other ? -1 : 1)))
      : part,
  );
}
