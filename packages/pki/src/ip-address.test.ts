import { describe, expect, test } from 'vitest';
import { firstServiceAddress, normalizeIpAddress } from './ip-address.ts';

describe('normalizeIpAddress', () => {
  test.each<[string, string | undefined]>([
    ['192.0.2.10', '192.0.2.10'],
    ['010.0.0.1', '10.0.0.1'],
    ['0.0.0.0', '0.0.0.0'],
    ['000.00.0.00010', '0.0.0.10'],
    ['2001:DB8:0:0:0:0:0:1', '2001:db8::1'],
    ['2001:0db8:0000::0001', '2001:db8::1'],
    ['2001:db8:0:1:1:1:1:1', '2001:db8:0:1:1:1:1:1'],
    ['2001:0:0:1:0:0:0:1', '2001:0:0:1::1'],
    ['::', '::'],
    ['::1', '::1'],
    ['1::', '1::'],
    ['1:2:3:4:5:6:7::', '1:2:3:4:5:6:7:0'],
    ['::FFFF:192.0.2.7', '192.0.2.7'],
    ['::ffff:c000:0207', '192.0.2.7'],
    ['::ffff:010.0.0.1', '10.0.0.1'],
    ['64:ff9b::192.0.2.33', '64:ff9b::c000:221'],
    ['::192.0.2.7', '::c000:207'],
    // Forms that other readers take.
    ['192.0.2', undefined],
    ['192.0.2.256', undefined],
    ['0x7f.0.0.1', undefined],
    ['127.1', undefined],
    ['2130706433', undefined],
    ['192.0.2.1:6443', undefined],
    ['[::1]', undefined],
    ['fe80::1%eth0', undefined],
    ['1::2::3', undefined],
    ['1:2:3:4:5:6:7', undefined],
    ['1:2:3:4:5:6:7:8:9', undefined],
    [':1:2:3:4:5:6:7:8', undefined],
    ['1:2:3:4:5:6:7:8:', undefined],
    ['10000::', undefined],
    ['10.0.0.0/24', undefined],
    [' 10.0.0.1', undefined],
    ['10.0.0.1 ', undefined],
    ['', undefined],
    ['node-a', undefined],
    ['dead.beef', undefined],
  ])('%s → %s', (text, expected) => {
    expect(normalizeIpAddress(text)).toBe(expected);
  });
});

describe('firstServiceAddress', () => {
  test.each([
    ['10.96.0.0/12', '10.96.0.1'],
    ['10.96.5.7/12', '10.96.0.1'],
    ['10.87.116.64/26', '10.87.116.65'],
    ['10.255.255.240/28', '10.255.255.241'],
    ['010.096.0.0/12', '10.96.0.1'],
    ['FD00:AB::/108', 'fd00:ab::1'],
    ['fd00:ab::77/112', 'fd00:ab::1'],
    ['fd00::ffff:ffff/100', 'fd00::f000:1'],
    ['::ffff:10.96.0.0/112', '10.96.0.1'],
    ['10.96.0.0/12,fd00::/108', '10.96.0.1'],
    ['fd00::/108,10.96.0.0/12', 'fd00::1'],
    ['0.0.0.0/0', '0.0.0.1'],
    ['10.0.0.0/31', '10.0.0.1'],
  ])('%s → %s', (subnet, expected) => {
    expect(firstServiceAddress(subnet)).toBe(expected);
  });

  test.each(['10.96.0.0', '10.96.0.0/33', 'fd00::/129', '10.96.0.0/32', 'fd00::1/128', '', 'x/12', '10.96.0.0/1.2'])(
    '%s is refused',
    (subnet) => {
      expect(() => firstServiceAddress(subnet)).toThrow(expect.objectContaining({ code: 'PKI_SUBNET_INVALID' }));
    },
  );
});
