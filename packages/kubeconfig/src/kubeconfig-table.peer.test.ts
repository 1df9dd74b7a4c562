import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  clientCertificateRequest,
  defaultValidityPeriods,
  describeCertificate,
  issueCertificate,
  validityOf,
} from '@groundplane/pki';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { currentContextOf } from './current-context.ts';
import { buildKubeconfig, parseKubeconfig, stringifyKubeconfig } from './kubeconfig.ts';
import { kubeconfigOf, kubeconfigTable, serverOf } from './kubeconfig-table.ts';
import { verifyKubeconfig } from './verify-kubeconfig.ts';

function kubeadm(...args: readonly string[]): string {
  const binary = process.env.GROUNDPLANE_KUBEADM;
  if (binary === undefined)
    throw new Error('Cannot compare with kubeadm as GROUNDPLANE_KUBEADM does not say where it is');
  return execFileSync(binary, args, { encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] });
}

describe.each([
  ['local endpoint', { clusterName: 'kubernetes', nodeName: 'node-a', advertiseAddress: '192.0.2.10', bindPort: 6443 }],
  [
    'shared endpoint, IPv6 and odd names',
    {
      clusterName: '1e3',
      nodeName: '0123',
      advertiseAddress: '2001:db8::10',
      bindPort: 7443,
      controlPlaneEndpoint: '[2001:DB8::5]:8443',
    },
  ],
  [
    'a name as endpoint',
    {
      clusterName: 'on',
      nodeName: 'a.b',
      advertiseAddress: '192.0.2.10',
      bindPort: 7443,
      controlPlaneEndpoint: 'lb.example.com',
    },
  ],
])('%s: the kubeconfigs of the real kubeadm', (_, facts) => {
  const folder = mkdtempSync(join(tmpdir(), 'kubeadm-'));
  const configuration = join(folder, 'config.yaml');
  const theirs = (path: string) => readFileSync(join(folder, path), 'utf8');

  beforeAll(() => {
    const {
      advertiseAddress,
      bindPort,
      nodeName: name,
      clusterName,
      controlPlaneEndpoint,
    } = { controlPlaneEndpoint: '', ...facts };
    const apiVersion = 'kubeadm.k8s.io/v1beta4';
    const documents = [
      {
        apiVersion,
        kind: 'InitConfiguration',
        localAPIEndpoint: { advertiseAddress, bindPort },
        nodeRegistration: { name, criSocket: 'unix:///run/none.sock' },
      },
      {
        apiVersion,
        kind: 'ClusterConfiguration',
        kubernetesVersion: 'v1.37.2',
        encryptionAlgorithm: 'ECDSA-P256',
        certificatesDir: join(folder, 'pki'),
        clusterName,
        controlPlaneEndpoint,
        networking: { serviceSubnet: advertiseAddress.includes(':') ? 'fd00:ab::/112' : '10.96.0.0/12' },
      },
    ];
    writeFileSync(configuration, documents.map((document) => JSON.stringify(document)).join('\n---\n'));
    kubeadm('init', 'phase', 'certs', 'ca', '--config', configuration);
    kubeadm('init', 'phase', 'kubeconfig', 'all', '--config', configuration, '--kubeconfig-dir', folder);
    kubeadm(
      'certs',
      'generate-csr',
      '--config',
      configuration,
      '--cert-dir',
      join(folder, 'csr'),
      '--kubeconfig-dir',
      join(folder, 'csr'),
    );
  });
  afterAll(() => rmSync(folder, { recursive: true }));

  test.each(kubeconfigTable.map((row) => [row.fileName, row] as const))(
    '%s: with the same credentials the text is the same',
    (fileName, row) => {
      const { clientCertificate, clientKey } = currentContextOf(parseKubeconfig(theirs(fileName)));
      if (clientCertificate === undefined || clientKey === undefined) throw new Error('nothing embedded');
      const client = { certificate: clientCertificate, key: clientKey };
      const ours = kubeconfigOf(row, facts, { certificateAuthority: theirs('pki/ca.crt'), client });
      expect(stringifyKubeconfig(ours)).toBe(theirs(fileName));
    },
  );

  test.each(kubeconfigTable.map((row) => [row.fileName, row] as const))(
    '%s: found good; the client certificate is like ours',
    async (fileName, row) => {
      const now = new Date();
      const subject = row.subject(facts);
      const certificateAuthority = theirs('pki/ca.crt');
      const findings = await verifyKubeconfig({
        artifact: fileName,
        kubeconfig: theirs(fileName),
        certificateAuthority,
        server: serverOf(row, facts),
        subject,
        subjectRole: row.subjectRole,
        now,
      });
      expect(findings).toEqual([]);
      const { notBefore } = await validityOf(certificateAuthority);
      const request = clientCertificateRequest(subject, {
        now,
        validityPeriods: defaultValidityPeriods,
        keyAlgorithm: 'ECDSA-P256',
        issuerNotBefore: notBefore,
        begin: 'issuer',
      });
      const ours = await issueCertificate(request, {
        issuer: { certificate: certificateAuthority, key: theirs('pki/ca.key') },
      });
      const stable = async (pem: string) => {
        const { serialNumber, fingerprint, notAfter, ...rest } = await describeCertificate(pem);
        return rest;
      };
      const { clientCertificate = '' } = currentContextOf(parseKubeconfig(theirs(fileName)));
      expect(await stable(ours.certificate)).toEqual(await stable(clientCertificate));
    },
  );

  test.each(kubeconfigTable.map((row) => [row.fileName, row] as const))(
    '%s of generate-csr: the text is the same',
    (fileName, row) => {
      const text = theirs(`csr/${fileName}`);
      const { clientKey } = currentContextOf(parseKubeconfig(text));
      const ours = buildKubeconfig({
        clusterName: facts.clusterName,
        // kubeadm gives the kubelet the shared endpoint here, and the local one in `init`.
        server: row.name === 'kubelet' ? serverOf({ ...row, server: 'control-plane' }, facts) : serverOf(row, facts),
        user: row.subject(facts).commonName,
        clientKey,
      });
      expect(stringifyKubeconfig(ours)).toBe(text);
    },
  );
});
