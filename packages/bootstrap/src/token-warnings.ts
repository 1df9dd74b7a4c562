import { goDurationMilliseconds, type InitConfiguration } from '@groundplane/config';
import type { Finding } from '@groundplane/errors';
import { bootstrapFinding } from './error-codes.ts';

/** What a bootstrap token of the configuration will be that nobody may have meant. */
export function tokenWarnings({ bootstrapTokens }: Pick<InitConfiguration, 'bootstrapTokens'>): readonly Finding[] {
  return bootstrapTokens.flatMap(({ ttl, expires }, index) => {
    if (ttl === undefined || expires !== undefined || goDurationMilliseconds(ttl) >= 0) return [];
    return bootstrapFinding({
      code: 'BOOTSTRAP_TOKEN_FOREVER',
      severity: 'warning',
      artifact: `bootstrapTokens[${index}].ttl`,
      message: `The bootstrap token never expires, as its ttl is negative: ${ttl}`,
      hint: 'Give a positive ttl, or 0s if it is meant to be valid for ever',
    });
  });
}
