const label = '[a-z0-9]([-a-z0-9]*[a-z0-9])?';
const pattern = new RegExp(`^${label}(\\.${label})*$`);

/** A lower-case host name of at most 253 characters (RFC 1123 2.1; Kubernetes: IsDNS1123Subdomain). */
export function isDnsName(text: string): boolean {
  return text.length <= 253 && pattern.test(text);
}

/** A host name behind `*.` (Kubernetes: IsWildcardDNS1123Subdomain). */
export function isWildcardDnsName(text: string): boolean {
  return text.length <= 253 && text.startsWith('*.') && pattern.test(text.slice(2));
}
