import { describe, expect, it } from 'vitest';
import { parseIPv4DefaultRoutes, parseIPv6DefaultRoutes } from './default-routes.ts';

const header = 'Iface\tDestination\tGateway \tFlags\tRefCnt\tUse\tMetric\tMask\t\tMTU\tWindow\tIRTT\n';
const zero = '0'.repeat(32);
const gateway = 'fe800000000000000000000000000001';

describe('/proc/net/route', () => {
  it.each([
    {
      name: 'one default route',
      text: `${header}eth0\t00000000\t010002C0\t0003\t0\t0\t0\t00000000\t0\t0\t0\neth0\t000002C0\t00000000\t0001\t0\t0\t0\t00FFFFFF\t0\t0\t0\n`,
      expected: ['eth0'],
    },
    {
      name: 'two default routes on two interfaces, one of them twice',
      text: `${header}eth1\t00000000\t010002C0\t0003\t0\t0\t10\t00000000\t0\t0\t0\neth0\t00000000\t010002C0\t0003\t0\t0\t20\t00000000\t0\t0\t0\neth1\t00000000\t020002C0\t0003\t0\t0\t30\t00000000\t0\t0\t0\n`,
      expected: ['eth1', 'eth0'],
    },
    {
      name: 'no default route',
      text: `${header}eth0\t000002C0\t00000000\t0001\t0\t0\t0\t00FFFFFF\t0\t0\t0\n`,
      expected: [],
    },
    { name: 'nothing but the header', text: header, expected: [] },
  ])('$name', ({ text, expected }) => {
    expect(parseIPv4DefaultRoutes(text)).toEqual(expected);
  });
});

describe('/proc/net/ipv6_route', () => {
  it.each([
    {
      name: 'a default route beside that to nowhere',
      text: `${zero} 00 ${zero} 00 ${gateway} 00000400 00000001 00000000 00000003     eth0\n${zero} 00 ${zero} 00 ${zero} ffffffff 00000001 00000000 00200200       lo\n`,
      expected: ['eth0'],
    },
    {
      name: 'only that to nowhere',
      text: `${zero} 00 ${zero} 00 ${zero} ffffffff 00000001 00000000 00200200       lo\n`,
      expected: [],
    },
    {
      name: 'a route to a network',
      text: `fd000000000000000000000000000000 40 ${zero} 00 ${gateway} 00000100 00000001 00000000 00000001     eth0\n`,
      expected: [],
    },
    { name: 'no IPv6', text: '', expected: [] },
  ])('$name', ({ text, expected }) => {
    expect(parseIPv6DefaultRoutes(text)).toEqual(expected);
  });
});
