import { describe, expect, it } from 'vitest';
import {
  formatSubnet,
  parseSubnet,
  parseSubnets,
  type Subnet,
  serviceAddress,
  subnetSize,
  subnetsOverlap,
} from './subnet.ts';

const subnet = (text: string): Subnet => parseSubnet(text) ?? expect.fail(text);

describe('serviceAddress', () => {
  it.each([
    ['the default', '10.96.0.0/12', 1, '10.96.0.1'],
    ['cluster DNS', '10.96.0.0/12', 10, '10.96.0.10'],
    ['host bits are cleared', '10.96.5.7/12', 1, '10.96.0.1'],
    ['a range that does not end in zero', '10.87.116.64/26', 10, '10.87.116.74'],
    ['leading zeros', '010.096.000.000/12', 1, '10.96.0.1'],
    ['upper-case IPv6', 'FD00:AB::/112', 1, 'fd00:ab::1'],
    ['an IPv4-mapped range', '::ffff:10.96.0.0/108', 1, '10.96.0.1'],
    ['carry into the next octet', '10.255.255.240/28', 1, '10.255.255.241'],
    ['the first of two', 'fd00::/112,10.0.0.0/16', 1, 'fd00::1'],
  ])('%s', (_name, subnets, index, expected) => {
    expect(serviceAddress(subnets, index)).toBe(expected);
  });

  it('is undefined where the range ends', () => {
    expect(serviceAddress('10.0.0.0/30', 10)).toBeUndefined();
  });
});

describe('parseSubnets', () => {
  it.each([
    ['no mask', '10.0.0.0'],
    ['a blank after the comma', '10.0.0.0/16, fd00::/112'],
    ['a comma at the end', '10.0.0.0/16,'],
    ['a mask that is too long', '10.0.0.0/33'],
    ['a signed mask', '10.0.0.0/+8'],
    ['nothing', ''],
  ])('refuses %s', (_name, text) => {
    expect(parseSubnets(text)).toBeUndefined();
  });
});

describe('subnetSize', () => {
  it.each([
    ['10.0.0.0/28', 16n],
    ['10.0.0.0/2', 1n << 30n],
    ['0.0.0.0/1', 0n],
    ['0.0.0.0/0', 0n],
    ['fd00::/124', 16n],
    ['fd00::/8', (1n << 63n) - 1n],
    ['::/1', 0n],
  ])('%s', (text, size) => {
    expect(subnetSize(subnet(text))).toBe(size);
  });
});

it('writes a CIDR in its normal form', () => {
  expect(formatSubnet(subnet('10.1.2.3/8'))).toBe('10.0.0.0/8');
  expect(formatSubnet(subnet('FD00:0::1/64'))).toBe('fd00::/64');
  expect(formatSubnet(subnet('::ffff:10.96.0.0/108'))).toBe('10.96.0.0/12');
});

it('knows when ranges overlap', () => {
  expect(subnetsOverlap(subnet('fec0::/10'), subnet('fed0::/112'))).toBe(true);
  expect(subnetsOverlap(subnet('fec0::/10'), subnet('fd00::/112'))).toBe(false);
  expect(subnetsOverlap(subnet('fec0::/10'), subnet('10.0.0.0/8'))).toBe(false);
});
