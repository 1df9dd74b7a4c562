import { expect, test } from 'vitest';
import { fileAccesses, filesInTrace } from './file-trace.ts';

const trace = `7 execve("/usr/bin/groundplane", ["groundplane"], 0x7ffd /* 5 vars */) = 0
7 openat(AT_FDCWD</root>, "/etc/kubernetes/pki/ca.crt", O_RDONLY|O_CLOEXEC) = 21</etc/kubernetes/pki/ca.crt>
8 statx(AT_FDCWD</root>, "/var/lib/etcd", AT_STATX_SYNC_AS_STAT, STATX_ALL, 0x7f) = -1 ENOENT (No such file or directory)
7 openat(AT_FDCWD</root>, "/etc/kubernetes/.admin.conf.tmp", O_WRONLY|O_CREAT|O_EXCL|O_CLOEXEC, 0600 <unfinished ...>
8 readlink("/etc/kubernetes/admin.conf", 0x7ffc, 4096) = -1 EINVAL (Invalid argument)
7 <... openat resumed>) = 22</etc/kubernetes/.admin.conf.tmp>
7 rename("/etc/kubernetes/.admin.conf.tmp", "/etc/kubernetes/admin.conf") = 0
7 unlinkat(23</var/lib/kubelet>, "old", 0) = 0
9 execve("/usr/bin/systemctl", ["systemctl", "show", "kubelet"], 0x7ffd /* 5 vars */) = 0
9 openat(AT_FDCWD</root>, "/var/lib/kubelet/config.yaml", O_RDONLY) = 3
+++ exited with 0 +++
`;

test('files that a program opened, looked at and changed, without those of programs that it started', () => {
  expect(fileAccesses(trace).map(({ deed, path }) => `${deed} ${path}`)).toEqual([
    'open /etc/kubernetes/pki/ca.crt',
    'look /var/lib/etcd',
    'change /etc/kubernetes/.admin.conf.tmp',
    'look /etc/kubernetes/admin.conf',
    'change /etc/kubernetes/.admin.conf.tmp',
    'change /etc/kubernetes/admin.conf',
    'change /var/lib/kubelet/old',
  ]);
});

test('files that a program and what it started opened or made, under their last names, and what is not there any more', () => {
  const lock = `9 openat(AT_FDCWD</>, "/run/lock.draft", O_WRONLY|O_CREAT|O_EXCL, 0600) = 5</run/lock.draft>
9 link("/run/lock.draft", "/run/lock") = 0
9 unlink("/run/lock.draft") = 0
9 unlink("/run/other") = 0
9 openat(AT_FDCWD</root>, "/etc/kubernetes/pki/ca.key", O_RDONLY) = -1 ENOENT (No such file or directory)
9 openat(AT_FDCWD</>, "/var/lib/kubelet/config.yaml", O_RDONLY) = 3</var/lib/kubelet/config.yaml>
`;
  const { opened, removed } = filesInTrace(trace + lock);
  expect([...opened].sort()).toEqual([
    '/etc/kubernetes/admin.conf',
    '/etc/kubernetes/pki/ca.crt',
    '/run/lock',
    '/run/lock.draft',
    '/var/lib/kubelet/config.yaml',
  ]);
  expect([...removed]).toEqual(['/run/lock.draft']);
});
