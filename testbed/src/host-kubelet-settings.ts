import { readFileSync, statfsSync } from 'node:fs';

const cgroup2Magic = 0x63677270;

/** What this host cannot give its machines, found out and not assumed. */
export interface HostFacts {
  readonly cgroupVersion: 1 | 2;
  readonly swap: boolean;
}

/** Looks at this host. */
export function hostFacts(): HostFacts {
  return {
    cgroupVersion: statfsSync('/sys/fs/cgroup').type === cgroup2Magic ? 2 : 1,
    swap: readFileSync('/proc/swaps', 'utf8').trim().split('\n').length > 1,
  };
}

/** What machines on this host need beyond kubeadm's defaults. */
export interface HostKubeletSettings {
  /** Fields to merge into the KubeletConfiguration document; may be empty. */
  readonly kubeletConfiguration: Readonly<Record<string, unknown>>;
  /** Value of `--ignore-preflight-errors`; empty: leave the flag away. */
  readonly ignorePreflightErrors: readonly string[];
}

/** The KubeletConfiguration fields and ignored preflight checks that a host with these facts needs. */
export function hostKubeletSettings(facts: HostFacts = hostFacts()): HostKubeletSettings {
  const legacy = facts.cgroupVersion === 1;
  return {
    kubeletConfiguration: {
      ...(legacy ? { failCgroupV1: false, cgroupDriver: 'cgroupfs' } : {}),
      ...(facts.swap ? { failSwapOn: false } : {}),
      // The kubelet cannot tell which disk an overlay is on.
      localStorageCapacityIsolation: false,
    },
    ignorePreflightErrors: [...(legacy ? ['SystemVerification'] : []), ...(facts.swap ? ['Swap'] : [])],
  };
}
