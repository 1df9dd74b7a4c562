import { discoveryError } from './error-codes.ts';

/** The two parts of a bootstrap token `id.secret`. */
export interface TokenParts {
  /** Public: names the Secret, and the key of the signature in cluster-info. `[a-z0-9]{6}` */
  readonly id: string;
  /** `[a-z0-9]{16}`. Secret. */
  readonly secret: string;
}

/** What a bootstrap token is for (k8s.io/cluster-bootstrap, token/api). */
export type TokenUsage = 'signing' | 'authentication';

export const tokenUsages: readonly TokenUsage[] = ['signing', 'authentication'];

/** The group of kubeadm's tokens: what joining nodes may do is granted to it. */
export const nodeBootstrapGroup = 'system:bootstrappers:kubeadm:default-node-token';

/** A bootstrap token as the cluster knows it. */
export interface BootstrapToken extends TokenParts {
  readonly description?: string;
  /** Absent: never. */
  readonly expires?: Date;
  /** What a Secret says may be more than {@link tokenUsages}. */
  readonly usages: readonly string[];
  /** Groups, besides `system:bootstrappers`, that who authenticates with the token belongs to. */
  readonly groups: readonly string[];
}

const idPattern = '[a-z0-9]{6}';
const secretPattern = '[a-z0-9]{16}';
const tokenPattern = new RegExp(`^(${idPattern})\\.(${secretPattern})$`);

/** True for `id.secret` and nothing around it, no line end either (k8s.io/cluster-bootstrap, BootstrapTokenPattern). */
export function isToken(text: string): boolean {
  return tokenPattern.test(text);
}

/** True for the first part of a token alone, which `token delete` also takes. */
export function isTokenId(text: string): boolean {
  return new RegExp(`^${idPattern}$`).test(text);
}

/**
 * Takes a bootstrap token apart.
 *
 * @param text `id.secret`; no part of it gets into an error
 * @throws DISCOVERY_TOKEN_INVALID
 */
export function parseToken(text: string): TokenParts {
  const [, id, secret] = tokenPattern.exec(text) ?? [];
  if (id === undefined || secret === undefined) {
    throw discoveryError(
      'DISCOVERY_TOKEN_INVALID',
      `Cannot use the bootstrap token as it is not 6 and 16 lower-case letters or digits with a dot between: a text of ${text.length} characters`,
      { hint: 'Make one: groundplane token create, on a control-plane node' },
    );
  }
  return { id, secret };
}

export function tokenText({ id, secret }: TokenParts): string {
  return `${id}.${secret}`;
}

/** True from the moment of expiry on, which itself is too late (k8s.io/cluster-bootstrap, util/secrets). */
export function isExpired({ expires }: Pick<BootstrapToken, 'expires'>, now: Date): boolean {
  return expires !== undefined && expires.getTime() <= now.getTime();
}

export function isTokenUsage(text: string): text is TokenUsage {
  return (tokenUsages as readonly string[]).includes(text);
}

const groupPattern = /^system:bootstrappers:[a-z0-9:-]{0,255}[a-z0-9]$/;

/** A group that a bootstrap token may give (k8s.io/cluster-bootstrap, BootstrapGroupPattern). */
export function isBootstrapGroup(text: string): boolean {
  return groupPattern.test(text);
}
