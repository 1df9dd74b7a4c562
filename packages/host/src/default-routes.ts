/** Names of interfaces that carry a default route, in the kernel's order, each once. */
export interface DefaultRoutes {
  readonly ipv4: readonly string[];
  readonly ipv6: readonly string[];
}

const zeroIPv4 = '00000000';
const zeroIPv6 = '0'.repeat(32);

/** Reads /proc/net/route: columns interface, destination, gateway, hexadecimal. */
export function parseIPv4DefaultRoutes(text: string): readonly string[] {
  const interfaces = rows(text)
    .filter((fields) => fields[0] !== 'Iface' && fields[1] === zeroIPv4)
    .map((fields) => fields[0] ?? '');
  return [...new Set(interfaces)];
}

/**
 * Reads /proc/net/ipv6_route: column 1 is the destination, 5 the gateway, 10 the interface. A default route without gateway
 * is the kernel's own unreachable route on `lo`.
 */
export function parseIPv6DefaultRoutes(text: string): readonly string[] {
  const interfaces = rows(text)
    .filter((fields) => fields[0] === zeroIPv6 && fields[4] !== zeroIPv6)
    .map((fields) => fields[9] ?? '');
  return [...new Set(interfaces)].filter((name) => name !== '');
}

function rows(text: string): readonly (readonly string[])[] {
  return text.split('\n').map((line) => line.split(/\s+/).filter((field) => field !== ''));
}
