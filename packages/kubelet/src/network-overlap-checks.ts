import ipaddr from 'ipaddr.js';
import type { PreflightCheck } from './preflight-check.ts';

/** Ours, not kubeadm's: ranges that lie in one another make a cluster in which some addresses are never reached. */
export const networkOverlapChecks: readonly PreflightCheck[] = [
  {
    code: 'PREFLIGHT_NETWORK_OVERLAP',
    batch: 'node',
    hint: 'Choose ranges for Services and Pods that share no address with each other and with the network of the nodes',
    instances: ({ subnets, advertiseAddress }) => [
      {
        name: 'NetworkOverlap',
        needs: [],
        evaluate: () => ({
          warnings: [
            ...subnets.flatMap(({ cidr }, index) =>
              subnets
                .slice(index + 1)
                .filter((other) => overlap(cidr, other.cidr))
                .map((other) => `the ranges ${cidr} and ${other.cidr} of Services and Pods overlap`),
            ),
            ...subnets
              .filter(({ cidr }) => overlap(cidr, `${advertiseAddress}/${advertiseAddress.includes(':') ? 128 : 32}`))
              .map(
                ({ cidr }) =>
                  `the address ${advertiseAddress} of this node lies in the range ${cidr} of Services or Pods`,
              ),
          ],
        }),
      },
    ],
  },
];

/** Two ranges overlap if one of them holds the first address of the other. */
function overlap(one: string, other: string): boolean {
  if (!ipaddr.isValidCIDR(one) || !ipaddr.isValidCIDR(other)) return false;
  const [network, prefix] = ipaddr.parseCIDR(one);
  const [otherNetwork, otherPrefix] = ipaddr.parseCIDR(other);
  if (network.kind() !== otherNetwork.kind()) return false;
  return network.match(otherNetwork as never, Math.min(prefix, otherPrefix));
}
