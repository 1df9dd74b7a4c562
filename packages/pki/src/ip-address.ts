import ipaddr from 'ipaddr.js';
import { pkiError } from './error-codes.ts';

type Address = InstanceType<typeof ipaddr.IPv4> | InstanceType<typeof ipaddr.IPv6>;

/**
 * One spelling for every address: IPv4 in dotted decimals, IPv6 as in RFC 5952, an IPv4-mapped IPv6 address as the IPv4
 * address it is. Leading zeros are decimal, as Kubernetes reads them (kubernetes issue 100895).
 *
 * @returns undefined if the text is no address; an address with a zone is none
 */
export function normalizeIpAddress(text: string): string | undefined {
  const address = parseAddress(text);
  return address === undefined ? undefined : format(address);
}

/**
 * The address that the Service `kubernetes` gets: the one after the network address of the first service range.
 *
 * @param serviceSubnet one CIDR or several with commas between; bits behind the prefix length are ignored
 * @throws PKI_SUBNET_INVALID
 */
export function firstServiceAddress(serviceSubnet: string): string {
  const [first = ''] = serviceSubnet.split(',');
  const [, base = '', length = ''] = /^(.*)\/(\d{1,3})$/.exec(first) ?? [];
  const address = parseAddress(base);
  const bits = address?.kind() === 'ipv4' ? 32 : 128;
  const prefix = Number(length);
  if (address === undefined || prefix > bits) {
    throw pkiError(
      'PKI_SUBNET_INVALID',
      `Cannot find the first service address as the service subnet is no CIDR: ${first}`,
    );
  }
  if (prefix === bits) {
    throw pkiError(
      'PKI_SUBNET_INVALID',
      `Cannot find the first service address as the service subnet has one address only: ${first}`,
    );
  }
  const family = bits === 32 ? ipaddr.IPv4 : ipaddr.IPv6;
  const octets = family.networkAddressFromCIDR(`${address.toString()}/${prefix}`).toByteArray();
  // The network address ends in at least one zero bit, so adding one cannot carry.
  octets[octets.length - 1] = (octets.at(-1) ?? 0) | 1;
  return format(ipaddr.fromByteArray(octets));
}

function parseAddress(text: string): Address | undefined {
  if (!text.includes(':')) return parseDottedDecimal(text);
  const [, head = text, tail] = /^(.*:)([\d.]+\.[\d.]+)$/.exec(text) ?? [];
  const groups = tail === undefined ? text : `${head}${lastGroups(tail)}`;
  const plain = groups.replace(/(?<=^|:)0+(?=[0-9A-Fa-f])/g, '');
  return /^[0-9A-Fa-f:]+$/.test(plain) && ipaddr.IPv6.isValid(plain) ? ipaddr.IPv6.parse(plain) : undefined;
}

function parseDottedDecimal(text: string): InstanceType<typeof ipaddr.IPv4> | undefined {
  if (!/^\d+(\.\d+){3}$/.test(text)) return undefined;
  const plain = text.replace(/(?<=^|\.)0+(?=\d)/g, '');
  return ipaddr.IPv4.isValidFourPartDecimal(plain) ? ipaddr.IPv4.parse(plain) : undefined;
}

/** `192.0.2.7` → `c000:207`. The library would take `::192.0.2.7` for `::ffff:192.0.2.7`. */
function lastGroups(dotted: string): string {
  const octets = parseDottedDecimal(dotted)?.octets;
  if (octets === undefined) return dotted;
  const [a = 0, b = 0, c = 0, d = 0] = octets;
  return `${((a << 8) | b).toString(16)}:${((c << 8) | d).toString(16)}`;
}

function format(address: Address): string {
  if (address instanceof ipaddr.IPv4) return address.toString();
  return address.isIPv4MappedAddress() ? address.toIPv4Address().toString() : address.toRFC5952String();
}
