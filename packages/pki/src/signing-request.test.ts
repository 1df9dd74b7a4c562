import { describe, expect, test } from 'vitest';
import { openssl, testdata, testdataPath, usualFacts } from '../test/testdata.ts';
import { certificateRow } from './certificate-table.ts';
import { publicKeyOf } from './private-key.ts';
import { createSigningRequest, readSigningRequest } from './signing-request.ts';

const apiserver = {
  subject: { commonName: 'kube-apiserver', organizations: [] },
  sans: certificateRow('apiserver').sans(usualFacts),
};
const admin = {
  subject: { commonName: 'kubernetes-admin', organizations: ['kubeadm:cluster-admins'] },
  sans: { dnsNames: [], ipAddresses: [] },
};

const print = (pem: string) =>
  openssl(['req', '-noout', '-text', '-reqopt', 'no_pubkey,no_sigdump', '-nameopt', 'RFC2253'], pem);

describe.each(['rsa-pkcs1.key', 'p256-sec1.key', 'p384-pkcs8.key'])('with %s', (name) => {
  test('openssl reads subject and names, no usages, and verifies the signature', async () => {
    const pem = await createSigningRequest(apiserver, testdata(name));
    expect(openssl(['req', '-noout', '-verify', '-pubkey'], pem)).toBe(await publicKeyOf(testdata(name)));
    expect(print(pem)).toBe(`Certificate Request:
    Data:
        Version: 1 (0x0)
        Subject: CN=kube-apiserver
        Attributes:
            Requested Extensions:
                X509v3 Subject Alternative Name: 
                    DNS:kubernetes, DNS:kubernetes.default, DNS:kubernetes.default.svc, DNS:kubernetes.default.svc.cluster.local, DNS:node-a, IP Address:10.96.0.1, IP Address:192.0.2.10
`);
  });

  test('readSigningRequest undoes it', async () => {
    for (const request of [apiserver, admin]) {
      const pem = await createSigningRequest(request, testdata(name));
      expect(await readSigningRequest(`text\n${pem}text\n`)).toEqual({
        ...request,
        publicKey: await publicKeyOf(testdata(name)),
        pem,
        besides: [],
      });
    }
  });
});

test('without names there is no request for extensions', async () => {
  const text = print(await createSigningRequest(admin, testdata('p256-sec1.key')));
  expect(text).toContain('Subject: CN=kubernetes-admin,O=kubeadm:cluster-admins');
  expect(text).toContain('(none)');
  expect(text).not.toContain('X509v3');
});

test('reads a request that openssl made', async () => {
  const pem = openssl([
    'req',
    '-new',
    '-key',
    testdataPath('p256-sec1.key'),
    '-subj',
    '/O=system:nodes/CN=system:node:b',
    '-addext',
    'subjectAltName=DNS:b,IP:2001:db8::2',
  ]);
  expect(await readSigningRequest(pem)).toMatchObject({
    subject: { commonName: 'system:node:b', organizations: ['system:nodes'] },
    sans: { dnsNames: ['b'], ipAddresses: ['2001:db8::2'] },
  });
});

test.each([
  ['/OU=somewhere/O=system:nodes/CN=system:node:b', [], ['attribute 2.5.4.11 of the subject']],
  ['/CN=system:node:a/O=system:nodes/CN=system:node:b', [], ["several common names 'system:node:a', 'system:node:b'"]],
  [
    '/O=system:nodes/CN=system:node:b',
    ['-addext', 'subjectAltName=email:me@example.com,URI:spiffe://b,RID:1.2.3,DNS:b,IP:192.0.2.1'],
    ["e-mail address 'me@example.com'", "URI 'spiffe://b'", "registered ID '1.2.3'"],
  ],
  ['/CN=b', ['-addext', 'subjectAltName=otherName:1.2.3.4;UTF8:x'], ['name of another kind']],
  ['/CN=b', ['-addext', 'basicConstraints=critical,CA:TRUE'], ['to be a CA']],
  ['/CN=b', ['-addext', 'basicConstraints=CA:FALSE', '-addext', 'keyUsage=digitalSignature'], []],
])('names what else a request asks for: %s %j', async (subject, extensions, besides) => {
  const pem = openssl(['req', '-new', '-key', testdataPath('p256-sec1.key'), '-subj', subject, ...extensions]);
  expect(await readSigningRequest(pem)).toMatchObject({ besides });
});

test.each([
  ['a certificate', () => testdata('root.crt')],
  ['nothing', () => ''],
  [
    'a forged subject',
    async () => {
      const pem = await createSigningRequest(admin, testdata('p256-sec1.key'));
      const der = Buffer.from(pem.replace(/-----[^-]*-----|\s/g, ''), 'base64');
      const forged = Buffer.from(der.toString('latin1').replace('kubernetes-admin', 'kubernetes-adm1n'), 'latin1');
      return `-----BEGIN CERTIFICATE REQUEST-----\n${forged.toString('base64')}\n-----END CERTIFICATE REQUEST-----\n`;
    },
  ],
])('refuses %s', async (_, text) => {
  await expect(readSigningRequest(await text())).rejects.toMatchObject({ code: 'PKI_SIGNING_REQUEST_UNREADABLE' });
});
