import { expect, test } from 'vitest';
import { usualFacts } from '../test/testdata.ts';
import { certificateRow } from './certificate-table.ts';
import { type CertificateFacts, subjectAlternativeNames } from './subject-alternative-names.ts';

const builtIn = [
  'kubernetes',
  'kubernetes.default',
  'kubernetes.default.svc',
  'kubernetes.default.svc.cluster.local',
  'node-a',
];

test.each<[string, Partial<CertificateFacts>, readonly string[], readonly string[]]>([
  ['defaults', {}, builtIn, ['10.96.0.1', '192.0.2.10']],
  [
    'an endpoint that is a name',
    { controlPlaneEndpointHost: 'lb.example.com' },
    [...builtIn.slice(0, 4), 'lb.example.com', 'node-a'],
    ['10.96.0.1', '192.0.2.10'],
  ],
  [
    'an endpoint that is an address',
    { controlPlaneEndpointHost: '2001:DB8::5' },
    builtIn,
    ['10.96.0.1', '192.0.2.10', '2001:db8::5'],
  ],
  [
    'only the first service range counts',
    { serviceSubnet: 'fd00:ab::/112,10.96.0.0/16' },
    builtIn,
    ['fd00:ab::1', '192.0.2.10'],
  ],
  ['no node name, no DNS domain', { nodeName: '', dnsDomain: '' }, builtIn.slice(0, 3), ['10.96.0.1', '192.0.2.10']],
  [
    'case, duplicates and order',
    {
      apiServerCertSANs: [
        'API.Example.COM',
        'api.example.com',
        '*.Example.com',
        'KUBERNETES',
        'node-a',
        '10.96.0.1',
        '192.0.2.10',
        'zz.example.com',
        'Aa.example.com',
      ],
    },
    ['*.example.com', 'aa.example.com', 'api.example.com', ...builtIn, 'zz.example.com'],
    ['10.96.0.1', '192.0.2.10'],
  ],
  [
    'spellings of one address',
    { apiServerCertSANs: ['2001:DB8:0:0:0:0:0:1', '2001:db8::1', '2001:0db8:0000::0001'] },
    builtIn,
    ['10.96.0.1', '192.0.2.10', '2001:db8::1'],
  ],
  [
    'IPv4-mapped addresses',
    { apiServerCertSANs: ['::FFFF:192.0.2.7', '192.0.2.7', '::ffff:c000:0207'] },
    builtIn,
    ['10.96.0.1', '192.0.2.10', '192.0.2.7'],
  ],
  ['leading zeros', { apiServerCertSANs: ['010.0.0.1', '10.0.0.1'] }, builtIn, ['10.96.0.1', '192.0.2.10', '10.0.0.1']],
  [
    'unspecified and loopback addresses',
    { apiServerCertSANs: ['0.0.0.0', '::', '::1', '127.0.0.1'] },
    builtIn,
    ['10.96.0.1', '192.0.2.10', '0.0.0.0', '::', '::1', '127.0.0.1'],
  ],
])('apiserver: %s', (_, facts, dnsNames, ipAddresses) => {
  expect(certificateRow('apiserver').sans({ ...usualFacts, ...facts })).toEqual({ dnsNames, ipAddresses });
});

test.each<['etcd-server' | 'etcd-peer', Partial<CertificateFacts>, readonly string[], readonly string[]]>([
  ['etcd-server', {}, ['localhost', 'node-a'], ['192.0.2.10', '127.0.0.1', '::1']],
  ['etcd-peer', {}, ['localhost', 'node-a'], ['192.0.2.10', '127.0.0.1', '::1']],
  [
    'etcd-server',
    { etcdServerCertSANs: ['e.example.com', '10.0.0.9'], etcdPeerCertSANs: ['p'] },
    ['e.example.com', 'localhost', 'node-a'],
    ['192.0.2.10', '127.0.0.1', '::1', '10.0.0.9'],
  ],
  [
    'etcd-peer',
    { etcdServerCertSANs: ['e'], etcdPeerCertSANs: ['p'] },
    ['localhost', 'node-a', 'p'],
    ['192.0.2.10', '127.0.0.1', '::1'],
  ],
  ['etcd-server', { advertiseAddress: '::1', nodeName: '' }, ['localhost'], ['::1', '127.0.0.1']],
])('%s %j', (name, facts, dnsNames, ipAddresses) => {
  expect(certificateRow(name).sans({ ...usualFacts, ...facts })).toEqual({ dnsNames, ipAddresses });
});

test.each([
  ['underscore', 'api_1.example.com'],
  ['letters of other scripts', 'bücher.example.com'],
  ['trailing dot', 'example.com.'],
  ['inner wildcard', 'a.*.example.com'],
  ['star alone', '*'],
  ['two stars', '**.example.com'],
  ['port', '192.0.2.1:6443'],
  ['brackets', '[2001:db8::1]'],
  ['zone', 'fe80::1%eth0'],
  ['empty', ''],
  ['blanks', ' api.example.com '],
  ['URL', 'https://api.example.com'],
  ['CIDR', '10.0.0.0/24'],
  ['leading dash', '-a.example.com'],
  ['254 characters', `${'a'.repeat(63)}.${'b'.repeat(63)}.${'c'.repeat(63)}.${'d'.repeat(62)}`],
])('refuses a name with %s', (_, name) => {
  expect(() => subjectAlternativeNames([name])).toThrow(
    expect.objectContaining({ code: 'PKI_NAME_INVALID', message: expect.stringContaining(`'${name}'`) }),
  );
});
