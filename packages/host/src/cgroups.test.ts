import { describe, expect, it } from 'vitest';
import { parseCgroupMount, parseVersion1Controllers } from './cgroups.ts';

describe('parseCgroupMount', () => {
  it.each([
    {
      name: 'unified',
      mounts: 'proc /proc proc rw 0 0\ncgroup2 /sys/fs/cgroup cgroup2 rw,nosuid 0 0\n',
      memory: false,
      expected: { version: 2, mountPoint: '/sys/fs/cgroup' },
    },
    {
      name: 'version 1 below a tmpfs',
      mounts: 'tmpfs /sys/fs/cgroup tmpfs ro 0 0\ncgroup /sys/fs/cgroup/memory cgroup rw,memory 0 0\n',
      memory: true,
      expected: { version: 1, mountPoint: '/sys/fs/cgroup' },
    },
    {
      name: 'a tmpfs without version 1',
      mounts: 'tmpfs /sys/fs/cgroup tmpfs ro 0 0\n',
      memory: false,
      expected: { version: 2, mountPoint: '/sys/fs/cgroup' },
    },
    {
      name: 'version 2 elsewhere',
      mounts: 'cgroup /cg/memory cgroup rw,memory 0 0\ncgroup2 /cg/unified cgroup2 rw 0 0\n',
      memory: false,
      expected: { version: 2, mountPoint: '/cg/unified' },
    },
    {
      name: 'version 1 elsewhere',
      mounts: 'cgroup /cg/memory cgroup rw,memory 0 0\n',
      memory: false,
      expected: { version: 1, mountPoint: '/cg/memory' },
    },
    { name: 'none', mounts: 'proc /proc proc rw 0 0\n', memory: false, expected: undefined },
  ])('$name', ({ mounts, memory, expected }) => {
    expect(parseCgroupMount(mounts, memory)).toEqual(expected);
  });
});

it('lists the controllers of version 1 that are enabled', () => {
  const text = '#subsys_name\thierarchy\tnum_cgroups\tenabled\ncpuset\t1\t1\t1\nmemory\t0\t40\t0\npids\t3\t40\t1\n';
  expect(parseVersion1Controllers(text)).toEqual(['cpuset', 'pids']);
});
