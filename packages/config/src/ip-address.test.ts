import { SocketAddress } from 'node:net';
import { describe, expect, it } from 'vitest';
import {
  formatIpAddress,
  isGlobalUnicast,
  isLoopback,
  isUnspecified,
  joinHostPort,
  parseIpAddress,
} from './ip-address.ts';

const canonical = (text: string) => {
  const address = parseIpAddress(text);
  return address === undefined ? undefined : formatIpAddress(address);
};

describe('parseIpAddress', () => {
  it.each([
    ['leading zeros are decimal', '192.0.2.010', '192.0.2.10'],
    ['upper case', '2001:DB8::A', '2001:db8::a'],
    ['IPv4-mapped becomes IPv4', '::ffff:192.0.2.10', '192.0.2.10'],
    ['IPv4-mapped in hexadecimal', '::FFFF:c000:20a', '192.0.2.10'],
    ['the unspecified address', '::', '::'],
    ['a dotted tail', '64:ff9b::192.0.2.1', '64:ff9b::c000:201'],
    ['eight groups', '1:0:0:2:0:0:0:3', '1:0:0:2::3'],
    ['an ellipsis for one group', '1:2:3:4::6:7:8', '1:2:3:4:0:6:7:8'],
  ])('%s', (_name, text, expected) => {
    expect(canonical(text)).toBe(expected);
  });

  it.each([
    ['nothing', ''],
    ['a name', 'localhost'],
    ['brackets', '[2001:db8::1]'],
    ['a zone', 'fe80::1%eth0'],
    ['an octet above 255', '192.0.2.256'],
    ['three octets', '192.0.2'],
    ['a blank', ' 192.0.2.1'],
    ['two ellipses', '1::2::3'],
    ['nine groups', '1:2:3:4:5:6:7:8:9'],
    ['eight groups and an ellipsis', '1:2:3:4::5:6:7:8'],
    ['five hexadecimal digits', '12345::'],
    ['a single colon in front', ':1::'],
    ['a prefix length', '192.0.2.0/24'],
    ['a dotted part in the middle', '1.2.3.4::'],
  ])('refuses %s', (_name, text) => {
    expect(parseIpAddress(text)).toBeUndefined();
  });

  it('writes IPv6 as the C library does', () => {
    const samples = ['2001:db8::', '::1', 'fe80:0:0:1::', '1:0:0:2:2:0:0:3', 'ff02::1:ff00:1', '0:0:1::', '1::1:0:0:1'];
    for (const address of samples) {
      expect(canonical(address)).toBe(new SocketAddress({ address, family: 'ipv6' }).address);
    }
  });
});

describe('classes of addresses', () => {
  it.each([
    ['192.0.2.10', { global: true, loopback: false, unspecified: false }],
    ['10.0.0.1', { global: true, loopback: false, unspecified: false }],
    ['fd00::1', { global: true, loopback: false, unspecified: false }],
    ['127.3.2.1', { global: false, loopback: true, unspecified: false }],
    ['::1', { global: false, loopback: true, unspecified: false }],
    ['0.0.0.0', { global: false, loopback: false, unspecified: true }],
    ['::', { global: false, loopback: false, unspecified: true }],
    ['169.254.1.1', { global: false, loopback: false, unspecified: false }],
    ['fe80::1', { global: false, loopback: false, unspecified: false }],
    ['febf::1', { global: false, loopback: false, unspecified: false }],
    ['fec0::1', { global: true, loopback: false, unspecified: false }],
    ['224.0.0.1', { global: false, loopback: false, unspecified: false }],
    ['239.255.255.255', { global: false, loopback: false, unspecified: false }],
    ['240.0.0.1', { global: true, loopback: false, unspecified: false }],
    ['ff02::1', { global: false, loopback: false, unspecified: false }],
    ['255.255.255.255', { global: false, loopback: false, unspecified: false }],
  ])('%s', (text, expected) => {
    const address = parseIpAddress(text) ?? expect.fail(text);
    expect({
      global: isGlobalUnicast(address),
      loopback: isLoopback(address),
      unspecified: isUnspecified(address),
    }).toEqual(expected);
  });
});

describe('joinHostPort', () => {
  it.each([
    ['192.0.2.1', 6443, '192.0.2.1:6443'],
    ['2001:db8::1', 6443, '[2001:db8::1]:6443'],
    ['api.example.com', '443', 'api.example.com:443'],
  ])('%s and %s', (host, port, expected) => {
    expect(joinHostPort(host, port)).toBe(expected);
  });
});
