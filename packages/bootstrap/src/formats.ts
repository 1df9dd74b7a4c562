import { decodeText, parseYaml, sameObject, stringifyYaml } from '@groundplane/manifest';
import type { Format } from '@groundplane/phases';
import { bootstrapError } from './error-codes.ts';

const encoder = new TextEncoder();
// A byte order mark is kept: where PEM is read, a block begins at the start of a line.
const decoder = new TextDecoder('utf-8', { ignoreBOM: true });

/** PEM text of which at least one block has one of these labels. The value is the text itself. */
function pem(name: string, labels: readonly string[]): Format<string> {
  return {
    name,
    parse(bytes) {
      const text = decoder.decode(bytes);
      const found = [...text.matchAll(/^-----BEGIN ([A-Z0-9 ]+)-----/gm)].map((match) => match[1] ?? '');
      if (found.length === 0) throw bootstrapError('BOOTSTRAP_PEM_UNUSABLE', 'it holds no PEM block');
      if (found.some((label) => labels.includes(label))) return text;
      if (found.includes('ENCRYPTED PRIVATE KEY'))
        throw bootstrapError(
          'BOOTSTRAP_PEM_UNUSABLE',
          'it is encrypted (take the passphrase off: openssl pkey -in FILE)',
        );
      const others = [...new Set(found)].slice(0, 5).join(', ');
      throw bootstrapError('BOOTSTRAP_PEM_UNUSABLE', `it holds PEM blocks of other types: ${others}`);
    },
    serialize: (value) => encoder.encode(value),
  };
}

/** X.509 certificates, the own one first. */
export const pemCertificate = pem('PEM certificate', ['CERTIFICATE']);
const privateKeyLabels = ['RSA PRIVATE KEY', 'EC PRIVATE KEY', 'PRIVATE KEY'];
/** An RSA or ECDSA private key in PKCS#1, SEC1 or PKCS#8 form. */
export const pemPrivateKey = pem('PEM private key', privateKeyLabels);
/** Public keys in PKIX form, which kubeadm writes and openssl too, or what else Kubernetes takes public keys from. */
export const pemPublicKey = pem('PEM public key', ['PUBLIC KEY', 'CERTIFICATE', ...privateKeyLabels]);

/** Text as it is; two texts that differ only in line ends at the end say the same. */
export const plainText: Format<string> = {
  name: 'text file',
  parse: (bytes) => decoder.decode(bytes),
  serialize: (value) => encoder.encode(value),
  satisfied: (desired, existing) => desired.trimEnd() === existing.trimEnd(),
};

/** A YAML document whose parsed value counts, not its layout. */
export function yamlDocument<T>(name: string): Format<T> {
  return {
    name,
    parse(bytes) {
      const value = parseYaml(decodeText(bytes));
      if (typeof value !== 'object' || value === null || Array.isArray(value))
        throw bootstrapError('BOOTSTRAP_DOCUMENT_UNUSABLE', 'it holds no YAML mapping');
      return value as T;
    },
    serialize: (value) => encoder.encode(stringifyYaml(value)),
  };
}

/** YAML text kept as text, so that what is written is byte for byte what was rendered; comparison is by parsed value. */
export function yamlText(name: string): Format<string> {
  const document = yamlDocument<object>(name);
  return {
    name,
    parse(bytes) {
      document.parse(bytes);
      return decodeText(bytes);
    },
    serialize: (value) => encoder.encode(value),
    satisfied: (desired, existing) => stringifyYaml(parseYaml(desired)) === stringifyYaml(parseYaml(existing)),
  };
}

/** An API object: what exists is good enough when every field that we set has our value. */
export function apiObject<T>(kind: string): Format<T> {
  return {
    name: `${kind} object`,
    parse: (bytes) => JSON.parse(decoder.decode(bytes)) as T,
    serialize: (value) => encoder.encode(JSON.stringify(value)),
    satisfied: (desired, existing) => sameObject(desired, existing),
  };
}

/** API objects of one kind that are only looked at. */
export function apiObjects<T>(kind: string): Format<readonly T[]> {
  return { ...apiObject<readonly T[]>(kind), name: `${kind} objects` };
}
