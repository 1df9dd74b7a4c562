import {
  type BootstrapToken,
  clusterInfo as clusterInfoOf,
  clusterInfoReference,
  signClusterInfo,
  tokenSecret,
  tokenSecretName,
  tokenText,
} from '@groundplane/discovery';
import { type ConfigMap, sameObject } from '@groundplane/manifest';
import { type AnyPhase, type Artifact, type Cluster, contract, optional, whereApplicable } from '@groundplane/phases';
import type { RbacObject } from '@groundplane/rbac';
import {
  adminKubeconfig,
  apiserverKubeletClientBinding,
  certificateArtifactsOf,
  clusterAdminsBinding,
} from './artifacts.ts';
import { clusterLocation } from './cluster-location.ts';
import { bootstrapTokens, clusterInfo, tokenAccess } from './discovery-artifacts.ts';
import { bootstrapFinding } from './error-codes.ts';
import type { InitContext } from './init-context.ts';
import { objectsDemands } from './object-demands.ts';
import { putSecret } from './put-secret.ts';
import { readTokens } from './read-tokens.ts';
import { tokenDemands } from './token-demands.ts';
import { servingTokens, wantedTokens } from './wanted-tokens.ts';

const accessArtifacts: Readonly<Record<string, Artifact<RbacObject>>> = Object.fromEntries(
  Object.entries(tokenAccess).map(([key, { artifact }]) => [key, artifact]),
);
const accessObjects: Readonly<Record<string, RbacObject>> = Object.fromEntries(
  Object.entries(tokenAccess).map(([key, { wanted }]) => [key, wanted]),
);

/** Lets other nodes find the cluster, trust it and be let in (kubeadm: cmd/phases/init/bootstraptoken.go). */
export const bootstrapTokenPhase: AnyPhase<InitContext> = contract<InitContext>().defineEffect({
  name: 'bootstrap-token',
  summary: 'Generate bootstrap tokens used to join a node to a cluster',
  configuration: ['bootstrapTokens', 'controlPlaneEndpoint'],
  reads: {
    access: whereApplicable(clusterAdminsBinding),
    kubeletAccess: apiserverKubeletClientBinding,
    admin: adminKubeconfig,
    authority: optional(certificateArtifactsOf('ca').certificate),
  },
  writes: { ...accessArtifacts, clusterInfo, tokens: optional(bootstrapTokens) },
  connect: { kubeconfig: adminKubeconfig, endpoint: 'local' },
  uses: ['cluster'],
  demands(config) {
    const code = 'BOOTSTRAP_OBJECT_DIFFERS';
    return {
      ...objectsDemands(accessObjects, code),
      clusterInfo: [
        {
          text: `Its data.kubeconfig is a kubeconfig without users, whose one cluster has the server and the CA of ${adminKubeconfig.id}`,
          code,
          severity: 'error',
        },
      ],
      tokens: tokenDemands(config),
    };
  },
  render: ({ config, inputs, outputs }) =>
    outputs({ ...accessObjects, clusterInfo: clusterInfoOf(clusterLocation(inputs, config)), tokens: undefined }),
  async verify({ config, inputs, ports: { cluster }, now }) {
    const missing = await unservedTokens(config, await readTokens(cluster), now);
    const objects = await Promise.all(
      [...Object.values(accessObjects), clusterInfoOf(clusterLocation(inputs, config))].map(async (wanted) => {
        const { apiVersion, kind, metadata } = wanted;
        const { name, namespace } = metadata;
        const place = { apiVersion, kind, name, ...(namespace === undefined ? {} : { namespace }) };
        const live = await cluster.get(place);
        const isThere = kind === 'ConfigMap' ? says(live as ConfigMap | undefined, wanted) : sameObject(wanted, live);
        return isThere ? [] : [differs(`${kind} ${name}`)];
      }),
    );
    return [
      ...objects.flat(),
      ...missing.map(({ id }) =>
        bootstrapFinding({
          code: 'BOOTSTRAP_TOKEN_MISSING',
          severity: 'error',
          artifact: `Secret ${tokenSecretName(id)}`,
          message: 'a bootstrap token that the configuration asks for is not there, differs or is about to expire',
        }),
      ),
    ];
  },
  async run({ config, ports: { cluster }, now, finding, result }) {
    const { tokens, findings } = await readTokens(cluster);
    for (const one of findings) finding(one);
    const wanted = wantedTokens(config);
    const serving = servingTokens(wanted, tokens, now);
    for (const [index, { token }] of wanted.entries()) {
      const kept = serving[index];
      if (kept === undefined) await putSecret(cluster, tokenSecret(token, { now }));
      if (!config.skipTokenPrint) result('bootstrapToken', tokenText(kept ?? token), { secret: true });
    }
    await sign(cluster, { tokens: wanted.map(({ token }, index) => serving[index] ?? token), now });
  },
});

/**
 * Signs cluster-info for the tokens as kube-controller-manager is going to, so that nodes can join before its controllers run: the same
 * bytes, which it then leaves as they are.
 */
async function sign(
  cluster: Cluster,
  options: { readonly tokens: readonly BootstrapToken[]; readonly now: Date },
): Promise<void> {
  const live = (await cluster.get(clusterInfoReference)) as ConfigMap | undefined;
  if (live === undefined) return;
  const { data = {} } = await signClusterInfo(live, options);
  const added = Object.entries(data).filter(([key, value]) => live.data?.[key] !== value);
  if (added.length > 0) await cluster.patch(clusterInfoReference, { data: Object.fromEntries(added) });
}

async function unservedTokens(
  config: InitContext,
  { tokens }: Pick<Awaited<ReturnType<typeof readTokens>>, 'tokens'>,
  now: Date,
) {
  const wanted = wantedTokens(config);
  const serving = servingTokens(wanted, tokens, now);
  return wanted.filter((_, index) => serving[index] === undefined).map(({ token }) => token);
}

function says(live: ConfigMap | undefined, wanted: unknown): boolean {
  return live !== undefined && clusterInfo.format.satisfied?.(wanted as ConfigMap, live) === true;
}

function differs(what: string) {
  return bootstrapFinding({
    code: 'BOOTSTRAP_OBJECT_DIFFERS',
    severity: 'error',
    artifact: what,
    message: `${what} is not what bootstrap-token writes`,
    hint: 'Run it again: init phase bootstrap-token',
  });
}
