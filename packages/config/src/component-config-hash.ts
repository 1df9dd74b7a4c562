/** Annotation on ConfigMaps whose component configuration was generated and not supplied by the user. */
export const componentConfigHashAnnotation = 'kubeadm.kubernetes.io/component-config.hash';

/** The data of a ConfigMap; binaryData in base64 as in JSON. */
export interface ConfigMapData {
  readonly data?: Readonly<Record<string, string>>;
  readonly binaryData?: Readonly<Record<string, string>>;
}

/**
 * The value of {@link componentConfigHashAnnotation} for a ConfigMap: `sha256:` and the SHA-256, in hexadecimal, of all
 * data values in the byte order of their keys, then all binary values (kubeadm, componentconfigs/checksums.go).
 */
export async function componentConfigHash({ data = {}, binaryData = {} }: ConfigMapData): Promise<string> {
  const chunks = [
    ...sortedValues(data).map((text) => new TextEncoder().encode(text)),
    ...sortedValues(binaryData).map((text) => Uint8Array.from(atob(text), (character) => character.charCodeAt(0))),
  ];
  const bytes = new Uint8Array(chunks.reduce((length, chunk) => length + chunk.length, 0));
  let at = 0;
  for (const chunk of chunks) {
    bytes.set(chunk, at);
    at += chunk.length;
  }
  const digest = new Uint8Array(await crypto.subtle.digest('SHA-256', bytes));
  return `sha256:${Array.from(digest, (byte) => byte.toString(16).padStart(2, '0')).join('')}`;
}

/** ConfigMap keys are ASCII, so the order of UTF-16 units is that of the bytes. */
function sortedValues(values: Readonly<Record<string, string>>): readonly string[] {
  return Object.keys(values)
    .toSorted()
    .map((key) => values[key] ?? '');
}
