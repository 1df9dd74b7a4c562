import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { describeBootstrap, describedInit } from './describe-bootstrap.ts';
import { externalEtcdFindings } from './external-etcd-findings.ts';

const pem = (name: string) => readFileSync(new URL(`../../pki/testdata/${name}`, import.meta.url), 'utf8');
const configText = `apiVersion: kubeadm.k8s.io/v1beta4
kind: ClusterConfiguration
kubernetesVersion: v1.37.2
etcd:
  external:
    endpoints: [https://192.0.2.30:2379]
    caFile: /srv/etcd/ca.crt
    certFile: /srv/etcd/client.crt
    keyFile: /srv/etcd/client.key
`;
const whole = { caFile: pem('root.crt'), certFile: pem('issuing.crt'), keyFile: pem('issuing.key') };
const now = new Date('2026-03-01T00:00:00Z');

test.each([
  ['all that is needed', {}, []],
  ['no key', { keyFile: undefined }, ['/srv/etcd/client.key as there is no such file']],
  ['another key', { keyFile: pem('root.key') }, ['/srv/etcd/client.key as it is not the key of the certificate']],
  ['what is no certificate', { certFile: 'garbage' }, ['/srv/etcd/client.crt as']],
  ['a CA that has expired', { caFile: pem('ca-expired.crt') }, ['/srv/etcd/ca.crt as its certificate has expired']],
])('%s', async (_, change, expected) => {
  const findings = await externalEtcdFindings(await describedInit({ configText }), { ...whole, ...change }, now);
  expect(new Set(findings.map(({ code, severity }) => `${code} ${severity}`))).toEqual(
    new Set(expected.length === 0 ? [] : ['BOOTSTRAP_EXTERNAL_ETCD_UNFIT warning']),
  );
  for (const text of expected) expect(findings.map(({ message }) => message).join('\n')).toContain(text);
});

test('an etcd of our own has no such files', async () => {
  expect(await externalEtcdFindings(await describedInit(), {}, now)).toEqual([]);
});

test('the description names what the API server reads, and what is asked of it', async () => {
  const { phases } = await describeBootstrap({ configText });
  const phase = phases.find((one) => one.phase === 'control-plane/apiserver');
  const places = phase?.reads.map(({ location }) => (location.kind === 'file' ? location.path : ''));
  expect(places).toEqual(expect.arrayContaining(['/srv/etcd/ca.crt', '/srv/etcd/client.crt', '/srv/etcd/client.key']));
  expect(phase?.conditions).toContainEqual(
    expect.objectContaining({
      code: 'BOOTSTRAP_EXTERNAL_ETCD_UNFIT',
      text: expect.stringContaining('/srv/etcd/client.key'),
    }),
  );
  const other = await describeBootstrap();
  expect(other.phases.find((one) => one.phase === 'control-plane/apiserver')?.conditions ?? []).toEqual([]);
});
