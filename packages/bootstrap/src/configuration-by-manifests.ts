import { splitHostPort } from '@groundplane/config';
import type { CurrentContext } from '@groundplane/kubeconfig';
import { type Pod, stringifyYaml } from '@groundplane/manifest';
import { flagOf } from './health-checks.ts';

/** What is on a control-plane node and says something of its configuration, as far as it is there and can be read. */
export interface NodeArtifacts {
  readonly apiserver?: Pod | undefined;
  readonly controllerManager?: Pod | undefined;
  readonly scheduler?: Pod | undefined;
  readonly etcd?: Pod | undefined;
  /** The configuration of the kubelet. */
  readonly kubelet?: Readonly<Record<string, unknown>> | undefined;
  /** admin.conf, or super-admin.conf: they name the endpoint of the cluster. */
  readonly admin?: CurrentContext | undefined;
  /** controller-manager.conf, or scheduler.conf: they name the API server of this node. */
  readonly local?: CurrentContext | undefined;
}

/** What may be taken for granted only because nothing on the node tells it. */
export type Fact = 'certificatesDir' | 'etcd' | 'dataDir' | 'names' | 'version';

export interface ConfigurationByManifests {
  /** A ClusterConfiguration as YAML. */
  readonly cluster: string;
  readonly advertiseAddress?: string;
  readonly bindPort?: number;
  /** What nothing tells: `names` are the names, addresses and subnets that certificates and kubeconfigs carry. */
  readonly assumed: ReadonlySet<Fact>;
}

/** Of a node on which nothing tells anything. */
export const everythingAssumed: ReadonlySet<Fact> = new Set(['certificatesDir', 'etcd', 'dataDir', 'names', 'version']);

/**
 * What a control-plane node says of its configuration: all that certificates, kubeconfigs and manifests are held to, but not what they
 * were given beyond that. Each artifact counts by itself, since any of the others may be missing.
 *
 * @returns undefined if none of them is there
 */
export function configurationByManifests(artifacts: NodeArtifacts): ConfigurationByManifests | undefined {
  if (Object.values(artifacts).every((artifact) => artifact === undefined)) return undefined;
  const { apiserver, controllerManager, scheduler, etcd, kubelet, admin, local } = artifacts;
  const flag = (pod: Pod | undefined, name: string) => pod && flagOf(pod, name);
  const certificatesDir = certificatesDirOf(artifacts);
  const image = [apiserver, controllerManager, scheduler].map((pod) => pod && imageOf(pod)).find(Boolean);
  const server = URL.parse(local?.server ?? '');
  const [clientUrl] = (flag(etcd, 'advertise-client-urls') ?? '').split(',');
  const advertiseAddress =
    flag(apiserver, 'advertise-address') ?? bare(server?.hostname) ?? bare(URL.parse(clientUrl ?? '')?.hostname);
  const bindPort = Number(apiserver === undefined ? server?.port || 6443 : (flag(apiserver, 'secure-port') ?? 6443));
  const endpoint = URL.parse(admin?.server ?? '')?.host;
  const isOwn = endpoint === undefined || bare(splitHostPort(endpoint)?.host) === advertiseAddress;
  const serviceSubnet =
    flag(apiserver, 'service-cluster-ip-range') ??
    flag(controllerManager, 'service-cluster-ip-range') ??
    (apiserver === undefined ? undefined : '');
  const podSubnet = controllerManager && (flagOf(controllerManager, 'cluster-cidr') ?? '');
  const clusterName = flag(controllerManager, 'cluster-name') ?? (admin ?? local)?.cluster;
  const dnsDomain = textAt(kubelet, 'clusterDomain') ?? domainOf(flag(apiserver, 'service-account-issuer'));
  const etcdIsKnown = etcd !== undefined || apiserver !== undefined;
  const etcdSection = etcdIsKnown ? etcdOf(apiserver, etcd) : { local: {} };
  const document = {
    apiVersion: 'kubeadm.k8s.io/v1beta4',
    kind: 'ClusterConfiguration',
    ...(image === undefined ? {} : { kubernetesVersion: image.tag, imageRepository: image.repository }),
    ...(certificatesDir === undefined ? {} : { certificatesDir }),
    ...(clusterName ? { clusterName } : {}),
    ...(isOwn ? {} : { controlPlaneEndpoint: endpoint }),
    networking: {
      ...(serviceSubnet === undefined ? {} : { serviceSubnet }),
      ...(podSubnet === undefined ? {} : { podSubnet }),
      ...(dnsDomain === undefined ? {} : { dnsDomain }),
    },
    etcd: etcdSection,
  };
  const isExternal = 'external' in etcdSection;
  const isNamed = [advertiseAddress, serviceSubnet, dnsDomain, endpoint].every((fact) => fact !== undefined);
  const assumed: Readonly<Record<Fact, boolean>> = {
    certificatesDir: certificatesDir === undefined,
    etcd: !etcdIsKnown,
    dataDir: !isExternal && flag(etcd, 'data-dir') === undefined,
    names: !isNamed,
    version: image === undefined,
  };
  return {
    cluster: stringifyYaml(document),
    ...(advertiseAddress === undefined ? {} : { advertiseAddress }),
    ...(Number.isInteger(bindPort) ? { bindPort } : {}),
    assumed: new Set([...everythingAssumed].filter((fact) => assumed[fact])),
  };
}

