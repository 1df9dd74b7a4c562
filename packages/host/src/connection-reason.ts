import { messageOf } from '@groundplane/errors';

/** OpenSSL's errors as Node.js gives them: `…:SSL routines:FUNCTION:REASON:FILE:LINE:…`. */
const opensslText = /:SSL routines:[^:]*:([^:]+):/;

/** Why a connection failed, one clause of one line. A name with several addresses fails once per address. */
export function connectionReason(thrown: unknown): string {
  if (thrown instanceof AggregateError) return thrown.errors.map(connectionReason).join('; ');
  const text = messageOf(thrown);
  return opensslText.exec(text)?.[1] ?? text.replace(/\s+/g, ' ').trim();
}
