import { describe, expect, it } from 'vitest';
import { contains, isSystemDirectory, refusalToEmpty } from './system-directories.ts';

describe('isSystemDirectory', () => {
  it.each(['/', '//', '/etc', '/etc/', '/var', '/var/lib', '/usr', '/etc/ssl'])('refuses %s', (path) => {
    expect(isSystemDirectory(path)).toBe(true);
  });

  it.each(['/etc/kubernetes', '/etc/kubernetes/pki', '/var/lib/kubelet', '/var/lib/etcd', '/data', '/etcd'])(
    'has nothing against %s',
    (path) => {
      expect(isSystemDirectory(path)).toBe(false);
    },
  );
});

describe('contains', () => {
  it.each([
    { path: '/etc', expected: true },
    { path: '/etc/kubernetes', expected: true },
    { path: '/etc/kube', expected: false },
    { path: '/etc/kubernetes/pki', expected: false },
  ])('$path: $expected', ({ path, expected }) => {
    expect(contains(path, ['/etc/kubernetes'])).toBe(expected);
  });
});

describe('refusalToEmpty', () => {
  it.each([
    { path: '/var', reason: 'it is a directory of the system' },
    { path: '/etc/kubernetes', reason: '/etc/kubernetes/pki is in it' },
    { path: '/etc/kubernetes/pki', reason: 'other files of Kubernetes are in it' },
    { path: '/etc/kubernetes/pki/etcd', reason: undefined },
    { path: '/var/lib/etcd', reason: undefined },
  ])('$path: $reason', ({ path, reason }) => {
    expect(refusalToEmpty(path, ['/etc/kubernetes/pki', '/var/lib/kubelet'])).toBe(reason);
  });
});
