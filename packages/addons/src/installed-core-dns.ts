import type { Finding } from '@groundplane/errors';
import type { ConfigMap, Deployment, Service } from '@groundplane/manifest';
import { dnsLabel } from './core-dns.ts';
import { addonFinding } from './error-codes.ts';
import { isKnownCorefile } from './known-corefiles.ts';
import { kubeSystem } from './placement.ts';

/** What is said of an object by name. */
const configMapName = `ConfigMap ${kubeSystem}/coredns`;
const serviceName = 'kube-dns';

/**
 * What stands in the way of the cluster DNS: any of it would be refused by the API server halfway, or leave names unanswered.
 *
 * @param cluster.deployments those in kube-system with the label {@link dnsLabel}
 * @param cluster.services those of all namespaces
 * @param clusterIP address that the Service kube-dns is to have
 */
export function coreDnsConflicts(
  { deployments, services }: { readonly deployments: readonly Deployment[]; readonly services: readonly Service[] },
  clusterIP: string,
): readonly Finding[] {
  const findings: Finding[] = [];
  const others = deployments.map(({ metadata }) => metadata.name).filter((name) => name !== 'coredns');
  if (others.length > 0) {
    findings.push(
      addonFinding({
        code: 'ADDONS_DNS_OTHER',
        severity: 'error',
        artifact: `Deployment ${kubeSystem}/${others[0]}`,
        message: `Cannot install CoreDNS as another Deployment has the label ${dnsLabel}: ${others.join(', ')}`,
        hint: `Delete it, or leave CoreDNS out: --skip-phases addon/coredns`,
      }),
    );
  }
  for (const service of services) {
    const { name, namespace = '' } = service.metadata;
    const own = namespace === kubeSystem && name === serviceName;
    const addresses = addressesOf(service);
    const place = `${namespace}/${name}`;
    if (own && addresses[0] !== clusterIP) {
      findings.push(
        addonFinding({
          code: 'ADDONS_DNS_SERVICE_ADDRESS',
          severity: 'error',
          artifact: `Service ${place}`,
          message: `Cannot give the Service ${place} the address ${clusterIP} as an address cannot change: ${addresses[0] ?? 'None'}`,
          hint: `Delete it, or give networking.serviceSubnet as the cluster has it: kubectl -n ${namespace} delete service ${name}`,
        }),
      );
    }
    if (!own && addresses.includes(clusterIP)) {
      findings.push(
        addonFinding({
          code: 'ADDONS_DNS_ADDRESS_TAKEN',
          severity: 'error',
          artifact: `Service ${place}`,
          message: `Cannot give the cluster DNS its address as the Service ${place} has it: ${clusterIP}`,
          hint: `Delete that Service, and let it be made again with another address: kubectl -n ${namespace} delete service ${name}`,
        }),
      );
    }
  }
  return findings;
}

function addressesOf({ spec }: Service): readonly string[] {
  const { clusterIP, clusterIPs = [] } = spec ?? {};
  return [...new Set([...(clusterIP === undefined ? [] : [clusterIP]), ...clusterIPs])].filter((one) => one !== '');
}

/** Who has the last word about CoreDNS' configuration and program. */
export interface CorefileDecision {
  /** The Corefile that stays; undefined if there is none that somebody has changed, and the default is written. */
  readonly kept: string | undefined;
  /** False if CoreDNS stays as it is, as a new one might not understand the Corefile that stays. */
  readonly updatesDeployment: boolean;
  readonly findings: readonly Finding[];
}

/**
 * Decides about a Corefile that is there. A default of any version is replaced; one that somebody has changed stays. Changed and from a
 * time whose options a later CoreDNS refuses, it needs migration, which is the affair of an upgrade: then CoreDNS stays, too.
 *
 * @param installed the ConfigMap, and the image of the CoreDNS that runs, as far as they are there
 * @param image reference of the CoreDNS that is to run
 */
export function decideCorefile(
  installed: { readonly configMap?: ConfigMap | undefined; readonly image?: string | undefined },
  image: string,
): CorefileDecision {
  const corefile = installed.configMap?.data?.Corefile ?? '';
  if (corefile.trim() === '' || isKnownCorefile(corefile))
    return { kept: undefined, updatesDeployment: true, findings: [] };
  const updatesDeployment = installed.image === undefined || understands(tagOf(installed.image), tagOf(image));
  return {
    kept: corefile,
    updatesDeployment,
    findings: [
      addonFinding({
        code: 'ADDONS_COREFILE_KEPT',
        severity: 'warning',
        artifact: configMapName,
        message: 'the Corefile is no default one, so it stays as it is',
        hint: `For the default, delete it and run: init phase addon coredns`,
      }),
      ...(updatesDeployment ? [] : [oldCoreDns(tagOf(installed.image ?? ''), tagOf(image))]),
    ],
  };
}

function oldCoreDns(installed: string, wanted: string): Finding {
  return addonFinding({
    code: 'ADDONS_COREDNS_KEPT',
    severity: 'warning',
    artifact: `Deployment ${kubeSystem}/coredns`,
    message: `CoreDNS stays at ${installed || 'its image'} as ${wanted} may not understand the changed Corefile`,
    hint: `Write the Corefile for ${wanted}, and set the image: kubectl -n ${kubeSystem} edit deployment coredns`,
  });
}

/** Since this version no option of a Corefile has been removed, and none has become necessary (corefile-migration, plugins.go). */
const stableSince = [1, 8, 0] as const;

/** True if a Corefile that one version runs with is good for the other, too. */
function understands(installed: string, wanted: string): boolean {
  if (installed === wanted) return true;
  const [from, to] = [versionOf(installed), versionOf(wanted)];
  if (from === undefined || to === undefined) return false;
  return compare(from, stableSince) >= 0 && compare(from, to) <= 0;
}

function tagOf(image: string): string {
  return /:([^:/@]+)(@.*)?$/.exec(image)?.[1] ?? '';
}

function versionOf(tag: string): readonly number[] | undefined {
  const found = /^v?(\d+)\.(\d+)\.(\d+)(?:[-_.].*)?$/.exec(tag);
  return found?.slice(1).map(Number);
}

function compare(one: readonly number[], other: readonly number[]): number {
  const at = one.findIndex((part, index) => part !== other[index]);
  return at < 0 ? 0 : (one[at] ?? 0) - (other[at] ?? 0);
}
