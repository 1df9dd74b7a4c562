import { coreDnsConflicts, decideCorefile, namesApiServer } from '@groundplane/addons';
import type { Finding } from '@groundplane/errors';
import { type ConfigMap, type Deployment, type NamedObject, sameObject } from '@groundplane/manifest';
import { type AnyPhase, type Artifact, contract, whereApplicable } from '@groundplane/phases';
import { allServices, coreDnsArtifacts, dnsDeployments, kubeProxyArtifacts } from './addon-artifacts.ts';
import { coreDnsImageOf, dnsAddressOf, patchedCoreDns, patchedKubeProxy } from './addon-objects.ts';
import { adminKubeconfig, clusterAdminsBinding } from './artifacts.ts';
import { reasonDisabled } from './disabled-addons.ts';
import { bootstrapFinding } from './error-codes.ts';
import type { InitContext } from './init-context.ts';
import { objectsDemands } from './object-demands.ts';
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
  demands: async (config) => objectsDemands({ ...(await patchedKubeProxy(config)) }, 'BOOTSTRAP_OBJECT_DIFFERS'),
});

/** What a cluster has of CoreDNS already. */
interface Installed {
  readonly configMap?: ConfigMap | undefined;
  readonly deployment?: Deployment | undefined;
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
    const wanted = wantedCoreDns(config, outputs);
    return [
      ...coreDnsConflicts(inputs, dnsAddressOf(config)),
      ...findings,
      ...differing('coredns', coreDnsArtifacts, { wanted, live: outputs }),
      ...surplusAddress(config, { wanted: wanted.deployment, live: outputs.deployment }),
    ];
  },
  demands(config) {
    const address = dnsAddressOf(config);
    const objects = objectsDemands({ ...wantedCoreDns(config, {}) }, 'BOOTSTRAP_OBJECT_DIFFERS');
    const found = (code: string, text: string, severity: 'error' | 'warning' = 'error') => ({ text, code, severity });
    return {
      deployments: [found('ADDONS_DNS_OTHER', 'None but coredns is among them')],
      services: [
        found('ADDONS_DNS_SERVICE_ADDRESS', `kube-system/kube-dns has the address ${address}, if it is there`),
        found('ADDONS_DNS_ADDRESS_TAKEN', `No other one has the address ${address}`),
      ],
      ...objects,
      configMap: [
        ...objects.configMap.map((one) => ({
          ...one,
          ...found(
            'ADDONS_COREFILE_KEPT',
            'Its Corefile is this; one that is no default of kubeadm stays as it is',
            'warning',
          ),
        })),
        found('BOOTSTRAP_OBJECT_DIFFERS', 'Its Corefile is not the default of another version'),
      ],
      deployment: [
        ...objects.deployment,
        found(
          'ADDONS_COREDNS_KEPT',
          'Its CoreDNS understands a Corefile that stays; an older one stays, too',
          'warning',
        ),
      ],
    };
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

/** An address of the API server that was not to be there; a comparison with what is wanted does not see what is too much. */
function surplusAddress(
  { groundplane }: InitContext,
  { wanted, live }: { readonly wanted: Deployment; readonly live: Deployment },
): readonly Finding[] {
  const goesByService = groundplane?.coreDNS.apiServer === 'Service' && !namesApiServer(wanted);
  if (!goesByService || !namesApiServer(live)) return [];
  return [
    bootstrapFinding({
      code: 'BOOTSTRAP_OBJECT_DIFFERS',
      severity: 'error',
      artifact: coreDnsArtifacts.deployment.id,
      message: 'The pods of CoreDNS are told the address of the API server, and are to use its Service',
      hint: 'Run it again: init phase addon coredns',
    }),
  ];
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
