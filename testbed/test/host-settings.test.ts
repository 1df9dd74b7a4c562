import { describe, expect, it } from 'vitest';
import { machineCapabilities } from '../src/capabilities.ts';
import { hostKubeletSettings } from '../src/host-kubelet-settings.ts';
import { cniConfiguration, hostsFile, layerFiles } from '../src/machine-files.ts';

describe('hostKubeletSettings', () => {
  it('asks for nothing about cgroups on a host with cgroup v2', () => {
    expect(hostKubeletSettings({ cgroupVersion: 2, swap: false })).toEqual({
      kubeletConfiguration: { localStorageCapacityIsolation: false },
      ignorePreflightErrors: [],
    });
  });

  it('lets the kubelet start on a host with cgroup v1 and swap', () => {
    expect(hostKubeletSettings({ cgroupVersion: 1, swap: true })).toEqual({
      kubeletConfiguration: {
        failCgroupV1: false,
        cgroupDriver: 'cgroupfs',
        failSwapOn: false,
        localStorageCapacityIsolation: false,
      },
      ignorePreflightErrors: ['SystemVerification', 'Swap'],
    });
  });
});

describe('machineCapabilities', () => {
  it('leaves out what the host lacks and what would reach the whole host', () => {
    const all = machineCapabilities('CapBnd:\t000001ffffffffff');
    const lacking = machineCapabilities('CapBnd:\t000001fffeffffff');
    expect(all).toContain('CAP_SYS_RESOURCE');
    expect(lacking).toEqual(all.filter((name) => name !== 'CAP_SYS_RESOURCE'));
    expect(all).not.toContain('CAP_SYS_MODULE');
    expect(all.at(-1)).toBe('CAP_CHECKPOINT_RESTORE');
  });
});

describe('machine files', () => {
  it('gives a pod network of the machine’s own', () => {
    const { plugins } = JSON.parse(cniConfiguration('10.244.3.0/24'));
    expect(plugins[0].ipam.ranges).toEqual([[{ subnet: '10.244.3.0/24' }]]);
  });

  it('names every machine in the hosts file', () => {
    expect(hostsFile([{ name: 'cp1', address: '10.77.3.10' }]).split('\n')).toContain('10.77.3.10 cp1');
  });

  it('makes containerd use the cgroup driver of the host', () => {
    const configuration = (cgroupVersion: 1 | 2) =>
      layerFiles({ cgroupVersion, pauseImage: 'pause' }).find((file) => file.path === '/etc/containerd/config.toml')
        ?.content;
    expect(configuration(1)).toContain('SystemdCgroup = false');
    expect(configuration(2)).toContain('SystemdCgroup = true');
  });
});
