import type { X509Certificate } from '@peculiar/x509';
import ipaddr from 'ipaddr.js';
import { namesOf } from './certificate-names.ts';
import { loadX509Library } from './x509-library.ts';

/**
 * Checks the DNS names and addresses of the certificates below a CA against its name constraints (RFC 5280 4.2.1.10).
 *
 * @param path from the leaf upwards, without the CA
 * @returns what is violated, or undefined
 */
export async function violatedConstraint(
  authority: X509Certificate,
  path: readonly X509Certificate[],
): Promise<string | undefined> {
  const { asn1X509, AsnConvert } = await loadX509Library();
  const extension = authority.getExtension(asn1X509.id_ce_nameConstraints);
  if (extension === null) return undefined;
  const { permittedSubtrees, excludedSubtrees } = AsnConvert.parse(extension.value, asn1X509.NameConstraints);
  const permitted = constraintsOf(permittedSubtrees ?? []);
  const excluded = constraintsOf(excludedSubtrees ?? []);
  for (const certificate of path) {
    const { dnsNames, ipAddresses } = await namesOf(certificate.extensions);
    for (const name of dnsNames) {
      if (isAllowed(name, permitted.domains, excluded.domains, isInDomain)) continue;
      return `the name constraints of '${authority.subject}' do not allow the name '${name}'`;
    }
    for (const address of ipAddresses) {
      if (isAllowed(address, permitted.ranges, excluded.ranges, isInRange)) continue;
      return `the name constraints of '${authority.subject}' do not allow the address ${address}`;
    }
  }
  return undefined;
}

interface Subtree {
  readonly base: { readonly dNSName?: string; readonly iPAddress?: string };
}

function constraintsOf(subtrees: readonly Subtree[]) {
  return {
    domains: subtrees.flatMap(({ base }) => (base.dNSName === undefined ? [] : [base.dNSName])),
    ranges: subtrees.flatMap(({ base }) => (base.iPAddress === undefined ? [] : [base.iPAddress])),
  };
}

function isAllowed(
  name: string,
  permitted: readonly string[],
  excluded: readonly string[],
  matches: (name: string, constraint: string) => boolean,
): boolean {
  if (excluded.some((constraint) => matches(name, constraint))) return false;
  return permitted.length === 0 || permitted.some((constraint) => matches(name, constraint));
}

/** `example.com` stands for itself and everything below, `.example.com` for everything below, the empty text for all. */
function isInDomain(name: string, constraint: string): boolean {
  const [host, domain] = [name.toLowerCase(), constraint.toLowerCase()];
  if (domain === '' || host === domain) return true;
  return host.endsWith(domain.startsWith('.') ? domain : `.${domain}`);
}

function isInRange(address: string, range: string): boolean {
  const candidate = ipaddr.parse(address);
  const [base, length] = ipaddr.parseCIDR(range);
  return candidate.kind() === base.kind() && candidate.match([base, length]);
}
