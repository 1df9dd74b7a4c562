import type { ConfigMap } from '@groundplane/manifest';
import { type BootstrapToken, isExpired } from './bootstrap-token.ts';
import { readClusterInfo, signatureKey } from './cluster-info.ts';
import { detachedSignature } from './detached-jws.ts';

/**
 * cluster-info with the signatures of those tokens that are for signing and have not expired, and no others: what the
 * signer in the kube-controller-manager makes of it (kubernetes: pkg/controller/bootstrap/bootstrapsigner.go).
 */
export async function signClusterInfo(
  configMap: ConfigMap,
  options: { readonly tokens: readonly BootstrapToken[]; readonly now: Date },
): Promise<ConfigMap> {
  const { kubeconfig, signatures } = readClusterInfo(configMap);
  const stale = new Set([...signatures.keys()].map(signatureKey));
  const rest = Object.entries(configMap.data ?? {}).filter(([key]) => !stale.has(key));
  const signers = options.tokens.filter((token) => token.usages.includes('signing') && !isExpired(token, options.now));
  const signed = await Promise.all(
    signers.map(async (token) => [signatureKey(token.id), await detachedSignature(kubeconfig, token)] as const),
  );
  return { ...configMap, data: Object.fromEntries([...rest, ...signed]) };
}
