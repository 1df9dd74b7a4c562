import { describe, expect, it } from 'vitest';
import { proxyFor } from './proxy-environment.ts';

// Expectations follow the tables of golang.org/x/net/http/httpproxy, proxy_test.go.

describe('which proxy', () => {
  it.each([
    { name: 'none', environment: {}, expected: undefined },
    { name: 'a URL', environment: { HTTPS_PROXY: 'https://proxy:3128' }, expected: 'https://proxy:3128' },
    { name: 'a host without scheme', environment: { HTTPS_PROXY: 'proxy:3128' }, expected: 'http://proxy:3128' },
    { name: 'lower case', environment: { https_proxy: 'http://proxy:3128' }, expected: 'http://proxy:3128' },
    {
      name: 'upper case first',
      environment: { https_proxy: 'http://b', HTTPS_PROXY: 'http://a' },
      expected: 'http://a',
    },
    { name: 'empty upper case', environment: { https_proxy: 'http://b', HTTPS_PROXY: '' }, expected: 'http://b' },
    { name: 'SOCKS', environment: { HTTPS_PROXY: 'socks5://proxy:1080' }, expected: 'socks5://proxy:1080' },
    { name: 'not that of HTTP', environment: { HTTP_PROXY: 'http://proxy:3128' }, expected: undefined },
  ])('$name', ({ environment, expected }) => {
    expect(proxyFor(new URL('https://api.example.com:6443'), environment)).toBe(expected);
  });
});

describe('exceptions', () => {
  it.each([
    { server: 'https://localhost:6443', noProxy: '', proxied: false },
    { server: 'https://127.0.0.1:6443', noProxy: '', proxied: false },
    { server: 'https://127.0.0.2:6443', noProxy: '', proxied: false },
    { server: 'https://[::1]:6443', noProxy: '', proxied: false },
    { server: 'https://[::2]:6443', noProxy: '', proxied: true },
    { server: 'https://192.168.1.1:6443', noProxy: '192.168.1.1', proxied: false },
    { server: 'https://192.168.1.2:6443', noProxy: '192.168.1.1', proxied: true },
    { server: 'https://192.168.1.1:6443', noProxy: '192.168.1.0/24', proxied: false },
    { server: 'https://192.168.2.1:6443', noProxy: '192.168.1.0/24', proxied: true },
    { server: 'https://192.168.1.1:6443', noProxy: '192.168.1.1:6443', proxied: false },
    { server: 'https://192.168.1.1:6443', noProxy: '192.168.1.1:443', proxied: true },
    { server: 'https://[2001:db8::52:0:1]:6443', noProxy: '2001:db8::/32', proxied: false },
    { server: 'https://[2001:db8::52:0:1]:6443', noProxy: '2001:db8:0::52:0:1', proxied: false },
    { server: 'https://[2001:db8::52:0:2]:6443', noProxy: '[2001:db8::52:0:2]:6443', proxied: false },
    { server: 'https://[2001:db8::52:0:2]:6443', noProxy: '[2001:db8::52:0:2]:443', proxied: true },
    { server: 'https://example.com', noProxy: 'example.com', proxied: false },
    { server: 'https://foo.example.com', noProxy: 'example.com', proxied: false },
    { server: 'https://foo.example.com', noProxy: '.example.com', proxied: false },
    { server: 'https://foo.example.com', noProxy: '*.example.com', proxied: false },
    { server: 'https://example.com', noProxy: '.example.com', proxied: true },
    { server: 'https://EXAMPLE.com', noProxy: 'Example.COM', proxied: false },
    { server: 'https://prelaunch.com', noProxy: 'launch.com', proxied: true },
    { server: 'https://example.com', noProxy: 'example.com:443', proxied: false },
    { server: 'https://example.com', noProxy: 'example.com:80', proxied: true },
    { server: 'https://example.com', noProxy: 'other.org, *', proxied: false },
    { server: 'https://example.com', noProxy: ' , ,', proxied: true },
  ])('$server with NO_PROXY=$noProxy: proxied $proxied', ({ server, noProxy, proxied }) => {
    const environment = { HTTPS_PROXY: 'http://proxy:3128', NO_PROXY: noProxy };
    expect(proxyFor(new URL(server), environment)).toBe(proxied ? 'http://proxy:3128' : undefined);
  });
});

describe('a proxy that cannot be used is refused, naming the variable and not the password in it', () => {
  it.each([
    { variable: 'HTTPS_PROXY', proxy: 'http://[proxy:3128', why: 'no URL' },
    { variable: 'https_proxy', proxy: 'http://user:secret@proxy:99999', why: 'no URL' },
    { variable: 'HTTPS_PROXY', proxy: 'http://user:secret@proxy:0', why: 'no URL' },
    { variable: 'HTTPS_PROXY', proxy: 'two words', why: 'no URL' },
    { variable: 'HTTPS_PROXY', proxy: 'ftp://user:secret@proxy:21', why: 'ftp' },
    { variable: 'https_proxy', proxy: 'socks4://proxy:1080', why: 'socks4' },
  ])('$variable=$proxy', ({ variable, proxy, why }) => {
    const ask = () => proxyFor(new URL('https://api.example.com:6443'), { [variable]: proxy });
    expect(ask).toThrow(expect.objectContaining({ code: 'CLUSTER_PROXY_INVALID', kind: 'usage' }));
    expect(ask).toThrow(expect.objectContaining({ message: expect.stringMatching(`${variable}.*${why}`) }));
    expect(ask).not.toThrow('secret');
  });
});
