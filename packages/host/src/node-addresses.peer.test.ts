import { execFileSync, spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';

// The address that the real kubeadm takes in a network namespace, read from the certificate that it makes, against ours.

const kubeadm = process.env.GROUNDPLANE_KUBEADM ?? '';
let directory: string;

beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), 'groundplane-addresses-'));
});

afterEach(() => {
  rmSync(directory, { recursive: true });
});

/** An interface with a carrier: the near end of a cable whose far end is up as well. */
const link = (name: string): readonly string[] => [
  `ip link add ${name} type veth peer name far-${name}`,
  `ip link set ${name} up`,
  `ip link set far-${name} up`,
];

describe('the first address', () => {
  it.each([
    {
      name: 'IPv4 of the default route',
      commands: [...link('d0'), 'ip addr add 192.0.2.5/24 dev d0', 'ip route add default via 192.0.2.1'],
    },
    {
      name: 'the interface of the default route, not the first one',
      commands: [
        ...link('d0'),
        'ip addr add 198.51.100.5/24 dev d0',
        ...link('d1'),
        'ip addr add 192.0.2.5/24 dev d1',
        'ip route add default via 192.0.2.1',
      ],
    },
    {
      name: 'the lower metric of two default routes',
      commands: [
        ...link('d0'),
        'ip addr add 198.51.100.5/24 dev d0',
        ...link('d1'),
        'ip addr add 192.0.2.5/24 dev d1',
        'ip route add default via 198.51.100.1 metric 200',
        'ip route add default via 192.0.2.1 metric 100',
      ],
    },
    {
      name: 'the first of two on one interface',
      commands: [
        ...link('d0'),
        'ip addr add 192.0.2.5/24 dev d0',
        'ip addr add 192.0.2.4/24 dev d0',
        'ip route add default via 192.0.2.1',
      ],
    },
    {
      name: 'IPv6 alone',
      commands: [...link('d0'), 'ip -6 addr add fd00::5/64 dev d0 nodad', 'ip -6 route add default via fd00::1'],
    },
    {
      name: 'IPv4 before IPv6',
      commands: [
        ...link('d0'),
        'ip -6 addr add fd00::5/64 dev d0 nodad',
        'ip -6 route add default via fd00::1',
        'ip addr add 192.0.2.5/24 dev d0',
        'ip route add default via 192.0.2.1',
      ],
    },
    {
      name: 'IPv6 where only it has a default route',
      commands: [
        ...link('d0'),
        'ip addr add 192.0.2.5/24 dev d0',
        'ip -6 addr add fd00::5/64 dev d0 nodad',
        'ip -6 route add default via fd00::1',
      ],
    },
    {
      name: 'that of lo where the interface has link-local addresses only',
      commands: [
        ...link('d0'),
        'ip addr add 169.254.1.5/16 dev d0',
        'ip addr add 203.0.113.9/32 dev lo',
        'ip route add default via 169.254.1.1',
      ],
    },
  ])('is kubeadm’s: $name', ({ commands }) => {
    const certs = join(directory, 'pki');
    const phase = (name: string): string =>
      `${kubeadm} init phase certs ${name} --cert-dir ${certs} --kubernetes-version v1.37.2 >&2`;
    const ours = `${process.execPath} ${join(import.meta.dirname, '../test/print-addresses.ts')}`;
    const script = ['set -e', 'ip link set lo up', ...commands, phase('ca'), phase('apiserver'), ours].join('\n');
    const { stdout, stderr, status } = spawnSync('unshare', ['--net', 'sh', '-c', script], { encoding: 'utf8' });
    expect(status, stderr).toBe(0);
    const { ipv4, ipv6 } = JSON.parse(stdout);
    const names = execFileSync(
      'openssl',
      ['x509', '-in', join(certs, 'apiserver.crt'), '-noout', '-ext', 'subjectAltName'],
      { encoding: 'utf8' },
    );
    // The service address comes first, then the advertise address.
    const [, theirs] = [...names.matchAll(/IP Address:([0-9A-F.:]+)/g)].map((match) => match[1]?.toLowerCase());
    expect(compress(ipv4[0] ?? ipv6[0])).toBe(compress(theirs));
  });
});

function compress(address: string | undefined): string {
  return new URL(`http://${address?.includes(':') === true ? `[${address}]` : address}`).hostname;
}
