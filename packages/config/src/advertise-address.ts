import {
  formatIpAddress,
  type IpFamily,
  isGlobalUnicast,
  isLoopback,
  isUnspecified,
  parseIpAddress,
} from './ip-address.ts';

/** Addresses of the host, as text without prefix length. */
export interface HostAddresses {
  /** Addresses of the interfaces that a default route of this family goes through, in the order of the routes. */
  readonly ipv4: readonly string[];
  readonly ipv6: readonly string[];
  /** Addresses of the interface `lo`. */
  readonly loopback: readonly string[];
}

/**
 * Chooses the address that the API server announces (apimachinery, util/net/interface.go, and kubeadm,
 * SetAPIEndpointDynamicDefaults). A concrete address is kept, empty or unspecified means the default route's
 * interface, loopback means a global address on `lo`.
 */
export function chooseAdvertiseAddress(
  given: string,
  host: HostAddresses,
): { readonly address: string } | { readonly reason: string } {
  const address = parseIpAddress(given);
  if (address === undefined && given !== '') return { reason: 'it is no IP address' };
  if (address !== undefined && isLoopback(address)) {
    const found = firstGlobal(host.loopback, 'ipv4') ?? firstGlobal(host.loopback, 'ipv6');
    return found === undefined
      ? { reason: 'a loopback address stands for a global address on the interface lo, and there is none' }
      : { address: found };
  }
  if (address !== undefined && !isUnspecified(address)) return { address: formatIpAddress(address) };

  const families: readonly IpFamily[] = address?.family === 'ipv6' ? ['ipv6', 'ipv4'] : ['ipv4', 'ipv6'];
  for (const family of families) {
    const candidates = host[family];
    // Networks as in RFC 5549 keep the node's address on lo and route over link-local addresses.
    const found =
      firstGlobal(candidates, family) ?? (candidates.length > 0 ? firstGlobal(host.loopback, family) : undefined);
    if (found !== undefined) return { address: found };
  }
  return {
    reason:
      'no interface with a default route has a global address to choose; give localAPIEndpoint.advertiseAddress or --apiserver-advertise-address',
  };
}

function firstGlobal(candidates: readonly string[], family: IpFamily): string | undefined {
  for (const text of candidates) {
    const address = parseIpAddress(text);
    if (address?.family === family && isGlobalUnicast(address)) return formatIpAddress(address);
  }
  return undefined;
}
