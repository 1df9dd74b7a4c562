import type { Entropy } from '@groundplane/phases';

/** The random numbers of the kernel, through WebCrypto's generator. */
export function systemEntropy(): Entropy {
  return { bytes: (length) => crypto.getRandomValues(new Uint8Array(length)) };
}
