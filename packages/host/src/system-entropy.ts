import { randomBytes } from 'node:crypto';
import type { Entropy } from '@groundplane/phases';

/** The random numbers of the kernel, through OpenSSL's generator. */
export function systemEntropy(): Entropy {
  return { bytes: (length) => new Uint8Array(randomBytes(length)) };
}
