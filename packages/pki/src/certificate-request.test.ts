import { describe, expect, test } from 'vitest';
import { usualFacts } from '../test/testdata.ts';
import { certificateRequest, clientCertificateRequest, defaultValidityPeriods } from './certificate-request.ts';
import { certificateTable } from './certificate-table.ts';

const now = new Date('2026-12-01T12:00:00Z');
const options = { now, validityPeriods: defaultValidityPeriods, keyAlgorithm: 'RSA-2048' } as const;

test('the ten certificates in phase order: name, base name, issuer, common name, usages', () => {
  const rows = certificateTable.map((row) => {
    const { subject, extendedKeyUsages, isCA } = certificateRequest(row, usualFacts, options);
    expect(subject.organizations).toEqual([]);
    return [row.name, row.baseName, row.issuer, subject.commonName, isCA ? 'CA' : extendedKeyUsages.join('+')].join(
      ' ',
    );
  });
  expect(rows).toEqual([
    'ca ca self kubernetes CA',
    'apiserver apiserver ca kube-apiserver serverAuth',
    'apiserver-kubelet-client apiserver-kubelet-client ca kube-apiserver-kubelet-client clientAuth',
    'front-proxy-ca front-proxy-ca self front-proxy-ca CA',
    'front-proxy-client front-proxy-client front-proxy-ca front-proxy-client clientAuth',
    'etcd-ca etcd/ca self etcd-ca CA',
    'etcd-server etcd/server etcd-ca node-a serverAuth+clientAuth',
    'etcd-peer etcd/peer etcd-ca node-a serverAuth+clientAuth',
    'etcd-healthcheck-client etcd/healthcheck-client etcd-ca kube-etcd-healthcheck-client clientAuth',
    'apiserver-etcd-client apiserver-etcd-client etcd-ca kube-apiserver-etcd-client clientAuth',
  ]);
});

test('validity: five minutes back, one year for leaves, ten years for CAs', () => {
  for (const row of certificateTable) {
    const { notBefore, notAfter } = certificateRequest(row, usualFacts, options);
    expect(notBefore.toISOString()).toBe('2026-12-01T11:55:00.000Z');
    expect(notAfter.toISOString()).toBe(
      row.issuer === 'self' ? '2036-11-28T12:00:00.000Z' : '2027-12-01T12:00:00.000Z',
    );
  }
});

test('requests are plain data', () => {
  const [ca] = certificateTable;
  if (ca === undefined) throw new Error('empty table');
  const request = certificateRequest(ca, usualFacts, options);
  expect(structuredClone(request)).toEqual(request);
});

describe('client certificates begin', () => {
  const subject = { commonName: 'kubernetes-admin', organizations: ['kubeadm:cluster-admins'] };
  test.each<[string, string | undefined, 'now' | 'issuer' | undefined, string]>([
    ['five minutes ago', undefined, undefined, '2026-12-01T11:55:00.000Z'],
    ['five minutes ago under an old CA', '2020-01-01T00:00:00Z', 'now', '2026-12-01T11:55:00.000Z'],
    ['not before a CA of the future', '2048-01-01T00:00:00Z', undefined, '2048-01-01T00:00:00.000Z'],
    ['with an old CA, as kubeadm has it', '2020-01-01T00:00:00Z', 'issuer', '2020-01-01T00:00:00.000Z'],
  ])('%s', (_, issuer, begin, expected) => {
    const issuerNotBefore = issuer === undefined ? undefined : new Date(issuer);
    const request = clientCertificateRequest(subject, { ...options, issuerNotBefore, begin });
    expect(request.notBefore.toISOString()).toBe(expected);
    expect(request).toMatchObject({ subject, extendedKeyUsages: ['clientAuth'], isCA: false });
  });

  test('beginning with an issuer that is not given is a mistake of the caller', () => {
    expect(() => clientCertificateRequest(subject, { ...options, begin: 'issuer' })).toThrow(TypeError);
  });
});
