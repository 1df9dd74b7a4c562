import { BlockList, isIP } from 'node:net';
import { clusterError } from './error-codes.ts';

export type Environment = Readonly<Record<string, string | undefined>>;

/**
 * The proxy that the environment asks for, as Go programs read it (golang.org/x/net/http/httpproxy): HTTPS_PROXY or
 * https_proxy unless NO_PROXY or no_proxy lists the host; never for localhost and loopback addresses.
 *
 * @param url an https URL
 * @returns URL of the proxy, or undefined for a direct connection
 * @throws GroundplaneError CLUSTER_PROXY_INVALID
 */
export function proxyFor(url: URL, environment: Environment): string | undefined {
  const variable = environment.HTTPS_PROXY ? 'HTTPS_PROXY' : 'https_proxy';
  const proxy = environment[variable];
  if (proxy === undefined || proxy === '') return undefined;
  const host = url.hostname.replace(/^\[|\]$/g, '').toLowerCase();
  const port = url.port === '' ? '443' : url.port;
  if (host === 'localhost' || isLoopback(host)) return undefined;
  const exceptions = (environment.NO_PROXY || environment.no_proxy || '')
    .split(',')
    .map((entry) => entry.trim().toLowerCase());
  if (exceptions.some((entry) => entry !== '' && matches(entry, host, port))) return undefined;
  return usableProxy(proxy, variable);
}

const schemes: ReadonlySet<string> = new Set(['http:', 'https:', 'socks5:', 'socks5h:']);

/**
 * The URL of a proxy; a text without scheme is one of HTTP.
 *
 * @param source where it stands, for the error, which does not repeat it as it may hold a password
 * @throws GroundplaneError CLUSTER_PROXY_INVALID
 */
export function usableProxy(proxy: string, source: string): string {
  const scheme = /^[a-z][a-z0-9+.-]*(?=:\/\/)/i.exec(proxy)?.[0];
  const text = scheme === undefined ? `http://${proxy}` : proxy;
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (scheme !== undefined && !schemes.has(`${scheme.toLowerCase()}:`)) {
    throw unusable(source, `its scheme is none of http, https and socks5: ${scheme}`);
  }
  if (url === undefined || url.hostname === '' || url.port === '0' || /\s/.test(text)) {
    throw unusable(source, 'it is no URL of a host and a port');
  }
  return text;
}

function unusable(source: string, why: string) {
  return clusterError('CLUSTER_PROXY_INVALID', `Cannot go through the proxy of ${source} as ${why}`, {
    hint: 'Give it as http://HOST:PORT, or list the API server in NO_PROXY to go there without it',
  });
}

function isLoopback(host: string): boolean {
  return host === '::1' || (isIP(host) === 4 && host.startsWith('127.'));
}

/** One entry of NO_PROXY: `*`, an address, a CIDR, a domain (its subdomains match as well), each but the first two with or without port. */
function matches(entry: string, host: string, port: string): boolean {
  if (entry === '*') return true;
  const [network = '', prefix] = entry.split('/');
  if (prefix !== undefined && isIP(network) !== 0) return isIP(host) !== 0 && inSubnet(host, network, Number(prefix));
  const [, name = entry, wantedPort] = /^(.*):(\d+)$/.exec(isIP(entry) === 6 ? '' : entry) ?? [];
  if (wantedPort !== undefined && wantedPort !== port) return false;
  const wanted = name.replace(/^\[|\]$/g, '').replace(/^\*\./, '.');
  if (isIP(wanted) !== 0 || isIP(host) !== 0) return sameAddress(wanted, host);
  return wanted.startsWith('.') ? host.endsWith(wanted) : host === wanted || host.endsWith(`.${wanted}`);
}

function sameAddress(a: string, b: string): boolean {
  return isIP(a) !== 0 && isIP(b) !== 0 && inSubnet(a, b, isIP(b) === 6 ? 128 : 32);
}

function inSubnet(address: string, network: string, prefix: number): boolean {
  const list = new BlockList();
  list.addSubnet(network, prefix, family(network));
  return list.check(address, family(address));
}

function family(address: string): 'ipv4' | 'ipv6' {
  return isIP(address) === 6 ? 'ipv6' : 'ipv4';
}
