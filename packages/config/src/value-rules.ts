import { goUrlScheme } from './go-url.ts';
import { isPort, parseHostPort, splitHostPort } from './host-port.ts';
import { parseIpAddress } from './ip-address.ts';
import {
  isAbsolutePath,
  isBootstrapGroup,
  isBootstrapToken,
  isDnsSubdomain,
  isImageRepository,
  isWildcardDnsSubdomain,
} from './text-grammars.ts';

/** A rule about one value: the reason why it cannot be used (to follow "as"), or undefined if it can. */
export type ValueRule = (value: string) => string | undefined;

const unless = (holds: (value: string) => boolean, reason: string): ValueRule => {
  return (value) => (holds(value) ? undefined : reason);
};

const oneOf = (...allowed: readonly string[]): ValueRule =>
  unless((value) => allowed.includes(value), `it must be one of ${allowed.filter((name) => name !== '').join(', ')}`);

const certificateKeyBytes = 32;

/** The rules of kubeadm's validation.go that look at a single value. */
export const valueRules = {
  absolutePath: unless(isAbsolutePath, 'the path is not absolute'),
  dnsSubdomain: unless(
    isDnsSubdomain,
    'it is no DNS-1123 subdomain (lower-case letters, digits, - and ., starting and ending with a letter or digit, at most 253 characters)',
  ),
  imageRepository: unless(isImageRepository, 'it is no container image repository (no scheme, tag or trailing slash)'),
  certSan: unless(
    (name) => isDnsSubdomain(name) || isWildcardDnsSubdomain(name) || parseIpAddress(name) !== undefined,
    'it is neither an IP address nor a DNS name nor a wildcard *.name',
  ),
  ipAddress: unless((text) => parseIpAddress(text) !== undefined, 'it is no IP address'),
  port: unless(isPort, 'a port must be from 1 to 65535'),
  endpoint: unless(
    (text) => text === '' || parseHostPort(text) !== undefined,
    'it must be host or host:port, with an IP address (IPv6 with a port in brackets) or a DNS name in lower case as host',
  ),
  encryptionAlgorithm: oneOf('ECDSA-P256', 'ECDSA-P384', 'RSA-2048', 'RSA-3072', 'RSA-4096'),
  imagePullPolicy: oneOf('', 'Always', 'IfNotPresent', 'Never'),
  tokenUsage: oneOf('signing', 'authentication'),
  tokenGroup: unless(isBootstrapGroup, 'a group must match system:bootstrappers:[a-z0-9:-]{0,255}[a-z0-9]'),
  bootstrapToken: unless(isBootstrapToken, 'the bootstrap token is invalid: it must match [a-z0-9]{6}.[a-z0-9]{16}'),
  hostAndPort: unless(
    (text) => splitHostPort(text) !== undefined,
    'it must be host:port, with an IPv6 address in brackets',
  ),
  certificatePath: unless(
    (text) => isAbsolutePath(text) && text.endsWith('.crt'),
    'the CA certificate path must be absolute and end in .crt',
  ),
  unmountFlag: oneOf('MNT_FORCE', 'MNT_DETACH', 'MNT_EXPIRE', 'UMOUNT_NOFOLLOW'),
  mergeMethod: oneOf('append', 'prepend'),
  argumentName: unless((name) => name !== '', 'an argument has no name'),
  criSocket: (socket: string) => {
    const scheme = goUrlScheme(socket);
    if (scheme === undefined) return 'it is no URL';
    return scheme === 'unix' ? undefined : `only the URL scheme unix is supported, not '${scheme}'`;
  },
  certificateKey: unless(
    (key) => /^(?:[0-9a-fA-F]{2})*$/.test(key) && (key === '' || key.length === 2 * certificateKeyBytes),
    `it must be ${certificateKeyBytes} bytes in hexadecimal`,
  ),
} satisfies Readonly<Record<string, ValueRule>>;