/** Which flags name a file of the certificates directory, and as what (kubeadm: phases/controlplane/manifests.go, phases/etcd/local.go). */
const certificateFlags: readonly (readonly [
  pod: 'apiserver' | 'controllerManager' | 'etcd',
  flag: string,
  file: string,
])[] = [
  ['apiserver', 'client-ca-file', 'ca.crt'],
  ['apiserver', 'tls-cert-file', 'apiserver.crt'],
  ['apiserver', 'tls-private-key-file', 'apiserver.key'],
  ['apiserver', 'service-account-key-file', 'sa.pub'],
  ['controllerManager', 'client-ca-file', 'ca.crt'],
  ['controllerManager', 'cluster-signing-cert-file', 'ca.crt'],
  ['controllerManager', 'cluster-signing-key-file', 'ca.key'],
  ['controllerManager', 'root-ca-file', 'ca.crt'],
  ['controllerManager', 'service-account-private-key-file', 'sa.key'],
  ['etcd', 'cert-file', 'etcd/server.crt'],
  ['etcd', 'key-file', 'etcd/server.key'],
  ['etcd', 'trusted-ca-file', 'etcd/ca.crt'],
  ['etcd', 'peer-cert-file', 'etcd/peer.crt'],
];

/** The folder of certificates that one of them names. */
export function certificatesDirOf({ kubelet, admin, local, ...pods }: NodeArtifacts): string | undefined {
  const named: readonly (readonly [path: string | undefined, file: string])[] = [
    ...certificateFlags.map(([name, flag, file]) => [pods[name] && flagOf(pods[name], flag), file] as const),
    [clientAuthorityOf(kubelet), 'ca.crt'],
    [admin?.certificateAuthorityFile, 'ca.crt'],
    [local?.certificateAuthorityFile, 'ca.crt'],
  ];
  const [path, file] = named.find(([path, file]) => path?.startsWith('/') && path.endsWith(`/${file}`)) ?? [];
  return path === undefined || file === undefined ? undefined : path.slice(0, -file.length - 1) || '/';
}

/** The file of the CA by which a kubelet knows its clients, if its configuration names one. */
export function clientAuthorityOf(kubelet: Readonly<Record<string, unknown>> | undefined): string | undefined {
  const authentication = kubelet?.authentication as { readonly x509?: Readonly<Record<string, unknown>> } | undefined;
  return textAt(authentication?.x509, 'clientCAFile');
}

function textAt(document: Readonly<Record<string, unknown>> | undefined, name: string): string | undefined {
  const value = document?.[name];
  return typeof value === 'string' && value !== '' ? value : undefined;
}

/** kubeadm makes the issuer of service account tokens from the domain of the cluster. */
function domainOf(issuer: string | undefined): string | undefined {
  return /^https:\/\/kubernetes\.default\.svc\.([^/:]+)$/.exec(issuer ?? '')?.[1];
}

function bare(host: string | undefined): string | undefined {
  return host?.replace(/^\[(.*)\]$/, '$1') || undefined;
}

/** An etcd that is not on this node is not ours (kubeadm: phases/controlplane/manifests.go). */
function etcdOf(
  apiserver: Pod | undefined,
  etcd: Pod | undefined,
): { readonly local: object } | { readonly external: object } {
  const file = (name: string) => (apiserver && flagOf(apiserver, name)) ?? '';
  const endpoints = file('etcd-servers')
    .split(',')
    .filter((url) => url !== '');
  const isLocal = endpoints.every((url) =>
    ['127.0.0.1', '[::1]', 'localhost'].includes(URL.parse(url)?.hostname ?? ''),
  );
  if (etcd !== undefined || isLocal) {
    const dataDir = etcd && flagOf(etcd, 'data-dir');
    return { local: dataDir === undefined ? {} : { dataDir } };
  }
  return {
    external: {
      endpoints,
      caFile: file('etcd-cafile'),
      certFile: file('etcd-certfile'),
      keyFile: file('etcd-keyfile'),
    },
  };
}

/** Repository and tag of a component's image, if it has a version for a tag. */
function imageOf({ spec }: Pod): { readonly repository: string; readonly tag: string } | undefined {
  const [, repository, tag] = /^(.+)\/[^/:@]+:(v\d+\.\d+\.\d+[^@]*)/.exec(spec.containers[0]?.image ?? '') ?? [];
  return repository === undefined || tag === undefined ? undefined : { repository, tag };
}
