import { describe, expect, it } from 'vitest';
import { httpsProxyForHost } from './proxy-for-host.ts';

const proxy = 'http://proxy:3128';
const environment = (noProxy: string, name = 'NO_PROXY') => [
  { name: 'HTTPS_PROXY', value: proxy },
  { name, value: noProxy },
];

describe('httpsProxyForHost', () => {
  it.each([
    ['no exception', '', '192.0.2.10', proxy],
    ['a CIDR', '10.0.0.0/8,192.0.2.0/24', '192.0.2.10', undefined],
    ['a CIDR of others', '10.0.0.0/8', '192.0.2.10', proxy],
    ['an IPv6 CIDR', 'fd00::/8', 'fd00::1', undefined],
    ['the address', '192.0.2.10', '192.0.2.10', undefined],
    ['the address in another spelling', '2001:DB8:0::1', '2001:db8::1', undefined],
    ['the address with this port', '192.0.2.10:443', '192.0.2.10', undefined],
    ['the address with another port', '192.0.2.10:80', '192.0.2.10', proxy],
    ['everything', '*', '192.0.2.10', undefined],
    ['loopback', '', '127.0.0.1', undefined],
    ['localhost', '', 'localhost', undefined],
    ['the name', 'api.example.com', 'api.example.com', undefined],
    ['its domain', 'example.com', 'api.example.com', undefined],
    ['its domain with a dot', '.example.com', 'api.example.com', undefined],
    ['its domain with a star', '*.example.com', 'api.example.com', undefined],
    ['the domain with a dot, itself', '.example.com', 'example.com', proxy],
    ['a name that only ends alike', 'ple.com', 'example.com', proxy],
    ['blanks around', ' example.com , x', 'example.com', undefined],
  ])('%s', (_name, noProxy, host, expected) => {
    expect(httpsProxyForHost(environment(noProxy), host)).toBe(expected);
  });

  it('prefers upper case, takes lower case, and ignores HTTP_PROXY', () => {
    expect(httpsProxyForHost([{ name: 'https_proxy', value: 'lower:1' }], '192.0.2.1')).toBe('http://lower:1');
    expect(
      httpsProxyForHost(
        [
          { name: 'https_proxy', value: 'lower:1' },
          { name: 'HTTPS_PROXY', value: 'upper:1' },
        ],
        '192.0.2.1',
      ),
    ).toBe('http://upper:1');
    expect(httpsProxyForHost([{ name: 'HTTP_PROXY', value: proxy }], '192.0.2.1')).toBeUndefined();
    expect(httpsProxyForHost(environment('192.0.2.1', 'no_proxy'), '192.0.2.1')).toBeUndefined();
  });

  it('shows no password', () => {
    const shown = httpsProxyForHost([{ name: 'HTTPS_PROXY', value: 'http://user:secret@proxy:3128/' }], '192.0.2.1');
    expect(shown).toBe('http://proxy:3128/');
  });
});
