import { describe, expect, it } from 'vitest';
import { type InterfaceAddress, nodeAddresses } from './node-addresses.ts';

const on = (name: string, ...addresses: readonly string[]): readonly InterfaceAddress[] =>
  addresses.map((address) => ({
    interface: name,
    address,
    family: address.includes(':') ? 'ipv6' : 'ipv4',
    loopback: name === 'lo',
  }));

const lo = on('lo', '127.0.0.1', '::1');

describe('nodeAddresses', () => {
  it.each([
    {
      name: 'takes those of the interface of the default route',
      addresses: [...lo, ...on('eth0', '192.0.2.5', '192.0.2.6', 'fe80::1', 'fd00::5'), ...on('eth1', '198.51.100.1')],
      routes: { ipv4: ['eth0'], ipv6: ['eth0'] },
      expected: { ipv4: ['192.0.2.5', '192.0.2.6'], ipv6: ['fd00::5'], loopback: [] },
    },
    {
      name: 'takes the interfaces in the order of their routes',
      addresses: [...on('eth0', '192.0.2.5'), ...on('eth1', '198.51.100.1')],
      routes: { ipv4: ['eth1', 'eth0'], ipv6: [] },
      expected: { ipv4: ['198.51.100.1', '192.0.2.5'], ipv6: [], loopback: [] },
    },
    {
      name: 'finds none without a default route of the family',
      addresses: [...lo, ...on('eth0', '192.0.2.5', 'fd00::5')],
      routes: { ipv4: [], ipv6: ['eth0'] },
      expected: { ipv4: [], ipv6: ['fd00::5'], loopback: [] },
    },
    {
      name: 'goes to the loopback interface where that of the route has link-local addresses only',
      addresses: [...lo, ...on('lo', '203.0.113.9', '2001:db8::9'), ...on('eth0', '169.254.1.1', 'fe80::1')],
      routes: { ipv4: ['eth0'], ipv6: ['eth0'] },
      expected: { ipv4: ['203.0.113.9'], ipv6: ['2001:db8::9'], loopback: ['203.0.113.9', '2001:db8::9'] },
    },
    {
      name: 'takes every interface where the kernel shows no routes',
      addresses: [...lo, ...on('lo', '203.0.113.9'), ...on('eth0', '192.0.2.5'), ...on('eth1', '198.51.100.1')],
      routes: undefined,
      expected: { ipv4: ['192.0.2.5', '198.51.100.1'], ipv6: [], loopback: ['203.0.113.9'] },
    },
    {
      name: 'passes over what is no global unicast address',
      addresses: on(
        'eth0',
        '0.0.0.0',
        '127.0.0.2',
        '169.254.0.9',
        '224.0.0.1',
        '239.1.1.1',
        '255.255.255.255',
        '::',
        'fe80::1',
        'febf::1',
        'ff02::1',
        '10.0.0.1',
        'fec0::1',
      ),
      routes: { ipv4: ['eth0'], ipv6: ['eth0'] },
      expected: { ipv4: ['10.0.0.1'], ipv6: ['fec0::1'], loopback: [] },
    },
  ])('$name', ({ addresses, routes, expected }) => {
    expect(nodeAddresses(addresses, routes)).toEqual(expected);
  });
});
