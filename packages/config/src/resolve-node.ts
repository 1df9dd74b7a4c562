import type { Finding } from '@groundplane/errors';
import { chooseAdvertiseAddress, type HostAddresses } from './advertise-address.ts';
import type { NodeRegistration, Taint } from './configuration-types.ts';
import { problemFinding } from './findings.ts';
import { isGlobalUnicast, isLoopback, parseIpAddress } from './ip-address.ts';
import { normalNodeName } from './normalize-configuration.ts';

/** What resolving needs to know of the host, gathered beforehand. */
export interface HostFacts {
  readonly hostName: string;
  readonly addresses: HostAddresses;
  /** URLs of the known CRI sockets that answer, see {@link knownCriSockets}. */
  readonly criSockets: readonly string[];
}

export interface ResolveNodeOptions {
  /** False for commands that do not use the container runtime: the default socket is taken. @default true */
  readonly detectCriSocket?: boolean;
  /**
   * `convert` for commands that print or check a configuration and run nothing with it: the advertise address need not
   * be one that other nodes can reach. @default 'run'
   */
  readonly purpose?: 'run' | 'convert';
}

/** The sockets that are looked for, in this order; the first is the default (kubeadm, constants_unix.go). */
export const knownCriSockets: readonly [string, ...string[]] = [
  'unix:///var/run/containerd/containerd.sock',
  'unix:///var/run/crio/crio.sock',
  'unix:///var/run/cri-dockerd.sock',
];

/** What keeps ordinary pods off control plane nodes. */
export const controlPlaneTaint: Taint = {
  key: 'node-role.kubernetes.io/control-plane',
  value: '',
  effect: 'NoSchedule',
};

/** The API server's address when the host has no route (kubeadm, constants.DefaultAPIServerBindAddress). */
const unroutedAddress = '0.0.0.0';

/** Fills in name and CRI socket (kubeadm, SetNodeRegistrationDynamicDefaults). Taints are the caller's. */
export function resolveNodeRegistration(
  node: NodeRegistration,
  host: HostFacts,
  options: ResolveNodeOptions,
  findings: Finding[],
): NodeRegistration {
  const name = node.name === '' ? normalNodeName(host.hostName) : node.name;
  if (name === '') {
    const reason = 'the host has no name; give nodeRegistration.name or --node-name';
    findings.push(problemFinding({ path: 'nodeRegistration.name', reason, value: host.hostName }));
  }
  const path = 'nodeRegistration.criSocket';
  return { ...node, name, criSocket: resolveCriSocket(node.criSocket, host, { ...options, path }, findings) };
}

/** The socket that is given, or the one that answers, or the default. */
export function resolveCriSocket(
  given: string,
  host: HostFacts,
  { detectCriSocket = true, path }: ResolveNodeOptions & { readonly path: string },
  findings: Finding[],
): string {
  if (given !== '') return given;
  const [first = knownCriSockets[0], ...others] = detectCriSocket ? host.criSockets : [];
  if (others.length > 0) {
    const reason = `more than one container runtime answers; choose one by ${path} or --cri-socket`;
    findings.push(problemFinding({ path, reason, value: host.criSockets }));
  }
  return first;
}

/** The address that the API server of this node announces (kubeadm, SetAPIEndpointDynamicDefaults). */
export function resolveAdvertiseAddress(
  given: string,
  host: HostFacts,
  { purpose = 'run', path }: ResolveNodeOptions & { readonly path: string },
  findings: Finding[],
): string {
  const chosen = chooseAdvertiseAddress(given, host.addresses);
  if ('reason' in chosen) {
    const { ipv4, ipv6 } = host.addresses;
    const requested = parseIpAddress(given);
    const wantsRoute = requested === undefined ? given === '' : !isLoopback(requested);
    if (purpose === 'convert' && wantsRoute && ipv4.length + ipv6.length === 0) {
      findings.push({
        code: 'CONFIG_ADDRESS_ASSUMED',
        severity: 'warning',
        artifact: path,
        message: `The host has no default route to choose ${path} by, so ${unroutedAddress} is written, which no API server can announce`,
        hint: `Give ${path}`,
      });
      return unroutedAddress;
    }
    findings.push(problemFinding({ path, reason: chosen.reason, ...(given !== '' && { value: given }) }));
    return '';
  }
  const address = parseIpAddress(chosen.address);
  if (purpose === 'run' && address !== undefined && !isLoopback(address) && !isGlobalUnicast(address)) {
    const reason =
      'the API server needs an address that other nodes can reach (no link-local, multicast or broadcast address)';
    findings.push(problemFinding({ path, reason, value: chosen.address }));
  }
  return chosen.address;
}
