import { readTokenSecrets, tokenSecretNamespace, tokenSecretType } from '@groundplane/discovery';
import type { Secret } from '@groundplane/manifest';
import type { Cluster } from '@groundplane/phases';

/** The bootstrap tokens of a cluster, and a finding for each Secret that is none although it has their type. */
export async function readTokens(cluster: Cluster): Promise<ReturnType<typeof readTokenSecrets>> {
  const secrets = await cluster.list({
    apiVersion: 'v1',
    kind: 'Secret',
    namespace: tokenSecretNamespace,
    fieldSelector: `type=${tokenSecretType}`,
  });
  return readTokenSecrets(secrets as unknown as readonly Secret[]);
}
