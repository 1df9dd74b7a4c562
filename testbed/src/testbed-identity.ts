import { createHash } from 'node:crypto';
import { realpathSync } from 'node:fs';
import { join } from 'node:path';
import { cacheDirectory } from './cache-directory.ts';

/** What belongs to one checkout's machines, so that two checkouts never meet. */
export interface TestbedIdentity {
  /** `gp` and eight hexadecimal digits: the prefix of everything that is made on the host. */
  readonly id: string;
  /** Folder of the machines' disks and records. */
  readonly stateDirectory: string;
  /** Folder of what a reboot ends anyway: network namespaces, runc's state. */
  readonly runDirectory: string;
  /** Where to begin to look for a free subnet, 0 to 253. */
  readonly subnetSeed: number;
}

/**
 * Derives the identity from the path of a checkout, and from `$GROUNDPLANE_TESTBED`
 * when that names a further set of machines, as tests have beside the demo's.
 */
export function testbedIdentity(
  checkout: string = thisCheckout(),
  set: string = process.env.GROUNDPLANE_TESTBED ?? '',
): TestbedIdentity {
  const hash = createHash('sha256')
    .update(set === '' ? checkout : `${checkout}\0${set}`)
    .digest();
  const id = `gp${hash.subarray(0, 4).toString('hex')}`;
  return {
    id,
    stateDirectory: join(cacheDirectory(), 'machines', id),
    runDirectory: join('/run/groundplane-testbed', id),
    subnetSeed: hash.readUInt16BE(4) % subnetCount,
  };
}

export function thisCheckout(): string {
  return realpathSync(join(import.meta.dirname, '..', '..'));
}

const subnetCount = 254;

/** The first subnet number from `seed` on that no other testbed has. */
export function chooseSubnet(seed: number, taken: ReadonlySet<number>): number {
  for (let step = 0; step < subnetCount; step++) {
    const candidate = (seed + step) % subnetCount;
    if (!taken.has(candidate)) return candidate;
  }
  throw new Error(`cannot choose a subnet: all ${subnetCount} of 10.77.0.0/16 belong to other testbeds`);
}

/** Most machines of one testbed: addresses .10 to .249. */
export const machineLimit = 240;

/** Every address that follows from the number of the testbed's subnet and of a machine. */
export const addresses = {
  bridge: (subnet: number) => `10.77.${subnet}.1`,
  machine: (subnet: number, index: number) => `10.77.${subnet}.${10 + index}`,
  machines: (subnet: number) => `10.77.${subnet}.0/24`,
  prefixLength: 24,
  /** Pods of one machine; lies in `allPods`. */
  pods: (index: number) => `10.244.${index}.0/24`,
  allPods: '10.244.0.0/16',
} as const;

/** Name of the bridge's end of a machine's cable, below the kernel's limit of 15. */
export function cableName(index: number): string {
  return `m${index}`;
}

const namePattern = /^[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?$/;

/** @throws Error when the name cannot be a host name and a Kubernetes node name. */
export function checkMachineName(name: string): void {
  if (namePattern.test(name)) return;
  throw new Error(
    `cannot name a machine ${JSON.stringify(name)}: a name is lower case letters, digits and inner hyphens, at most 63`,
  );
}
