import type { ExternalEtcdFacts, PreflightConfiguration } from '@groundplane/kubelet';
import type { Arg, ExternalEtcd } from './configuration-types.ts';
import { formatIpAddress, parseIpAddress } from './ip-address.ts';
import { kubernetesVersions } from './kubernetes-version.ts';
import { parseSubnets, subnetAddress } from './subnet.ts';
import type { InitDocuments } from './validate-configuration.ts';

const manifestsDir = '/etc/kubernetes/manifests';

/** What the preflight checks of `init` look at in a resolved configuration (kubeadm, preflight/checks.go, InitNodeChecks). */
export function preflightConfiguration(resolved: InitDocuments): PreflightConfiguration {
  const { init, cluster } = resolved;
  const { advertiseAddress, bindPort } = init.localAPIEndpoint;
  const subnets = [cluster.networking.serviceSubnet, cluster.networking.podSubnet].flatMap((text) => {
    const cidrs = text.split(',');
    return (parseSubnets(text) ?? []).map((subnet, index) => ({ subnet, cidr: cidrs[index] ?? '' }));
  });
  const { local, external } = cluster.etcd;
  const address = parseIpAddress(advertiseAddress);
  const families = new Set([
    ...subnets.map(({ subnet }) => subnet.family),
    ...(address === undefined ? [] : [address.family]),
  ]);
  const apiServer = lastValue(cluster.apiServer.extraArgs, 'bind-address');
  const scheduler = lastValue(cluster.scheduler.extraArgs, 'bind-address');
  const controllerManager = lastValue(cluster.controllerManager.extraArgs, 'bind-address');
  return {
    kubernetesVersion: cluster.kubernetesVersion,
    toolVersion: kubernetesVersions.newest,
    minimumKubeletVersion: kubernetesVersions.minimumKubelet,
    nodeName: init.nodeRegistration.name,
    advertiseAddress,
    bindPort,
    bindAddresses: {
      ...(apiServer !== undefined && { apiServer }),
      ...(scheduler !== undefined && { scheduler }),
      ...(controllerManager !== undefined && { controllerManager }),
    },
    subnets: subnets.flatMap(({ subnet, cidr }) => {
      const first = subnetAddress(subnet, 1);
      return first === undefined ? [] : [{ cidr, firstAddress: formatIpAddress(first) }];
    }),
    families: [...families],
    imagePullPolicy: init.nodeRegistration.imagePullPolicy,
    manifestsDir,
    ...(local !== undefined && {
      localEtcd: {
        dataDir: local.dataDir,
        address: lastValue(cluster.apiServer.extraArgs, 'advertise-address') ?? advertiseAddress,
      },
    }),
    ...(external !== undefined && { externalEtcd: externalEtcd(external) }),
  };
}

function externalEtcd({ httpEndpoints, caFile, certFile, keyFile }: ExternalEtcd): ExternalEtcdFacts {
  return { httpEndpoints, ...(caFile && { caFile }), ...(certFile && { certFile }), ...(keyFile && { keyFile }) };
}

/** The last argument of a name counts; an empty value is none. */
function lastValue(args: readonly Arg[], name: string): string | undefined {
  return args.findLast((arg) => arg.name === name)?.value || undefined;
}
