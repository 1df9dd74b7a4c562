import type { Entropy } from '@groundplane/phases';

/** The random numbers of the kernel, through OpenSSL's generator. */
export function systemEntropy(): Entropy {
  // Loaded when it is needed: most commands need no random numbers.
  return { bytes: (length) => new Uint8Array(process.getBuiltinModule('node:crypto').randomBytes(length)) };
}
