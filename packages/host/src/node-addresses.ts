import { BlockList } from 'node:net';
import type { DefaultRoutes } from './default-routes.ts';

export type Family = 'ipv4' | 'ipv6';

/** One address of an interface that is up, as `os.networkInterfaces()` lists it. */
export interface InterfaceAddress {
  readonly interface: string;
  readonly family: Family;
  readonly address: string;
  readonly loopback: boolean;
}

export interface NodeAddresses {
  readonly ipv4: readonly string[];
  readonly ipv6: readonly string[];
  readonly loopback: readonly string[];
}

/** What net.IP.IsGlobalUnicast of Go refuses: unspecified, loopback, link-local, multicast, the broadcast address. */
const notGlobalUnicast = new BlockList();
for (const [network, prefix, family] of [
  ['0.0.0.0', 32, 'ipv4'],
  ['127.0.0.0', 8, 'ipv4'],
  ['169.254.0.0', 16, 'ipv4'],
  ['224.0.0.0', 4, 'ipv4'],
  ['255.255.255.255', 32, 'ipv4'],
  ['::', 128, 'ipv6'],
  ['::1', 128, 'ipv6'],
  ['fe80::', 10, 'ipv6'],
  ['ff00::', 8, 'ipv6'],
] as const) {
  notGlobalUnicast.addSubnet(network, prefix, family);
}

function isGlobalUnicast({ address, family }: InterfaceAddress): boolean {
  return !notGlobalUnicast.check(address, family);
}

/**
 * The addresses that a daemon of this node would bind to, best first per family, as k8s.io/apimachinery's
 * ChooseHostInterface looks for them: global unicast addresses of the interface of each default route; where that interface
 * has none (RFC 5549 networks), those of the loopback interface. A family without a default route has none.
 *
 * @param routes undefined where the kernel shows no routing table: then every interface that is no loopback counts
 */
export function nodeAddresses(
  addresses: readonly InterfaceAddress[],
  routes: DefaultRoutes | undefined,
): NodeAddresses {
  const usable = addresses.filter(isGlobalUnicast);
  const loopback = usable.filter((one) => one.loopback);
  const ofFamily = (family: Family): readonly string[] => {
    const candidates = usable.filter((one) => one.family === family);
    const chosen =
      routes === undefined
        ? candidates.filter((one) => !one.loopback)
        : routes[family].flatMap((name) => {
            const own = candidates.filter((one) => one.interface === name);
            return own.length > 0 ? own : candidates.filter((one) => one.loopback);
          });
    return [...new Set(chosen.map((one) => one.address))];
  };
  return { ipv4: ofFamily('ipv4'), ipv6: ofFamily('ipv6'), loopback: loopback.map((one) => one.address) };
}
