import { type Finding, isGroundplaneError } from '@groundplane/errors';
import { objectReference, type Secret } from '@groundplane/manifest';
import { decodeBase64, encodeBase64 } from '@groundplane/pki';
import { type BootstrapToken, isToken } from './bootstrap-token.ts';
import { discoveryError } from './error-codes.ts';
import { formatRfc3339, parseRfc3339 } from './rfc3339.ts';

/** Type of the Secrets that hold bootstrap tokens (k8s.io/cluster-bootstrap, token/api). */
export const tokenSecretType = 'bootstrap.kubernetes.io/token';

/** Where they are; they are looked at nowhere else. */
export const tokenSecretNamespace = 'kube-system';

const namePrefix = 'bootstrap-token-';
const usagePrefix = 'usage-bootstrap-';

/** Name of the Secret that holds the token of this id. */
export function tokenSecretName(id: string): string {
  return `${namePrefix}${id}`;
}

/** A token to be made: until a given time, or for a time from now on. */
export interface NewBootstrapToken extends BootstrapToken {
  /** Milliseconds; 0 or less is for ever. Does not count where `expires` is given. */
  readonly ttlMs?: number;
}

/**
 * The Secret that a bootstrap token is stored as (kubeadm: apis/bootstraptoken/v1, utils.go). Holds the secret part.
 *
 * @param options.now what a time to live counts from
 */
export function tokenSecret(token: NewBootstrapToken, options: { readonly now: Date }): Secret {
  const expires = expiryOf(token, options.now);
  const data: Readonly<Record<string, string>> = {
    'token-id': token.id,
    'token-secret': token.secret,
    ...(token.description ? { description: token.description } : {}),
    ...(expires === undefined ? {} : { expiration: formatRfc3339(expires) }),
    ...Object.fromEntries(token.usages.map((usage) => [`${usagePrefix}${usage}`, 'true'])),
    ...(token.groups.length === 0 ? {} : { 'auth-extra-groups': token.groups.join(',') }),
  };
  const encoded = Object.entries(data).map(([key, text]) => [key, encodeBase64(new TextEncoder().encode(text))]);
  return {
    apiVersion: 'v1',
    kind: 'Secret',
    metadata: { name: tokenSecretName(token.id), namespace: tokenSecretNamespace },
    type: tokenSecretType,
    data: Object.fromEntries(encoded),
  };
}

function expiryOf({ expires, ttlMs = 0 }: NewBootstrapToken, now: Date): Date | undefined {
  if (expires !== undefined) return expires;
  return ttlMs > 0 ? new Date(now.getTime() + ttlMs) : undefined;
}

/**
 * Reads a bootstrap token out of its Secret, by kubeadm's rules: the name belongs to the id, both parts are there, the
 * expiration is RFC 3339, and of the usages only those count whose value is exactly `true`.
 *
 * @returns usages sorted, unknown ones included
 * @throws DISCOVERY_TOKEN_SECRET_INVALID
 */
export function readTokenSecret(secret: Secret): BootstrapToken {
  const text = (key: string): string => {
    const bytes = decodeBase64(secret.data?.[key] ?? '');
    return bytes === undefined ? '' : new TextDecoder().decode(bytes);
  };
  const id = text('token-id');
  if (id === '') throw invalid(secret, 'it has no token-id');
  if (secret.metadata.name !== tokenSecretName(id)) throw invalid(secret, `its name is not ${tokenSecretName(id)}`);
  const secretPart = text('token-secret');
  if (secretPart === '') throw invalid(secret, 'it has no token-secret');
  if (!isToken(`${id}.${secretPart}`)) throw invalid(secret, 'its id and secret are not those of a token');
  const expiration = text('expiration');
  const expires = parseRfc3339(expiration);
  if (expiration !== '' && expires === undefined)
    throw invalid(secret, `its expiration is no time in the format of RFC 3339, ${JSON.stringify(expiration)}`);
  const description = text('description');
  const groups = text('auth-extra-groups').split(',');
  const usages = Object.keys(secret.data ?? {})
    .filter((key) => key.startsWith(usagePrefix) && text(key) === 'true')
    .map((key) => key.slice(usagePrefix.length));
  return {
    id,
    secret: secretPart,
    ...(description === '' ? {} : { description }),
    ...(expires === undefined ? {} : { expires }),
    usages: usages.sort(),
    groups: groups[0] === '' ? [] : groups,
  };
}

/**
 * The bootstrap tokens among Secrets. One that cannot be read is passed over, with a warning, for the sake of the others.
 *
 * @param secrets those of {@link tokenSecretType}; others are left out
 */
export function readTokenSecrets(secrets: readonly Secret[]): {
  readonly tokens: readonly BootstrapToken[];
  readonly findings: readonly Finding[];
} {
  const tokens: BootstrapToken[] = [];
  const findings: Finding[] = [];
  for (const secret of secrets.filter(({ type }) => type === tokenSecretType)) {
    try {
      tokens.push(readTokenSecret(secret));
    } catch (thrown) {
      if (!isGroundplaneError(thrown)) throw thrown;
      const { code, message, hint = '' } = thrown;
      findings.push({ code, severity: 'warning', artifact: objectReference(secret), message, hint });
    }
  }
  return { tokens, findings };
}

function invalid(secret: Secret, why: string) {
  const { name } = secret.metadata;
  return discoveryError('DISCOVERY_TOKEN_SECRET_INVALID', `Cannot use the bootstrap token as ${why}: Secret ${name}`, {
    hint: `Look at it, or remove it: kubectl -n ${tokenSecretNamespace} delete secret ${name}`,
  });
}
