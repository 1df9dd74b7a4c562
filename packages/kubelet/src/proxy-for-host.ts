import ipaddr from 'ipaddr.js';

/** Environment variables about proxies, any case. */
export type ProxyEnvironment = readonly { readonly name: string; readonly value: string }[];

const httpsPort = '443';

/**
 * The proxy that Go would use for https to a host (golang.org/x/net/http/httpproxy, with apimachinery's addition that
 * NO_PROXY may hold CIDRs). User name and password are left out.
 *
 * @param host IP address without brackets, or a name
 * @returns the proxy's URL, or undefined for a direct connection
 */
export function httpsProxyForHost(environment: ProxyEnvironment, host: string, port = httpsPort): string | undefined {
  const proxy = variable(environment, 'https_proxy');
  if (proxy === '' || isDirect(host, port, variable(environment, 'no_proxy'))) return undefined;
  const url = /^(?:https?|socks5):\/\//i.test(proxy) ? proxy : `http://${proxy}`;
  return url.replace(/^([a-z0-9]+:\/\/)[^/@]*@/i, '$1');
}

function variable(environment: ProxyEnvironment, name: string): string {
  const of = (spelling: string) => environment.find((entry) => entry.name === spelling)?.value ?? '';
  return of(name.toUpperCase()) || of(name);
}

function isDirect(host: string, port: string, noProxy: string): boolean {
  const address = parseAddress(host);
  if (host === 'localhost' || address?.range() === 'loopback') return true;
  const rules = noProxy
    .toLowerCase()
    .split(',')
    .map((rule) => rule.trim());
  return rules.some((rule) => rule !== '' && matches(rule, host.toLowerCase(), port, address));
}

type Address = ipaddr.IPv4 | ipaddr.IPv6;

function matches(rule: string, host: string, port: string, address: Address | undefined): boolean {
  if (rule === '*') return true;
  if (ipaddr.isValidCIDR(rule)) {
    if (address === undefined) return false;
    const [network, prefix] = ipaddr.parseCIDR(rule);
    return network.kind() === address.kind() && address.match([network, prefix] as never);
  }
  const [, bracketed, plain, rulePort] = /^(?:\[([^\]]+)\]|([^:]+)):(\d+)$/.exec(rule) ?? [];
  const ruleHost = bracketed ?? plain ?? rule;
  if (rulePort !== undefined && rulePort !== port) return false;
  const ruleAddress = parseAddress(ruleHost);
  if (ruleAddress !== undefined) return address?.toNormalizedString() === ruleAddress.toNormalizedString();
  // *.example.com and .example.com mean the names below, example.com means itself as well.
  const suffix = ruleHost.startsWith('*.') ? ruleHost.slice(1) : ruleHost;
  return suffix.startsWith('.') ? host.endsWith(suffix) : host === suffix || host.endsWith(`.${suffix}`);
}

/** IPv4-mapped addresses count as IPv4. */
function parseAddress(text: string): Address | undefined {
  return ipaddr.IPv4.isValidFourPartDecimal(text) || ipaddr.IPv6.isValid(text) ? ipaddr.process(text) : undefined;
}
