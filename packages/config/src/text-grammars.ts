const subdomain = /^[a-z0-9](?:[-a-z0-9]*[a-z0-9])?(?:\.[a-z0-9](?:[-a-z0-9]*[a-z0-9])?)*$/;
const maximumDnsNameLength = 253;

/** A DNS-1123 subdomain in lower case, at most 253 characters (apimachinery, IsDNS1123Subdomain). */
export function isDnsSubdomain(text: string): boolean {
  return text.length <= maximumDnsNameLength && !text.includes('\n') && subdomain.test(text);
}

/** `*.` followed by a DNS-1123 subdomain (apimachinery, IsWildcardDNS1123Subdomain). */
export function isWildcardDnsSubdomain(text: string): boolean {
  return text.length <= maximumDnsNameLength && text.startsWith('*.') && isDnsSubdomain(text.slice(2));
}

const tokenPattern = /^([a-z0-9]{6})\.([a-z0-9]{16})$/;

/** A bootstrap token `id.secret` (cluster-bootstrap, BootstrapTokenPattern). */
export function isBootstrapToken(text: string): boolean {
  return tokenPattern.test(text) && !text.includes('\n');
}

const groupPattern = /^system:bootstrappers:[a-z0-9:-]{0,255}[a-z0-9]$/;

/** A group that a bootstrap token may authenticate as (cluster-bootstrap, BootstrapGroupPattern). */
export function isBootstrapGroup(text: string): boolean {
  return groupPattern.test(text) && !text.includes('\n');
}

const domainComponent = '(?:[a-zA-Z0-9]|[a-zA-Z0-9][a-zA-Z0-9-]*[a-zA-Z0-9])';
const domain = `(?:${domainComponent}(?:\\.${domainComponent})*|\\[(?:[a-fA-F0-9:]+)\\])(?::[0-9]+)?`;
const pathComponent = '[a-z0-9]+(?:(?:\\.|_|__|-+)[a-z0-9]+)*';
const reference = new RegExp(`^(?:${domain}/)?${pathComponent}(?:/${pathComponent})*:[\\w][\\w.-]{0,127}$`);

/** A registry and path that `/name:tag` may be added to, by the container reference grammar (distribution/reference). */
export function isImageRepository(text: string): boolean {
  return reference.test(`${text}/name:tag`);
}

/** An absolute path on Linux. */
export function isAbsolutePath(text: string): boolean {
  return text.startsWith('/');
}
