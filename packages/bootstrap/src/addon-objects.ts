import {
  apiServerEnvironment,
  type CoreDnsObjects,
  coreDns,
  type KubeProxyObjects,
  kubeProxy,
  namesApiServer,
  withEnvironment,
} from '@groundplane/addons';
import { componentConfigHash, componentConfigHashAnnotation, serviceAddress } from '@groundplane/config';
import { coreDNSImage, kubernetesImage, mergeEnvironment } from '@groundplane/controlplane';
import { controlPlaneEndpointUrl } from '@groundplane/kubeconfig';
import { type ConfigMap, type Deployment, stringifyYaml } from '@groundplane/manifest';
import { applyPatches } from '@groundplane/patches';
import { normalizeIpAddress } from '@groundplane/pki';
import { controlPlaneFactsOf } from './control-plane-facts.ts';
import type { InitContext } from './init-context.ts';

/** Which address of the first service subnet is that of the cluster DNS (kubeadm: constants.go, GetDNSIP). */
const dnsAddressIndex = 10;

/** The address that kubelets tell pods as their resolver. Validation has seen to it that there is one. */
export function dnsAddressOf({ cluster }: InitContext): string {
  return serviceAddress(cluster.networking.serviceSubnet, dnsAddressIndex) ?? '';
}

/** Reference of CoreDNS' image. */
export function coreDnsImageOf(context: InitContext): string {
  return coreDNSImage(controlPlaneFactsOf(context, true));
}

/** The objects of CoreDNS, the Deployment before the user's patches. */
export function coreDnsObjects(
  context: InitContext,
  existing: { readonly replicas?: number | undefined; readonly corefile?: string | undefined } = {},
): CoreDnsObjects {
  return coreDns({
    image: coreDnsImageOf(context),
    dnsDomain: context.cluster.networking.dnsDomain,
    clusterIP: dnsAddressOf(context),
    ...existing,
  });
}

/** What a cluster has of CoreDNS already, and keeps. */
export interface KeptOfCoreDns {
  /** Text of a Corefile that somebody has changed. */
  readonly corefile?: string | undefined;
  /** Its number of pods, and whether they go through the Service to the API server, stay. */
  readonly deployment?: Deployment | undefined;
}

/** The objects of CoreDNS as this cluster gets them: pods that know the API server where that is possible, and patched. */
export function patchedCoreDns(context: InitContext, { corefile, deployment }: KeptOfCoreDns = {}): CoreDnsObjects {
  const objects = coreDnsObjects(context, { corefile, replicas: deployment?.spec?.replicas });
  // What is installed stays as it is, unless somebody has said how it is to be.
  const isOurs = deployment === undefined || namesApiServer(deployment) || context.groundplane !== undefined;
  const server = isOurs ? addressForCoreDns(context) : undefined;
  const placed =
    server === undefined ? objects.deployment : withEnvironment(objects.deployment, apiServerEnvironment(server));
  return { ...objects, deployment: applyPatches('corednsdeployment', placed, context.patches) };
}

interface ApiServerAddress {
  readonly host: string;
  readonly port: string;
}

/** By which address the pods of CoreDNS reach the API server; undefined where they go through the Service. */
export function addressForCoreDns(context: InitContext): ApiServerAddress | undefined {
  return context.groundplane?.coreDNS.apiServer === 'Service' ? undefined : addressOfApiServer(context);
}

/**
 * Where pods on every node reach the API server without Service rules and without a resolver; undefined where the control plane has a
 * name, which may be known to the nodes alone.
 */
function addressOfApiServer({ init, cluster }: InitContext): ApiServerAddress | undefined {
  const { hostname, port } = new URL(controlPlaneEndpointUrl(cluster.controlPlaneEndpoint, init.localAPIEndpoint));
  const host = normalizeIpAddress(hostname.replace(/^\[|\]$/g, ''));
  return host === undefined ? undefined : { host, port: port === '' ? '443' : port };
}

/** The objects of kube-proxy, before the user's patches and without what only this run can add. */
export function kubeProxyObjects(context: InitContext): KubeProxyObjects {
  const { init, cluster } = context;
  return kubeProxy({
    image: kubernetesImage('kube-proxy', controlPlaneFactsOf(context, true)),
    server: controlPlaneEndpointUrl(cluster.controlPlaneEndpoint, init.localAPIEndpoint),
    configuration: stringifyYaml(context.kubeProxy),
  });
}

/** The objects of kube-proxy as this cluster gets them: patched, with the proxy variables of this machine, and with the hash. */
export async function patchedKubeProxy(context: InitContext): Promise<KubeProxyObjects> {
  const { configMap, daemonSet, ...objects } = kubeProxyObjects(context);
  const patched = applyPatches('kubeproxydaemonset', daemonSet, context.patches);
  return {
    ...objects,
    configMap: context.kubeProxyIsUserSupplied ? configMap : await generated(configMap),
    daemonSet: withEnvironment(patched, mergeEnvironment(context.machine.proxyEnvironment)),
  };
}

/** The hash says that the configuration was generated, so that an upgrade may generate it anew. */
async function generated(configMap: ConfigMap): Promise<ConfigMap> {
  const hash = await componentConfigHash({ data: configMap.data ?? {} });
  return { ...configMap, metadata: { ...configMap.metadata, annotations: { [componentConfigHashAnnotation]: hash } } };
}
