import { parseIpAddress } from './ip-address.ts';
import { isDnsSubdomain } from './text-grammars.ts';

export interface HostPort {
  readonly host: string;
  /** Empty if none was written. */
  readonly port: string;
}

/** Splits `host:port` or `[ipv6]:port` as Go's net.SplitHostPort; undefined if there is no port or the colons are ambiguous. */
export function splitHostPort(text: string): HostPort | undefined {
  const colon = text.lastIndexOf(':');
  if (colon < 0) return undefined;
  const port = text.slice(colon + 1);
  if (port.includes('[') || port.includes(']')) return undefined;
  if (text.startsWith('[')) {
    const close = text.indexOf(']');
    if (close + 1 !== colon) return undefined;
    const host = text.slice(1, close);
    return host.includes('[') ? undefined : { host, port };
  }
  const host = text.slice(0, colon);
  return /[:[\]]/.test(host) ? undefined : { host, port };
}

/** A TCP port from 1 to 65535, decimal digits only. */
export function isPort(text: string): boolean {
  return /^[0-9]+$/.test(text) && Number(text) >= 1 && Number(text) <= 65535;
}

/**
 * Parses a control plane endpoint: an IP address or a DNS name in lower case, with or without a port
 * (kubeadm, util/endpoint.go, ParseHostPort). Brackets need a port; a bare IPv6 address needs no brackets.
 */
export function parseHostPort(text: string): HostPort | undefined {
  const { host, port } = splitHostPort(text) ?? { host: text, port: '' };
  if (port !== '' && !isPort(port)) return undefined;
  return parseIpAddress(host) !== undefined || isDnsSubdomain(host) ? { host, port } : undefined;
}
