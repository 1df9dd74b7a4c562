import { isDnsName, isWildcardDnsName } from './dns-name.ts';
import { pkiError } from './error-codes.ts';
import { firstServiceAddress, normalizeIpAddress } from './ip-address.ts';

/** The names of a certificate (RFC 5280 4.2.1.6), of the two kinds that Kubernetes uses. */
export interface SubjectAlternativeNames {
  /** Lower case, without duplicates, sorted by bytes. May begin with `*.`. */
  readonly dnsNames: readonly string[];
  /** In the spelling of {@link normalizeIpAddress}, without duplicates, in order of appearance. */
  readonly ipAddresses: readonly string[];
}

/** What the names of a node's certificates depend on. */
export interface CertificateFacts {
  /** `nodeRegistration.name`; also the common name of etcd's certificates. */
  readonly nodeName: string;
  readonly advertiseAddress: string;
  /** The host of `controlPlaneEndpoint`, without port and brackets. */
  readonly controlPlaneEndpointHost?: string | undefined;
  readonly dnsDomain: string;
  /** One CIDR, or two with a comma between. */
  readonly serviceSubnet: string;
  readonly apiServerCertSANs: readonly string[];
  readonly etcdServerCertSANs: readonly string[];
  readonly etcdPeerCertSANs: readonly string[];
}

export const noSubjectAlternativeNames: SubjectAlternativeNames = { dnsNames: [], ipAddresses: [] };

/**
 * Sorts names into DNS names and addresses, each without duplicates.
 *
 * @throws PKI_NAME_INVALID for a text that is neither an address, nor a DNS-1123 name, nor one behind `*.`
 */
export function subjectAlternativeNames(names: readonly string[]): SubjectAlternativeNames {
  const dnsNames = new Set<string>();
  const ipAddresses = new Set<string>();
  for (const name of names) {
    const address = normalizeIpAddress(name);
    if (address !== undefined) ipAddresses.add(address);
    else dnsNames.add(dnsName(name));
  }
  return { dnsNames: [...dnsNames].sort(), ipAddresses: [...ipAddresses] };
}

/** What clients use to reach an API server, inside and outside the cluster. */
export function apiServerNames(facts: CertificateFacts): readonly string[] {
  return [
    ...present(facts.nodeName),
    'kubernetes',
    'kubernetes.default',
    'kubernetes.default.svc',
    ...present(facts.dnsDomain).map((domain) => `kubernetes.default.svc.${domain}`),
    firstServiceAddress(facts.serviceSubnet),
    facts.advertiseAddress,
    ...present(facts.controlPlaneEndpointHost),
    ...facts.apiServerCertSANs,
  ];
}

/** Without one of these the cluster itself does not work. */
export function requiredApiServerNames(facts: CertificateFacts): readonly string[] {
  return [
    facts.advertiseAddress,
    ...present(facts.controlPlaneEndpointHost),
    firstServiceAddress(facts.serviceSubnet),
    'kubernetes.default.svc',
  ];
}

/** What the API server and the other members use to reach an etcd member. */
export function etcdNames(facts: CertificateFacts, extraNames: readonly string[]): readonly string[] {
  return [...present(facts.nodeName), 'localhost', facts.advertiseAddress, '127.0.0.1', '::1', ...extraNames];
}

/** The loopback address of the advertise address's family: what the API server of the same node connects to. */
export function loopbackAddress({ advertiseAddress }: Pick<CertificateFacts, 'advertiseAddress'>): string {
  return normalizeIpAddress(advertiseAddress)?.includes(':') ? '::1' : '127.0.0.1';
}

function present(text: string | undefined): readonly string[] {
  return text ? [text] : [];
}

function dnsName(name: string): string {
  const lowerCase = name.toLowerCase();
  if (isDnsName(lowerCase) || isWildcardDnsName(lowerCase)) return lowerCase;
  throw pkiError(
    'PKI_NAME_INVALID',
    `Cannot put a name into a certificate as it is neither an IP address nor a DNS name nor a wildcard DNS name: '${name}'`,
    { details: { name } },
  );
}
