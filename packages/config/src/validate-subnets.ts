import type { ClusterConfiguration } from './configuration-types.ts';
import type { Problem } from './decode-document.ts';
import { formatSubnet, parseSubnet, parseSubnets, type Subnet, subnetSize, subnetsOverlap } from './subnet.ts';

/** Limits of kubeadm's constants.go. */
const minimumServiceAddresses = 10n;
const minimumPodAddresses = 14n;
const maximumServiceHostBits = 20;
const maximumNodeMaskDifference = 16;
const defaultNodeMask = { ipv4: 24, ipv6: 64 } as const;

const dualStackReason = 'it must be one CIDR, or one of each family separated by a comma without blanks';

/** The rules for `networking.serviceSubnet` and `networking.podSubnet` (kubeadm, ValidateNetworking). */
export function validateSubnets(cluster: ClusterConfiguration): readonly Problem[] {
  const { serviceSubnet, podSubnet } = cluster.networking;
  const problems: Problem[] = [];
  if (serviceSubnet !== '') {
    const path = 'networking.serviceSubnet';
    problems.push(...validateList(serviceSubnet, minimumServiceAddresses, path));
    for (const subnet of parseSubnets(serviceSubnet) ?? []) {
      if (subnet.bits - subnet.prefix > maximumServiceHostBits) {
        const reason = `the range is too large: the mask must be at least /${subnet.bits - maximumServiceHostBits}`;
        problems.push({ path, reason, value: formatSubnet(subnet) });
      }
    }
  }
  if (podSubnet !== '') {
    problems.push(...validateList(podSubnet, minimumPodAddresses, 'networking.podSubnet'));
    if (lastArgument(cluster, 'allocate-node-cidrs') !== 'false') problems.push(...validateNodeMasks(cluster));
  }
  return problems;
}

/** The CIDRs in the deprecated IPv6 site-local range fec0::/10 (RFC 3879), which kubeadm warns about. */
export function siteLocalSubnets(cluster: ClusterConfiguration): readonly string[] {
  const siteLocal = parseSubnet('fec0::/10') as Subnet;
  return [cluster.networking.serviceSubnet, cluster.networking.podSubnet]
    .flatMap((text) => parseSubnets(text) ?? [])
    .filter((subnet) => subnetsOverlap(subnet, siteLocal))
    .map(formatSubnet);
}

function validateList(text: string, minimum: bigint, path: string): readonly Problem[] {
  const subnets = parseSubnets(text);
  if (subnets === undefined) return [{ path, reason: 'it is no CIDR such as 10.96.0.0/12', value: text }];
  const problems: Problem[] = [];
  if (subnets.length > 2 || (subnets.length === 2 && subnets[0]?.family === subnets[1]?.family)) {
    problems.push({ path, reason: dualStackReason, value: text });
  }
  for (const subnet of subnets) {
    const size = subnetSize(subnet);
    if (size >= minimum) continue;
    const reason = `its ${size} address(es) are fewer than the required ${minimum}`;
    problems.push({ path, reason, value: formatSubnet(subnet) });
  }
  return problems;
}

function validateNodeMasks(cluster: ClusterConfiguration): readonly Problem[] {
  const path = 'networking.podSubnet';
  const problems: Problem[] = [];
  for (const subnet of parseSubnets(cluster.networking.podSubnet) ?? []) {
    const argument = `node-cidr-mask-size-${subnet.family}`;
    const text = lastArgument(cluster, argument) ?? '';
    const value = formatSubnet(subnet);
    const nodeMask = text === '' ? defaultNodeMask[subnet.family] : Number(text);
    if (text !== '' && !/^[+-]?[0-9]+$/.test(text)) {
      problems.push({ path, reason: `the controller manager's argument ${argument} is no whole number`, value: text });
    } else if (subnet.prefix > nodeMask) {
      problems.push({ path, reason: `it is smaller than the subnet of one node with mask /${nodeMask}`, value });
    } else if (nodeMask - subnet.prefix > maximumNodeMaskDifference) {
      const reason = `its mask and the node mask /${nodeMask} differ by more than ${maximumNodeMaskDifference}`;
      problems.push({ path, reason, value });
    }
  }
  return problems;
}

function lastArgument(cluster: ClusterConfiguration, name: string): string | undefined {
  return cluster.controllerManager.extraArgs.findLast((arg) => arg.name === name)?.value;
}
