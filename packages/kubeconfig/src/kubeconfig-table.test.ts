import { expect, test } from 'vitest';
import { testdata } from '../test/testdata.ts';
import { currentContextOf } from './current-context.ts';
import { kubeconfigOf, kubeconfigTable, serverOf } from './kubeconfig-table.ts';

const facts = { clusterName: 'kubernetes', nodeName: 'node-a', advertiseAddress: '192.0.2.10', bindPort: 6443 };

test('the five files in phase order: file, user, groups, server', () => {
  const withEndpoint = { ...facts, controlPlaneEndpoint: 'lb.example.com:8443' };
  const rows = kubeconfigTable.map((row) => {
    const { commonName, organizations } = row.subject(facts);
    return [row.fileName, commonName, organizations.join('+'), serverOf(row, withEndpoint)];
  });
  expect(rows).toEqual([
    ['admin.conf', 'kubernetes-admin', 'kubeadm:cluster-admins', 'https://lb.example.com:8443'],
    ['super-admin.conf', 'kubernetes-super-admin', 'system:masters', 'https://lb.example.com:8443'],
    ['kubelet.conf', 'system:node:node-a', 'system:nodes', 'https://192.0.2.10:6443'],
    ['controller-manager.conf', 'system:kube-controller-manager', '', 'https://192.0.2.10:6443'],
    ['scheduler.conf', 'system:kube-scheduler', '', 'https://192.0.2.10:6443'],
  ]);
});

test('without a shared endpoint all point to the node', () => {
  for (const row of kubeconfigTable) expect(serverOf(row, facts)).toBe('https://192.0.2.10:6443');
});

test('of a CA bundle the first certificate is embedded', () => {
  for (const row of kubeconfigTable) {
    const client = { certificate: testdata('leaf-of-root.crt'), key: testdata('p256-sec1.key') };
    const certificateAuthority = `# company\n${testdata('issuing.crt')}${testdata('root.crt')}`;
    const current = currentContextOf(kubeconfigOf(row, facts, { certificateAuthority, client }));
    expect(current).toMatchObject({
      name: `${row.subject(facts).commonName}@kubernetes`,
      certificateAuthority: testdata('issuing.crt'),
      clientCertificate: client.certificate,
      clientKey: client.key,
    });
  }
});
