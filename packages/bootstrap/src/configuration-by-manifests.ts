import { splitHostPort } from '@groundplane/config';
import { type Pod, stringifyYaml } from '@groundplane/manifest';
import { flagOf } from './health-checks.ts';

/** The static pods of a control plane, as far as they are there and can be read. */
export interface ControlPlanePods {
  readonly apiserver?: Pod | undefined;
  readonly controllerManager?: Pod | undefined;
  readonly etcd?: Pod | undefined;
}

export interface ConfigurationByManifests {
  /** A ClusterConfiguration as YAML. */
  readonly cluster: string;
  readonly advertiseAddress?: string;
  readonly bindPort?: number;
}

/**
 * What the manifests of a control plane say of its configuration: all that certificates, kubeconfigs and manifests are held to, but not
 * what they were given beyond that.
 *
 * @param server URL that admin.conf names, where it can be read
 * @param dnsDomain of the kubelet's configuration
 * @returns undefined without the manifest of the API server
 */
export function configurationByManifests(
  { apiserver, controllerManager, etcd }: ControlPlanePods,
  { server, dnsDomain }: { readonly server?: string | undefined; readonly dnsDomain?: string | undefined } = {},
): ConfigurationByManifests | undefined {
  if (apiserver === undefined) return undefined;
  const flag = (name: string) => flagOf(apiserver, name);
  const advertiseAddress = flag('advertise-address');
  const bindPort = Number(flag('secure-port') ?? 6443);
  const authority = flag('client-ca-file');
  const image = imageOf(apiserver);
  const endpoint = server === undefined ? undefined : URL.parse(server)?.host;
  const isOwn = endpoint === undefined || splitHostPort(endpoint)?.host === advertiseAddress;
  const podSubnet = controllerManager && flagOf(controllerManager, 'cluster-cidr');
  const clusterName = controllerManager && flagOf(controllerManager, 'cluster-name');
  const document = {
    apiVersion: 'kubeadm.k8s.io/v1beta4',
    kind: 'ClusterConfiguration',
    ...(image === undefined ? {} : { kubernetesVersion: image.tag, imageRepository: image.repository }),
    ...(authority === undefined ? {} : { certificatesDir: authority.replace(/\/[^/]*$/, '') }),
    ...(clusterName === undefined ? {} : { clusterName }),
    ...(isOwn ? {} : { controlPlaneEndpoint: endpoint }),
    networking: {
      serviceSubnet: flag('service-cluster-ip-range') ?? '',
      podSubnet: podSubnet ?? '',
      ...(dnsDomain === undefined ? {} : { dnsDomain }),
    },
    etcd: etcdOf(apiserver, etcd),
  };
  return {
    cluster: stringifyYaml(document),
    ...(advertiseAddress === undefined ? {} : { advertiseAddress }),
    ...(Number.isInteger(bindPort) ? { bindPort } : {}),
  };
}

/** An etcd that is not on this node is not ours (kubeadm: phases/controlplane/manifests.go). */
function etcdOf(apiserver: Pod, etcd: Pod | undefined): unknown {
  const endpoints = (flagOf(apiserver, 'etcd-servers') ?? '').split(',').filter((url) => url !== '');
  const isLocal = endpoints.every((url) =>
    ['127.0.0.1', '[::1]', 'localhost'].includes(URL.parse(url)?.hostname ?? ''),
  );
  if (etcd !== undefined || isLocal) {
    const dataDir = etcd && flagOf(etcd, 'data-dir');
    return { local: dataDir === undefined ? {} : { dataDir } };
  }
  const file = (name: string) => flagOf(apiserver, name) ?? '';
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
