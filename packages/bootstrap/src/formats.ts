import { parseYaml, sameObject, stringifyYaml } from '@groundplane/manifest';
import type { Format } from '@groundplane/phases';

const encoder = new TextEncoder();
const decoder = new TextDecoder();

/** PEM text of which at least one block has one of these labels. The value is the text itself. */
function pem(name: string, labels: readonly string[]): Format<string> {
  return {
    name,
    parse(bytes) {
      const text = decoder.decode(bytes);
      const found = [...text.matchAll(/-----BEGIN ([A-Z0-9 ]+)-----/g)].map((match) => match[1] ?? '');
      if (found.length === 0) throw new Error('it holds no PEM block');
      if (!found.some((label) => labels.includes(label)))
        throw new Error(`it holds PEM blocks of other types: ${found.join(', ')}`);
      return text;
    },
    serialize: (value) => encoder.encode(value),
  };
}

/** X.509 certificates, the own one first. */
export const pemCertificate = pem('PEM certificate', ['CERTIFICATE']);
/** An RSA or ECDSA private key in PKCS#1, SEC1 or PKCS#8 form. */
export const pemPrivateKey = pem('PEM private key', ['RSA PRIVATE KEY', 'EC PRIVATE KEY', 'PRIVATE KEY']);
/** A public key in PKIX form; kubeadm writes it so, and openssl too. */
export const pemPublicKey = pem('PEM public key', ['PUBLIC KEY', 'RSA PUBLIC KEY']);

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
      const value = parseYaml(decoder.decode(bytes));
      if (typeof value !== 'object' || value === null || Array.isArray(value))
        throw new Error('it holds no YAML mapping');
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
      return decoder.decode(bytes);
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
