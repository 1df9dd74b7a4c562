import { expect, test } from 'vitest';
import { findingsAbout } from './findings-about.ts';

const base = { code: 'X', severity: 'error', artifact: 'admin.conf' } as const;

test.each([
  ['See: kubectl config view --kubeconfig FILE', 'See: kubectl config view --kubeconfig /etc/a.conf'],
  [
    'openssl x509 -noout -text -in FILE; openssl asn1parse -in FILE',
    'openssl x509 -noout -text -in /etc/a.conf; openssl asn1parse -in /etc/a.conf',
  ],
  ['Bring it: groundplane certs import FILE', 'Bring it: groundplane certs import FILE'],
])('%s', (hint, told) => {
  expect(findingsAbout('/etc/a.conf', [{ ...base, message: 'no', hint }])).toEqual([
    { ...base, artifact: '/etc/a.conf', message: '/etc/a.conf: no', hint: told },
  ]);
});
