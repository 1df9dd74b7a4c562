import { isDnsName, normalizeIpAddress } from '@groundplane/pki';
import { kubeconfigError } from './error-codes.ts';

/** Where the API server of one node listens. */
export interface LocalApiEndpoint {
  readonly advertiseAddress: string;
  readonly bindPort: number;
}

export interface HostPort {
  /** As written, without brackets. */
  readonly host: string;
  /** As written; undefined if there is none. */
  readonly port: string | undefined;
}

/**
 * The URL of the API server of one node.
 *
 * @throws KUBECONFIG_ENDPOINT_INVALID
 */
export function localEndpoint({ advertiseAddress, bindPort }: LocalApiEndpoint): string {
  const address = normalizeIpAddress(advertiseAddress);
  if (address === undefined) throw invalid(advertiseAddress, 'the advertise address is no IP address');
  return httpsUrl(address, port(String(bindPort), String(bindPort)));
}

/**
 * The URL of the control plane: the shared endpoint with the node's port where it names none, or the node's own
 * endpoint where there is no shared one.
 *
 * @param controlPlaneEndpoint `host`, `host:port`, `[IPv6]:port` or empty
 * @throws KUBECONFIG_ENDPOINT_INVALID
 */
export function controlPlaneEndpointUrl(controlPlaneEndpoint: string | undefined, local: LocalApiEndpoint): string {
  const own = localEndpoint(local);
  if (!controlPlaneEndpoint) return own;
  const shared = parseHostPort(controlPlaneEndpoint);
  return httpsUrl(shared.host, shared.port ?? String(local.bindPort));
}

/**
 * Takes `host`, `host:port` or `[IPv6]:port` apart. A bare IPv6 address is a host; brackets need a port.
 *
 * @throws KUBECONFIG_ENDPOINT_INVALID
 */
export function parseHostPort(text: string): HostPort {
  const split = /^\[([^[\]]*)\]:([^:[\]]*)$/.exec(text) ?? /^([^:[\]]*):([^:[\]]*)$/.exec(text);
  const [host = '', portText = ''] = split ? split.slice(1) : [text];
  if (normalizeIpAddress(host) === undefined && !isDnsName(host)) {
    throw invalid(text, 'its host is neither an IP address nor a DNS name in lower case');
  }
  return { host, port: portText === '' ? undefined : port(portText, text) };
}

function port(portText: string, endpoint: string): string {
  const number = Number(portText);
  if (/^\d+$/.test(portText) && number >= 1 && number <= 65_535) return portText;
  throw invalid(endpoint, 'its port is no number from 1 to 65535');
}

function httpsUrl(host: string, portText: string): string {
  return `https://${host.includes(':') ? `[${host}]` : host}:${portText}`;
}

function invalid(endpoint: string, why: string) {
  return kubeconfigError('KUBECONFIG_ENDPOINT_INVALID', `Cannot use the endpoint as ${why}: '${endpoint}'`);
}
