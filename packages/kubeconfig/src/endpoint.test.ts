import { describe, expect, test } from 'vitest';
import { controlPlaneEndpointUrl, localEndpoint, parseHostPort } from './endpoint.ts';

const local = { advertiseAddress: '192.0.2.10', bindPort: 7443 };

describe('localEndpoint', () => {
  test.each([
    ['192.0.2.10', 6443, 'https://192.0.2.10:6443'],
    ['2001:DB8::10', 6443, 'https://[2001:db8::10]:6443'],
    ['010.0.0.1', 443, 'https://10.0.0.1:443'],
    ['::ffff:192.0.2.7', 6443, 'https://192.0.2.7:6443'],
  ])('%s %i → %s', (advertiseAddress, bindPort, url) => {
    expect(localEndpoint({ advertiseAddress, bindPort })).toBe(url);
  });

  test.each([
    ['node-a', 6443],
    ['', 6443],
    ['192.0.2.10', 0],
    ['192.0.2.10', 65_536],
    ['192.0.2.10', 1.5],
  ])('%s %d is refused', (advertiseAddress, bindPort) => {
    expect(() => localEndpoint({ advertiseAddress, bindPort })).toThrow(
      expect.objectContaining({ code: 'KUBECONFIG_ENDPOINT_INVALID', kind: 'usage' }),
    );
  });
});

describe('controlPlaneEndpointUrl', () => {
  test.each<[string, string | undefined, string]>([
    ['none', undefined, 'https://192.0.2.10:7443'],
    ['empty', '', 'https://192.0.2.10:7443'],
    ['name', 'api.example.com', 'https://api.example.com:7443'],
    ['name and port', 'api.example.com:8443', 'https://api.example.com:8443'],
    ['name and empty port', 'api.example.com:', 'https://api.example.com:7443'],
    ['IPv4', '192.0.2.99', 'https://192.0.2.99:7443'],
    ['IPv6 and port', '[2001:db8::5]:8443', 'https://[2001:db8::5]:8443'],
    ['IPv6 bare', '2001:db8::5', 'https://[2001:db8::5]:7443'],
    ['localhost and port', 'localhost:6443', 'https://localhost:6443'],
    ['the default port of https stays', 'api.example.com:443', 'https://api.example.com:443'],
  ])('%s', (_, endpoint, url) => {
    expect(controlPlaneEndpointUrl(endpoint, local)).toBe(url);
  });

  test.each([
    ['upper case', 'API.Example.COM'],
    ['brackets without port', '[2001:db8::5]'],
    ['URL', 'https://api.example.com:6443'],
    ['port 0', 'api.example.com:0'],
    ['port 65536', 'api.example.com:65536'],
    ['port with sign', 'api.example.com:+443'],
    ['port alone', ':6443'],
    ['underscore', 'api_x.example.com'],
    ['wildcard', '*.example.com:6443'],
    ['zone', 'fe80::1%eth0'],
    ['trailing dot', 'api.example.com.:6443'],
    ['path', 'api.example.com/x'],
    ['user', 'me@api.example.com'],
    ['name in brackets', '[api.example.com'],
    ['blank', 'api.example.com:6443 '],
  ])('%s is refused', (_, endpoint) => {
    expect(() => controlPlaneEndpointUrl(endpoint, local)).toThrow(
      expect.objectContaining({
        code: 'KUBECONFIG_ENDPOINT_INVALID',
        message: expect.stringContaining(`'${endpoint}'`),
      }),
    );
  });
});

test('parseHostPort keeps host and port as written', () => {
  expect(parseHostPort('[2001:DB8::5]:06443')).toEqual({ host: '2001:DB8::5', port: '06443' });
  expect(parseHostPort('api.example.com')).toEqual({ host: 'api.example.com', port: undefined });
});
