import { describe, expect, it } from 'vitest';
import { goUrlPath, goUrlScheme } from './go-url.ts';

/** Outcomes of Go's net/url.Parse. */
describe('goUrlScheme', () => {
  it.each([
    ['a socket', 'unix:///run/containerd/containerd.sock', 'unix'],
    ['upper case', 'UNIX:///run/x.sock', 'unix'],
    ['a URL in the authority', 'unix://tcp://127.0.0.1:1', 'unix'],
    ['a scheme that only starts alike', 'unixish:///x', 'unixish'],
    ['no slashes', 'etcd.example.com:2379', 'etcd.example.com'],
    ['a path', '/run/x.sock', ''],
    ['a name', 'etcd', ''],
    ['an empty port', 'https://e1:', 'https'],
    ['user information', 'https://a:b@e1:2379', 'https'],
    ['IPv6', 'https://[2001:db8::1]:2379/x?y#z', 'https'],
  ])('reads %s', (_name, text, scheme) => {
    expect(goUrlScheme(text)).toBe(scheme);
  });

  it.each([
    ['an address with a port', '192.0.2.1:2379'],
    ['a colon in front', '://x'],
    ['a control character', 'unix:///a\n'],
    ['a bad escape', 'https://e1/%zz'],
    ['a port that is no number', 'https://e1:x'],
    ['a blank in the host', 'https://e 1'],
    ['an open bracket', 'https://[2001:db8::1'],
  ])('refuses %s', (_name, text) => {
    expect(goUrlScheme(text)).toBeUndefined();
  });
});

describe('goUrlPath', () => {
  it.each([
    ['a file URL', 'file:///etc/a.conf', '/etc/a.conf'],
    ['a host', 'file://host/etc/a', '/etc/a'],
    ['one slash', 'file:/etc/a', '/etc/a'],
    ['escapes', 'file:///etc/a%20b%2Fc', '/etc/a b/c'],
    ['escapes that are no UTF-8', 'file:///etc/%ff', '/etc/%ff'],
    ['a query and a fragment', 'file:///etc/a?b#c', '/etc/a'],
    ['an opaque rest', 'file:etc/a', ''],
    ['a path', '/etc/a', '/etc/a'],
  ])('reads %s', (_name, text, path) => {
    expect(goUrlPath(text)).toBe(path);
  });
});
