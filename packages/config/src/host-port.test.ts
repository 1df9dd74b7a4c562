import { describe, expect, it } from 'vitest';
import { isPort, parseHostPort } from './host-port.ts';

describe('parseHostPort', () => {
  it.each([
    ['a name', 'api.example.com', { host: 'api.example.com', port: '' }],
    ['a name with a port', 'api.example.com:443', { host: 'api.example.com', port: '443' }],
    ['a name with an empty port', 'api.example.com:', { host: 'api.example.com', port: '' }],
    ['IPv4', '192.0.2.1:6443', { host: '192.0.2.1', port: '6443' }],
    ['IPv6 with a port', '[2001:db8::1]:6443', { host: '2001:db8::1', port: '6443' }],
    ['bare IPv6', '2001:db8::1', { host: '2001:db8::1', port: '' }],
    ['localhost', 'localhost', { host: 'localhost', port: '' }],
  ])('reads %s', (_name, text, expected) => {
    expect(parseHostPort(text)).toEqual(expected);
  });

  it.each([
    ['upper case', 'API.example.com'],
    ['brackets without a port', '[2001:db8::1]'],
    ['a URL', 'https://api.example.com'],
    ['port 0', 'a:0'],
    ['port 65536', 'a:65536'],
    ['a signed port', 'a:+443'],
    ['a port alone', ':6443'],
    ['an underscore', 'my_api:6443'],
    ['a wildcard', '*.example.com'],
    ['a zone', '[fe80::1%eth0]:6443'],
    ['a trailing dot', 'api.example.com.'],
    ['a path', 'api.example.com/x'],
  ])('refuses %s', (_name, text) => {
    expect(parseHostPort(text)).toBeUndefined();
  });
});

it('knows ports', () => {
  expect(['1', '65535', '006443'].every(isPort)).toBe(true);
  expect(['0', '65536', '-1', '', '1.5', ' 1'].some(isPort)).toBe(false);
});
