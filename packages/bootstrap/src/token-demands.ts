import { tokenSecret, tokenSecretName } from '@groundplane/discovery';
import type { Demand } from '@groundplane/phases';
import { decodeBase64 } from '@groundplane/pki';
import type { InitContext } from './init-context.ts';
import { asJson } from './object-demands.ts';
import { wantedTokens } from './wanted-tokens.ts';

/** Fields of the Secret of a token that are told apart: one is secret, the other a point in time. */
const withheld: ReadonlySet<string> = new Set(['token-secret', 'expiration']);

/** What is asked of the bootstrap tokens of the configuration. Their secrets are not told. */
export function tokenDemands(config: InitContext): readonly Demand[] {
  return wantedTokens(config).map(({ token, generated }): Demand => {
    const { apiVersion, kind, type, metadata, data = {} } = tokenSecret(token, { now: new Date(0) });
    const told = Object.entries(data).filter(([key]) => !withheld.has(key) && !(generated && key === 'token-id'));
    const stringData = Object.fromEntries(told.map(([key, value]) => [key, textOf(value)]));
    const name = generated ? tokenSecretName('ID') : metadata.name;
    const { ttlMs = 0, expires } = token;
    const lifetime =
      expires !== undefined
        ? `expiration ${expires.toISOString()}`
        : ttlMs > 0
          ? `an expiration (RFC 3339) in ${ttlMs / 3_600_000} h at most, of which an hour or half is left`
          : 'no expiration';
    const which = generated ? 'any token, ID.SECRET, will do' : `it is the token ${token.id} of the configuration`;
    return {
      text: `There is a token with this description, these usages and groups: ${which}; it has token-id and token-secret, and ${lifetime}`,
      code: 'BOOTSTRAP_TOKEN_MISSING',
      severity: 'error',
      document: asJson({ apiVersion, kind, type, metadata: { ...metadata, name }, stringData }),
    };
  });
}

function textOf(base64: string): string {
  return new TextDecoder().decode(decodeBase64(base64));
}
