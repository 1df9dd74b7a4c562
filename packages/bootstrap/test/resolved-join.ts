import { type GroundplaneError, isGroundplaneError } from '@groundplane/errors';
import type { MemoryPorts } from '@groundplane/phases/testing';
import { expect } from 'vitest';
import { type JoinRequest, resolveJoin } from '../src/resolve-join.ts';
import { endpoint, joinRequest, joinWorld, token } from './join-world.ts';

/** What `resolveJoin` makes of the usual request. */
export async function resolve(ports: MemoryPorts = joinWorld(), change: Partial<JoinRequest> = {}) {
  return resolveJoin(await joinRequest(ports, change));
}

/** Why it is refused; the secret of the token is in no part of it. */
export async function refusal(ports: MemoryPorts, change: Partial<JoinRequest> = {}): Promise<GroundplaneError> {
  try {
    await resolve(ports, change);
  } catch (thrown) {
    if (!isGroundplaneError(thrown)) throw thrown;
    expect(`${thrown.message}${thrown.hint}${JSON.stringify(thrown.details)}`).not.toContain(token.split('.')[1]);
    return thrown;
  }
  return expect.fail('it was accepted');
}

/** A JoinConfiguration for the usual cluster, with more lines. */
export const document = (...lines: readonly string[]) =>
  [
    'apiVersion: kubeadm.k8s.io/v1beta4',
    'kind: JoinConfiguration',
    `discovery: {bootstrapToken: {token: ${token}, apiServerEndpoint: "${endpoint}", unsafeSkipCAVerification: true}}`,
    ...lines,
    '',
  ].join('\n');
/** A request whose configuration is that file alone. */
export const byFile = (...lines: readonly string[]) => ({
  configText: document(...lines),
  endpoint: undefined,
  flags: {},
});
