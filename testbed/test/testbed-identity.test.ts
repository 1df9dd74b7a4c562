import { describe, expect, it } from 'vitest';
import {
  addresses,
  cableName,
  checkMachineName,
  chooseSubnet,
  machineLimit,
  testbedIdentity,
} from '../src/testbed-identity.ts';

describe('testbedIdentity', () => {
  it('is the same for the same checkout and another for another', () => {
    expect(testbedIdentity('/a/checkout')).toEqual(testbedIdentity('/a/checkout'));
    expect(testbedIdentity('/a/checkout').id).not.toBe(testbedIdentity('/b/checkout').id);
  });

  it('is another for another set of machines', () => {
    expect(testbedIdentity('/a/checkout', 'tests').id).not.toBe(testbedIdentity('/a/checkout', '').id);
  });

  it('leaves room for a suffix in an interface name', () => {
    expect(testbedIdentity('/a/checkout').id).toMatch(/^gp[0-9a-f]{8}$/);
    expect(cableName(machineLimit - 1).length).toBeLessThan(16);
  });

  it('has a seed that is a subnet number', () => {
    for (let n = 0; n < 200; n++) {
      const { subnetSeed } = testbedIdentity(`/checkout/${n}`);
      expect(subnetSeed).toBeGreaterThanOrEqual(0);
      expect(subnetSeed).toBeLessThan(254);
    }
  });
});

describe('chooseSubnet', () => {
  it('takes the seed when it is free', () => expect(chooseSubnet(7, new Set())).toBe(7));
  it('goes on to the next free one, past the end', () => expect(chooseSubnet(252, new Set([252, 253, 0]))).toBe(1));
  it('says so when none is free', () => {
    expect(() => chooseSubnet(0, new Set(Array.from({ length: 254 }, (_, n) => n)))).toThrow(
      /belong to other testbeds/,
    );
  });
});

describe('addresses', () => {
  it('gives every machine an address and pods of its own', () => {
    const all = Array.from({ length: machineLimit }, (_, index) => addresses.machine(3, index));
    expect(new Set(all).size).toBe(machineLimit);
    expect(all.at(-1)).toBe('10.77.3.249');
    expect(addresses.pods(2)).toBe('10.244.2.0/24');
    expect(addresses.bridge(3)).toBe('10.77.3.1');
  });
});

describe('checkMachineName', () => {
  it.each(['cp1', 'a', 'worker-2', '0'])('takes %s', (name) => expect(() => checkMachineName(name)).not.toThrow());
  it.each(['', 'Cp1', '-a', 'a-', 'a.b', '../a', 'a'.repeat(64)])('refuses %j', (name) =>
    expect(() => checkMachineName(name)).toThrow(/cannot name a machine/),
  );
});
