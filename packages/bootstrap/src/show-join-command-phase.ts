import { type BootstrapToken, isExpired, nodeBootstrapGroup, pinsOf, tokenText } from '@groundplane/discovery';
import type { ConfigMap } from '@groundplane/manifest';
import { parseYaml } from '@groundplane/manifest';
import { type AnyPhase, contract, type JsonValue, optional } from '@groundplane/phases';
import { adminKubeconfig, certificateArtifactsOf, kubeadmConfig } from './artifacts.ts';
import { clusterLocation } from './cluster-location.ts';
import { bootstrapTokens, kubeadmCerts } from './discovery-artifacts.ts';
import { bootstrapFinding } from './error-codes.ts';
import type { InitContext } from './init-context.ts';
import { readTokens } from './read-tokens.ts';
import { opens } from './shared-certificates.ts';
import { servingTokens, wantedTokens } from './wanted-tokens.ts';

/** What a node needs to join, as the result `joinCommand`, one for each token. A type, as interfaces are no JSON values. */
export type JoinCommandProduct = {
  /** `host:port` or URL, as other nodes reach the cluster. */
  readonly server: string;
  /** `id.secret`; `<value withheld>` if it is not to be shown. */
  readonly token: string;
  readonly caCertHashes: readonly string[];
  /** True if the cluster has an endpoint that more control-plane nodes can share. */
  readonly controlPlane: boolean;
  /** 64 hexadecimal digits, or `<value withheld>`; only if it opens what is uploaded. */
  readonly certificateKey?: string;
};

/** What stands for a secret that is not to be shown (kubeadm: cmd/util/join.go). */
export const withheldValue = '<value withheld>';

/** A report over what is there, so that it also works alone (kubeadm: cmd/phases/init/showjoincommand.go). */
export const showJoinCommandPhase: AnyPhase<InitContext> = contract<InitContext>().defineEffect({
  name: 'show-join-command',
  summary: 'Show the join command for control-plane and worker nodes',
  configuration: ['bootstrapTokens', 'controlPlaneEndpoint', 'certificateKey'],
  reads: {
    admin: adminKubeconfig,
    authority: optional(certificateArtifactsOf('ca').certificate),
    tokens: optional(bootstrapTokens),
    certificates: optional(kubeadmCerts),
    configuration: optional(kubeadmConfig.configMap),
  },
  connect: { kubeconfig: adminKubeconfig, endpoint: 'local' },
  uses: ['cluster'],
  everyTime: () => true,
  verify: () => [],
  async run({ config, inputs, ports: { cluster }, now, finding, result }) {
    const { tokens } = await readTokens(cluster);
    const chosen = tokensToShow(config, tokens, now);
    if (chosen.length === 0) {
      finding(
        bootstrapFinding({
          code: 'BOOTSTRAP_TOKEN_UNUSABLE',
          severity: 'warning',
          artifact: 'bootstrap-token',
          message: wantedTokens(config).some(({ generated }) => !generated)
            ? 'the bootstrap tokens of the configuration are not there, or no node can join with them, so no join command is shown'
            : 'there is no bootstrap token that a node could join with, so no join command is shown',
          hint: 'Make one, with its join command: token create --print-join-command',
        }),
      );
      return;
    }
    const { server, certificateAuthority } = clusterLocation(inputs, config);
    const caCertHashes = await pinsOf(certificateAuthority);
    const { certificateKey } = config.init;
    const isUsable = certificateKey !== '' && (await opens(inputs.certificates?.data ?? {}, certificateKey));
    if (certificateKey !== '' && !isUsable) {
      finding(
        bootstrapFinding({
          code: 'BOOTSTRAP_CERTIFICATE_KEY_UNUSABLE',
          severity: 'warning',
          artifact: 'Secret kubeadm-certs',
          message: 'the certificate key does not open what is uploaded, so it is not part of the join command',
          hint: 'Upload the certificates: init phase upload-certs --upload-certs',
        }),
      );
    }
    for (const token of chosen) {
      const product: JoinCommandProduct = {
        server: server.replace(/^https:\/\//, ''),
        token: config.skipTokenPrint ? withheldValue : tokenText(token),
        caCertHashes,
        controlPlane: hasSharedEndpoint(config, inputs.configuration),
        ...(isUsable ? { certificateKey: config.skipCertificateKeyPrint ? withheldValue : certificateKey } : {}),
      };
      result('joinCommand', product satisfies JsonValue, { secret: true });
    }
  },
});

/**
 * The tokens that serve as the configured ones; where the configuration names none and none of ours is left, the one of those that nodes
 * can join with that lives longest. What was named is not replaced by another, which may live longer than was meant.
 */
function tokensToShow(config: InitContext, existing: readonly BootstrapToken[], now: Date): readonly BootstrapToken[] {
  const wanted = wantedTokens(config);
  const serving = servingTokens(wanted, existing, now).filter((token) => token !== undefined);
  if (serving.length > 0) return serving;
  const usable = existing.filter(
    (token) =>
      !isExpired(token, now) &&
      token.usages.includes('authentication') &&
      token.usages.includes('signing') &&
      token.groups.includes(nodeBootstrapGroup),
  );
  const named = wanted.filter(({ generated }) => !generated).map(({ token }) => tokenText(token));
  if (named.length > 0) return usable.filter((token) => named.includes(tokenText(token)));
  const expiry = ({ expires }: BootstrapToken) => expires?.getTime() ?? Number.POSITIVE_INFINITY;
  return usable.toSorted((one, other) => expiry(other) - expiry(one) || one.id.localeCompare(other.id)).slice(0, 1);
}

/** What the cluster says counts: alone, the phase knows no configuration. */
function hasSharedEndpoint({ cluster }: InitContext, stored: ConfigMap | undefined): boolean {
  const text = stored?.data?.ClusterConfiguration;
  if (text === undefined) return cluster.controlPlaneEndpoint !== '';
  const document = parseYaml(text) as { readonly controlPlaneEndpoint?: unknown } | null;
  return typeof document?.controlPlaneEndpoint === 'string' && document.controlPlaneEndpoint !== '';
}
