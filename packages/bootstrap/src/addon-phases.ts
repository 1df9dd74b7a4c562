import { coreDnsConflicts, decideCorefile } from '@groundplane/addons';
import type { Finding } from '@groundplane/errors';
import { type ConfigMap, type Deployment, type NamedObject, sameObject } from '@groundplane/manifest';
import { type AnyPhase, type Artifact, contract, whereApplicable } from '@groundplane/phases';
import { allServices, coreDnsArtifacts, dnsDeployments, kubeProxyArtifacts } from './addon-artifacts.ts';
import { coreDnsImageOf, dnsAddressOf, patchedCoreDns, patchedKubeProxy } from './addon-objects.ts';
import { adminKubeconfig, clusterAdminsBinding } from './artifacts.ts';
import { reasonDisabled } from './disabled-addons.ts';
import { bootstrapFinding } from './error-codes.ts';
import type { InitContext } from './init-context.ts';
import { serviceRulesPhase } from './service-rules-phase.ts';

const init = contract<InitContext>();
const connect = { kubeconfig: adminKubeconfig, endpoint: 'local' } as const;

const kubeProxyPhase: AnyPhase<InitContext> = init.definePhase({
  name: 'addon/kube-proxy',
  summary: 'Install the kube-proxy addon to a Kubernetes cluster',
  configuration: ['KubeProxyConfiguration', 'controlPlaneEndpoint', 'proxy', 'imageRepository', 'kubernetesVersion'],
  inapplicable: ({ cluster }) => reasonDisabled('addon/kube-proxy', cluster),
  reads: { access: whereApplicable(clusterAdminsBinding) },
  writes: kubeProxyArtifacts,
  connect,
  render: async ({ config, outputs }) => outputs(await patchedKubeProxy(config)),
  verify: async ({ config, outputs }) =>
    differing('kube-proxy', kubeProxyArtifacts, { wanted: await patchedKubeProxy(config), live: outputs }),
});

/** What a cluster has of CoreDNS already. */
interface Installed {
  readonly configMap: ConfigMap | undefined;
  readonly deployment: Deployment | undefined;
}

const coreDnsPhase: AnyPhase<InitContext> = init.definePhase({
  name: 'addon/coredns',
  summary: 'Install the CoreDNS addon to a Kubernetes cluster',
  configuration: ['dns', 'networking.dnsDomain', 'networking.serviceSubnet', 'imageRepository'],
  inapplicable: ({ cluster }) => reasonDisabled('addon/coredns', cluster),
  reads: { access: whereApplicable(clusterAdminsBinding), deployments: dnsDeployments, services: allServices },
  writes: coreDnsArtifacts,
  connect,
  render: ({ config, existing, outputs }) => outputs(wantedCoreDns(config, existing)),
  verify({ config, inputs, outputs }) {
    const { findings } = decideCorefile(
      { configMap: outputs.configMap, image: imageOf(outputs.deployment) },
      coreDnsImageOf(config),
    );
    return [
      ...coreDnsConflicts(inputs, dnsAddressOf(config)),
      ...findings,
      ...differing('coredns', coreDnsArtifacts, { wanted: wantedCoreDns(config, outputs), live: outputs }),
    ];
  },
});

/** Both addons; kube-proxy first, so that the pods of CoreDNS find the rules of Services as early as possible. */
export const addonPhases: readonly AnyPhase<InitContext>[] = [kubeProxyPhase, serviceRulesPhase, coreDnsPhase];

/** The objects of CoreDNS, with what is not ours to decide as it is: a Corefile that somebody has changed, and what its pods keep. */
function wantedCoreDns(config: InitContext, { configMap, deployment }: Installed) {
  const decision = decideCorefile({ configMap, image: imageOf(deployment) }, coreDnsImageOf(config));
  const wanted = patchedCoreDns(config, { corefile: decision.kept, deployment });
  return decision.updatesDeployment || deployment === undefined ? wanted : { ...wanted, deployment };
}

function imageOf(deployment: Deployment | undefined): string | undefined {
  return deployment?.spec?.template?.spec?.containers?.[0]?.image;
}

type Objects<K extends string> = Readonly<Record<K, NamedObject>>;

function differing<K extends string>(
  addon: string,
  artifacts: Readonly<Record<K, Artifact<unknown> | { readonly id: string }>>,
  { wanted, live }: { readonly wanted: Objects<K>; readonly live: Objects<K> },
): readonly Finding[] {
  return (Object.keys(artifacts) as K[])
    .filter((key) => !sameObject(wanted[key], live[key]))
    .map((key) =>
      bootstrapFinding({
        code: 'BOOTSTRAP_OBJECT_DIFFERS',
        severity: 'error',
        artifact: artifacts[key].id,
        message: `${wanted[key].kind} ${wanted[key].metadata.name} is not what addon/${addon} writes`,
        hint: `Run it again: init phase addon ${addon}`,
      }),
    );
}
