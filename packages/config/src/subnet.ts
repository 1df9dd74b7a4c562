import {
  formatIpAddress,
  type IpAddress,
  type IpFamily,
  ipFromBits,
  ipTo128Bits,
  parseIpv4,
  parseIpv6,
} from './ip-address.ts';

/** A CIDR with its host bits cleared. */
export interface Subnet {
  /** Family of the addresses: an IPv4-mapped IPv6 range counts as IPv4. */
  readonly family: IpFamily;
  /** Length of the addresses as written: 32 or 128. */
  readonly bits: 32 | 128;
  readonly prefix: number;
  readonly network: bigint;
}

/** Parses one CIDR as Kubernetes does (k8s.io/utils/net, ParseCIDRSloppy); host bits are cleared. */
export function parseSubnet(text: string): Subnet | undefined {
  const slash = text.indexOf('/');
  if (slash < 0) return undefined;
  const [address, mask] = [text.slice(0, slash), text.slice(slash + 1)];
  const four = parseIpv4(address);
  const value = four ?? parseIpv6(address);
  const bits = four === undefined ? 128 : 32;
  if (value === undefined || !/^[0-9]+$/.test(mask) || Number(mask) > bits) return undefined;
  const prefix = Number(mask);
  const hostBits = BigInt(bits - prefix);
  const network = (value >> hostBits) << hostBits;
  return { family: bits === 32 ? 'ipv4' : ipFromBits(network).family, bits, prefix, network };
}

/** Parses a comma list of CIDRs without blanks; undefined if any of them is malformed. */
export function parseSubnets(text: string): readonly Subnet[] | undefined {
  const subnets = text.split(',').map(parseSubnet);
  return subnets.every((subnet) => subnet !== undefined) ? subnets : undefined;
}

/** Canonical text of a CIDR. */
export function formatSubnet(subnet: Subnet): string {
  const address = addressOf(subnet, subnet.network);
  const prefix = subnet.bits === 128 && address.family === 'ipv4' ? subnet.prefix - 96 : subnet.prefix;
  return `${formatIpAddress(address)}/${prefix}`;
}

/** How many addresses the range holds; 0 for ranges so large that Kubernetes does not count them (k8s.io/utils/net, RangeSize). */
export function subnetSize(subnet: Subnet): bigint {
  const hostBits = subnet.bits - subnet.prefix;
  if ((subnet.bits === 32 && hostBits >= 31) || (subnet.bits === 128 && hostBits >= 127)) return 0n;
  return hostBits >= 63 ? (1n << 63n) - 1n : 1n << BigInt(hostBits);
}

/** True if two ranges share an address. */
export function subnetsOverlap(one: Subnet, other: Subnet): boolean {
  if (one.bits !== other.bits) return false;
  const shift = BigInt(one.bits - Math.min(one.prefix, other.prefix));
  return one.network >> shift === other.network >> shift;
}

/** The n-th address of a range, or undefined if the range is too small. */
export function subnetAddress(subnet: Subnet, index: number): IpAddress | undefined {
  const value = subnet.network + BigInt(index);
  const hostBits = BigInt(subnet.bits - subnet.prefix);
  return value >> hostBits === subnet.network >> hostBits ? addressOf(subnet, value) : undefined;
}

/**
 * The n-th address of the first service CIDR: 1 is the kubernetes Service, 10 the cluster DNS.
 *
 * @param serviceSubnet comma list of CIDRs, as in `networking.serviceSubnet`
 * @returns canonical address text, or undefined if the list is malformed or the range too small
 */
export function serviceAddress(serviceSubnet: string, index: number): string | undefined {
  const first = parseSubnets(serviceSubnet)?.[0];
  const address = first === undefined ? undefined : subnetAddress(first, index);
  return address === undefined ? undefined : formatIpAddress(address);
}

function addressOf(subnet: Subnet, value: bigint): IpAddress {
  return subnet.bits === 32 ? { family: 'ipv4', value } : ipFromBits(value);
}

/** The 128-bit value of an address, for comparisons across families. */
export function subnetContains(subnet: Subnet, address: IpAddress): boolean {
  const value = subnet.bits === 32 ? address.value : ipTo128Bits(address);
  if (subnet.bits === 32 && address.family === 'ipv6') return false;
  const hostBits = BigInt(subnet.bits - subnet.prefix);
  return value >> hostBits === subnet.network >> hostBits;
}
