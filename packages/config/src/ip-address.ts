export type IpFamily = 'ipv4' | 'ipv6';

/** An IP address as a number. An IPv4 address inside `::ffff:0:0/96` counts as IPv4, as in Go. */
export interface IpAddress {
  readonly family: IpFamily;
  /** 32 bits for IPv4, 128 bits for IPv6, most significant octet first. */
  readonly value: bigint;
}

const mappedPrefix = 0xffffn << 32n;

/** An address of 128 bits; those in `::ffff:0:0/96` become IPv4. */
export function ipFromBits(value: bigint): IpAddress {
  return value >> 32n === 0xffffn ? { family: 'ipv4', value: value & 0xffffffffn } : { family: 'ipv6', value };
}

/** The 128-bit form, IPv4 addresses mapped into `::ffff:0:0/96`. */
export function ipTo128Bits(address: IpAddress): bigint {
  return address.family === 'ipv4' ? mappedPrefix | address.value : address.value;
}

/**
 * Parses an IP address as Kubernetes does (k8s.io/utils/net, ParseIPSloppy): leading zeros of IPv4 octets are
 * decimal, IPv4-mapped IPv6 becomes IPv4, no zones, no brackets.
 */
export function parseIpAddress(text: string): IpAddress | undefined {
  const four = parseIpv4(text);
  if (four !== undefined) return { family: 'ipv4', value: four };
  const six = parseIpv6(text);
  return six === undefined ? undefined : ipFromBits(six);
}

/** The 32 bits of a dotted IPv4 address. */
export function parseIpv4(text: string): bigint | undefined {
  const octets = text.split('.');
  if (octets.length !== 4) return undefined;
  let value = 0n;
  for (const octet of octets) {
    if (!/^[0-9]+$/.test(octet) || BigInt(octet) > 255n) return undefined;
    value = (value << 8n) | BigInt(octet);
  }
  return value;
}

/** The 128 bits of an IPv6 address, with at most one `::` and an optional dotted IPv4 tail. */
export function parseIpv6(text: string): bigint | undefined {
  const halves = text.split('::');
  if (halves.length > 2) return undefined;
  const tail = halves.length === 2 ? groupsOf(halves[1] ?? '', true) : undefined;
  const head = groupsOf(halves[0] ?? '', halves.length === 1);
  if (head === undefined || (halves.length === 2 && tail === undefined)) return undefined;
  const count = head.length + (tail?.length ?? 0);
  // The ellipsis stands for at least one group.
  if (halves.length === 2 ? count > 7 : count !== 8) return undefined;
  const groups = [...head, ...Array<bigint>(8 - count).fill(0n), ...(tail ?? [])];
  return groups.reduce((bits, group) => (bits << 16n) | group, 0n);
}

function groupsOf(text: string, mayEndInIpv4: boolean): bigint[] | undefined {
  if (text === '') return [];
  const groups: bigint[] = [];
  const parts = text.split(':');
  for (const [index, part] of parts.entries()) {
    if (mayEndInIpv4 && index === parts.length - 1 && part.includes('.')) {
      const four = parseIpv4(part);
      if (four === undefined) return undefined;
      groups.push(four >> 16n, four & 0xffffn);
    } else {
      if (!/^[0-9a-fA-F]+$/.test(part) || BigInt(`0x${part}`) > 0xffffn) return undefined;
      groups.push(BigInt(`0x${part}`));
    }
  }
  return groups;
}

/** Writes an address as Go's net.IP.String: dotted IPv4, or IPv6 in lower case with the longest run of zeros cut (RFC 5952). */
export function formatIpAddress(address: IpAddress): string {
  if (address.family === 'ipv4') {
    return [24n, 16n, 8n, 0n].map((shift) => ((address.value >> shift) & 0xffn).toString()).join('.');
  }
  const groups = Array.from({ length: 8 }, (_, index) => (address.value >> BigInt(112 - 16 * index)) & 0xffffn);
  const run = longestZeroRun(groups);
  const text = (part: bigint[]) => part.map((group) => group.toString(16)).join(':');
  if (run.length < 2) return text(groups);
  return `${text(groups.slice(0, run.start))}::${text(groups.slice(run.start + run.length))}`;
}

function longestZeroRun(groups: readonly bigint[]): { start: number; length: number } {
  let best = { start: 0, length: 0 };
  for (let start = 0; start < groups.length; start++) {
    let length = 0;
    while (groups[start + length] === 0n) length++;
    if (length > best.length) best = { start, length };
  }
  return best;
}

/** Host and port joined, IPv6 in brackets (Go, net.JoinHostPort). */
export function joinHostPort(host: string, port: number | string): string {
  return host.includes(':') ? `[${host}]:${port}` : `${host}:${port}`;
}

const inRange = (address: IpAddress, family: IpFamily, network: bigint, shift: bigint) =>
  address.family === family && address.value >> shift === network;

export function isUnspecified(address: IpAddress): boolean {
  return address.value === 0n;
}

export function isLoopback(address: IpAddress): boolean {
  return inRange(address, 'ipv4', 127n, 24n) || inRange(address, 'ipv6', 1n, 0n);
}

/** Go's IsGlobalUnicast: private ranges count; unspecified, loopback, link-local, multicast and broadcast do not. */
export function isGlobalUnicast(address: IpAddress): boolean {
  return !(
    isUnspecified(address) ||
    isLoopback(address) ||
    inRange(address, 'ipv4', 0xffffffffn, 0n) ||
    inRange(address, 'ipv4', 0xen, 28n) ||
    inRange(address, 'ipv6', 0xffn, 120n) ||
    inRange(address, 'ipv4', 0xa9fen, 16n) ||
    inRange(address, 'ipv6', 0xfe80n >> 6n, 118n)
  );
}
