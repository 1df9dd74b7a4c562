import {
  type BootstrapToken,
  isTokenId,
  type NewBootstrapToken,
  parseToken,
  tokenSecret,
  tokenSecretName,
  tokenSecretNamespace,
} from '@groundplane/discovery';
import { type Finding, isGroundplaneError } from '@groundplane/errors';
import type { Cluster, ClusterObject, ObjectReference } from '@groundplane/phases';
import { bootstrapTokens } from './discovery-artifacts.ts';
import { bootstrapError } from './error-codes.ts';
import { readTokens } from './read-tokens.ts';

/** What `token create`, `token list` and `token delete` do (kubeadm: cmd/token.go). */

/** How the Secrets of tokens are called among artifacts, and where the one of an id is. */
export const tokenArtifact: { readonly id: string; readonly reference: (id: string) => ObjectReference } = {
  id: bootstrapTokens.id,
  reference,
};

/**
 * Makes a bootstrap token.
 *
 * @param options.now what its time to live counts from
 * @throws GroundplaneError BOOTSTRAP_TOKEN_EXISTS, whatever the existing one says; what the Cluster port throws
 */
export async function createToken(
  cluster: Cluster,
  token: NewBootstrapToken,
  options: { readonly now: Date },
): Promise<void> {
  const secret = tokenSecret(token, options);
  // Asked first: an API server that is a while behind with an answer may have made it at the first of several attempts.
  if ((await cluster.get(reference(token.id))) !== undefined) throw exists(token.id);
  try {
    await cluster.create(secret as unknown as ClusterObject);
  } catch (error) {
    if (isGroundplaneError(error) && error.code === 'CLUSTER_ALREADY_EXISTS') throw exists(token.id, error);
    throw error;
  }
}

/** The bootstrap tokens of a cluster, expired ones included. */
export interface ListedTokens {
  readonly tokens: readonly BootstrapToken[];
  /** A warning for each Secret that has the type of tokens and is none. */
  readonly findings: readonly Finding[];
}

/** The bootstrap tokens of a cluster in the order of their names. */
export async function listTokens(cluster: Cluster): Promise<ListedTokens> {
  return readTokens(cluster);
}

/**
 * Removes a bootstrap token; what it owns goes with it.
 *
 * @param idOrToken `[a-z0-9]{6}`, or a whole token of which only this part counts
 * @returns the id
 * @throws GroundplaneError DISCOVERY_TOKEN_INVALID, BOOTSTRAP_TOKEN_UNKNOWN; what the Cluster port throws
 */
export async function deleteToken(cluster: Cluster, idOrToken: string): Promise<string> {
  const id = isTokenId(idOrToken) ? idOrToken : parseToken(idOrToken).id;
  if ((await cluster.get(reference(id))) === undefined) {
    throw bootstrapError(
      'BOOTSTRAP_TOKEN_UNKNOWN',
      `Cannot delete the bootstrap token as there is none of this id: ${id}`,
      {
        hint: 'See which there are: token list',
      },
    );
  }
  await cluster.delete(reference(id));
  return id;
}

function reference(id: string): ObjectReference {
  return { apiVersion: 'v1', kind: 'Secret', namespace: tokenSecretNamespace, name: tokenSecretName(id) };
}

function exists(id: string, cause?: unknown) {
  return bootstrapError(
    'BOOTSTRAP_TOKEN_EXISTS',
    `Cannot create the bootstrap token as one of its id is there already: ${id}`,
    { hint: `Take another one, or remove it first: token delete ${id}`, cause },
  );
}
