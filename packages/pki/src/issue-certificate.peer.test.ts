import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { kubeadm, kubeadmFolder } from '../test/kubeadm.ts';
import { openssl, usualFacts } from '../test/testdata.ts';
import { backdating, certificateRequest, defaultValidityPeriods } from './certificate-request.ts';
import { certificateRow, certificateTable } from './certificate-table.ts';
import { validityOf } from './describe-certificate.ts';
import { issueCertificate } from './issue-certificate.ts';
import type { KeyAlgorithm } from './key-algorithm.ts';
import { parsePem } from './pem.ts';
import { generatePrivateKey, publicKeyOf } from './private-key.ts';
import { localSigner } from './signer.ts';
import { createSigningRequest } from './signing-request.ts';
import { expectationOf, verifyCertificate } from './verify-certificate.ts';

/**
 * Every element of a certificate or signing request with its length and contents. Left out is what is random: the
 * serial number, the signature, and the lengths of what surrounds them.
 */
function structure(pem: string, kind: 'certificate' | 'request'): readonly string[] {
  const lines = openssl(['asn1parse'], pem).trim().split('\n');
  const elements = lines.map((line) => line.replace(/^ *\d+:(d=\d+) +hl=\d+ l= *(\d+)/, '$1 l=$2'));
  const serial = kind === 'certificate' ? elements.findIndex((line) => /^d=2 l=\d+ +prim: +INTEGER/.test(line)) : -1;
  return elements.filter((line, index) => index !== serial && !/^d=[01] /.test(line));
}

describe.each<KeyAlgorithm>(['RSA-2048', 'ECDSA-P256', 'ECDSA-P384'])(
  '%s: the certificates of the real kubeadm',
  (keyAlgorithm) => {
    const facts = {
      ...usualFacts,
      controlPlaneEndpointHost: 'lb.example.com',
      serviceSubnet: 'fd00:ab::/112,10.96.0.0/16',
      apiServerCertSANs: ['extra.example.com', '*.example.org', '2001:db8::7', '::ffff:192.0.2.99'],
      etcdServerCertSANs: ['etcd.example.com'],
      etcdPeerCertSANs: ['192.0.2.77'],
    };
    const real = kubeadmFolder({
      encryptionAlgorithm: keyAlgorithm,
      controlPlaneEndpoint: 'lb.example.com:8443',
      networking: { serviceSubnet: facts.serviceSubnet, podSubnet: 'fd01::/48,10.244.0.0/16' },
      apiServer: { certSANs: facts.apiServerCertSANs },
      etcd: { local: { serverCertSANs: facts.etcdServerCertSANs, peerCertSANs: facts.etcdPeerCertSANs } },
    });
    const pair = (baseName: string) => ({
      certificate: real.read(`pki/${baseName}.crt`),
      key: real.read(`pki/${baseName}.key`),
    });
    const options = { validityPeriods: defaultValidityPeriods, keyAlgorithm };

    beforeAll(() => {
      kubeadm('init', 'phase', 'certs', 'all', '--config', real.configuration);
      kubeadm(
        'certs',
        'generate-csr',
        '--config',
        real.configuration,
        '--cert-dir',
        join(real.folder, 'csr'),
        '--kubeconfig-dir',
        join(real.folder, 'csr'),
      );
    });
    afterAll(() => rmSync(real.folder, { recursive: true }));

    test.each(certificateTable.map((row) => [row.name, row] as const))(
      '%s: issued again with the same keys and times, it is the same to the byte',
      async (_, row) => {
        const theirs = pair(row.baseName);
        const { notBefore } = await validityOf(theirs.certificate);
        const request = certificateRequest(row, facts, { ...options, now: new Date(notBefore.getTime() + backdating) });
        const issuer = row.issuer === 'self' ? row.issuer : pair(certificateRow(row.issuer).baseName);
        const ours = await issueCertificate(request, { issuer, key: theirs.key });
        const expected = structure(theirs.certificate, 'certificate');
        expect(expected.length).toBeGreaterThan(25);
        expect(structure(ours.certificate, 'certificate')).toEqual(expected);
      },
    );

    test('all of them are found good', async () => {
      const now = new Date();
      for (const row of certificateTable) {
        const issuerCertificates =
          row.issuer === 'self' ? undefined : pair(certificateRow(row.issuer).baseName).certificate;
        const expected = expectationOf(row, facts);
        expect(
          await verifyCertificate({ artifact: row.name, ...pair(row.baseName), issuerCertificates, expected, now }),
        ).toEqual([]);
      }
    });

    test('sa.pub is the public key of sa.key in the same text form', async () => {
      expect(await publicKeyOf(real.read('pki/sa.key'))).toBe(real.read('pki/sa.pub'));
    });

    test('new keys have the PEM type and the structure of theirs', async () => {
      const shape = (pem: string) =>
        openssl(['asn1parse'], pem)
          .replace(/ l= *\d+| hl=\d+|:[0-9A-F]{20,}|^ *\d+:/gm, '')
          .replace(/\[HEX DUMP\].*/g, '');
      const [ours, theirs] = [await generatePrivateKey(keyAlgorithm), real.read('pki/apiserver.key')];
      expect(parsePem(ours).map(({ label }) => label)).toEqual(parsePem(theirs).map(({ label }) => label));
      expect(shape(ours)).toBe(shape(theirs));
    });

    test.each(certificateTable.filter(({ issuer }) => issuer !== 'self').map((row) => [row.name, row] as const))(
      '%s: the signing request for the same key is the same',
      async (_, row) => {
        // kubeadm asks for names alone.
        const { subject, sans } = certificateRequest(row, facts, { ...options, now: new Date() });
        const ours = await createSigningRequest({ subject, sans }, real.read(`csr/${row.baseName}.key`));
        expect(structure(ours, 'request')).toEqual(structure(real.read(`csr/${row.baseName}.csr`), 'request'));
      },
    );
  },
);

test('kubeadm takes our certificates for its own and adds nothing but the service-account keys', async () => {
  const real = kubeadmFolder({ encryptionAlgorithm: 'ECDSA-P256' });
  const options = { now: new Date(), validityPeriods: defaultValidityPeriods, keyAlgorithm: 'ECDSA-P256' } as const;
  const tasks = certificateTable.map((row) => ({
    name: row.name,
    issuer: row.issuer,
    request: certificateRequest(row, usualFacts, options),
  }));
  const issued = await localSigner()(tasks);
  for (const [index, { baseName }] of certificateTable.entries()) {
    const path = join(real.certificatesDir, baseName);
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(`${path}.key`, issued[index]?.key ?? '');
    writeFileSync(`${path}.crt`, issued[index]?.certificate ?? '');
  }
  const output = kubeadm('init', 'phase', 'certs', 'all', '--config', real.configuration);
  for (const { baseName, issuer } of certificateTable) {
    expect(output).toContain(
      `[certs] Using existing ${baseName} ${issuer === 'self' ? 'certificate authority' : 'certificate and key on disk'}`,
    );
  }
  expect(output.match(/Generating/g)).toHaveLength(1);
  expect(certificateTable.map(({ baseName }) => real.read(`pki/${baseName}.crt`))).toEqual(
    issued.map(({ certificate }) => certificate),
  );
  rmSync(real.folder, { recursive: true });
});
