/** Kernel releases that are supported (k8s.io/system-validators, types_unix.go). */
export const kernelReleases: readonly RegExp[] = [
  /^5\.4/,
  /^5\.10/,
  /^5\.15/,
  /^(?:[6-9]|[1-9][0-9]+)\.[0-9]+\.[0-9]+/,
];

/** Options that the kernel must be built with, as `y` or `m`; alternatives are separated by a bar. */
export const kernelOptions = {
  always: [
    'NAMESPACES',
    'NET_NS',
    'PID_NS',
    'IPC_NS',
    'UTS_NS',
    'CPUSETS',
    'MEMCG',
    'INET',
    'EXT4_FS',
    'PROC_FS',
    'NETFILTER_XT_TARGET_REDIRECT|IP_NF_TARGET_REDIRECT',
    'NETFILTER_XT_MATCH_COMMENT',
    'FAIR_GROUP_SCHED',
  ],
  cgroupV1: ['CGROUPS', 'CGROUP_CPUACCT', 'CGROUP_DEVICE', 'CGROUP_FREEZER', 'CGROUP_PIDS', 'CGROUP_SCHED'],
  cgroupV2: ['CGROUPS', 'CGROUP_BPF', 'CGROUP_PIDS', 'CGROUP_SCHED'],
} as const;

/** cgroup controllers by cgroup version. */
export const cgroupControllers = {
  1: {
    required: ['cpu', 'cpuacct', 'cpuset', 'devices', 'freezer', 'memory', 'pids'],
    optional: ['hugetlb', 'blkio'],
  },
  2: { required: ['cpu', 'cpuset', 'devices', 'freezer', 'memory', 'pids'], optional: ['hugetlb', 'io'] },
} as const;

/** The first kubelet that refuses cgroup v1 unless told otherwise. */
export const firstKubeletWithoutCgroupV1 = '1.35.0-0';
