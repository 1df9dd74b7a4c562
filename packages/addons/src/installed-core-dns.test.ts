import type { ConfigMap, Deployment, Service } from '@groundplane/manifest';
import { describe, expect, it } from 'vitest';
import { coreDns } from './core-dns.ts';
import { defaultCorefile } from './default-corefile.ts';
import { coreDnsConflicts, decideCorefile } from './installed-core-dns.ts';

const clusterIP = '10.96.0.10';
const { deployment } = coreDns({ image: 'registry.k8s.io/coredns/coredns:v1.14.6', dnsDomain: 'a', clusterIP });
const named = (name: string): Deployment => ({ ...deployment, metadata: { ...deployment.metadata, name } });

function service(place: string, spec: Service['spec']): Service {
  const [namespace = '', name = ''] = place.split('/');
  return { apiVersion: 'v1', kind: 'Service', metadata: { namespace, name }, spec };
}

const kubernetes = service('default/kubernetes', { clusterIP: '10.96.0.1', clusterIPs: ['10.96.0.1'] });
const conflictRows = [
  { what: 'a new cluster', deployments: [], services: [kubernetes], codes: [] },
  {
    what: 'our own objects',
    deployments: [deployment],
    services: [kubernetes, service('kube-system/kube-dns', { clusterIP, clusterIPs: [clusterIP] })],
    codes: [],
  },
  { what: 'two DNS Deployments', deployments: [deployment, named('kube-dns')], services: [], codes: ['DNS_OTHER'] },
  { what: 'a DNS Deployment of another name', deployments: [named('x')], services: [], codes: ['DNS_OTHER'] },
  {
    what: 'kube-dns elsewhere',
    deployments: [],
    services: [service('kube-system/kube-dns', { clusterIP: '10.96.0.53', clusterIPs: ['10.96.0.53', 'fd00::35'] })],
    codes: ['DNS_SERVICE_ADDRESS'],
  },
  {
    what: 'kube-dns without an address',
    deployments: [],
    services: [service('kube-system/kube-dns', {})],
    codes: ['DNS_SERVICE_ADDRESS'],
  },
  {
    what: 'the address taken',
    deployments: [],
    services: [service('shop/web', { clusterIP }), service('default/kube-dns', { clusterIP: '10.96.3.4' })],
    codes: ['DNS_ADDRESS_TAKEN'],
  },
  {
    what: 'the address taken as a second one',
    deployments: [],
    services: [service('shop/web', { clusterIP: 'fd00::7', clusterIPs: ['fd00::7', clusterIP] })],
    codes: ['DNS_ADDRESS_TAKEN'],
  },
] as const;

describe('coreDnsConflicts()', () => {
  it.each(conflictRows)('finds in $what: $codes', ({ deployments, services, codes }) => {
    const findings = coreDnsConflicts({ deployments, services }, clusterIP);
    expect(findings.map(({ code }) => code)).toEqual(codes.map((code) => `ADDONS_${code}`));
    for (const { severity, hint } of findings)
      expect({ severity, hint }).toEqual({ severity: 'error', hint: hint ?? '' });
  });

  it('names the Service that has the address', () => {
    const [finding] = coreDnsConflicts({ deployments: [], services: [service('shop/web', { clusterIP })] }, clusterIP);
    expect(finding).toMatchObject({
      artifact: 'Service shop/web',
      message: 'Cannot give the cluster DNS its address as the Service shop/web has it: 10.96.0.10',
      hint: expect.stringContaining('kubectl -n shop delete service web'),
    });
  });
});

const wanted = 'registry.example.com/coredns:v1.14.6';
const own = '.:53 {\n    forward . 192.0.2.53\n}\n';
const withCorefile = (text: string): ConfigMap => ({
  ...{ apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'coredns' }, data: { Corefile: text } },
});

describe('decideCorefile()', () => {
  it.each([
    ['no ConfigMap', undefined],
    ['a ConfigMap without data', { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'coredns' } } as const],
    ['an empty Corefile', withCorefile(' \n')],
    ['the default of another domain', withCorefile(defaultCorefile('example'))],
  ])('lets the default be written over %s', (_, configMap) => {
    expect(decideCorefile({ configMap, image: 'coredns:1.3.1' }, wanted)).toEqual({
      kept: undefined,
      updatesDeployment: true,
      findings: [],
    });
  });

  it.each([
    ['no CoreDNS', undefined, true],
    ['the same version', 'k8s.gcr.io/coredns:v1.14.6', true],
    ['the first version from which on Corefiles stay good', 'coredns/coredns:1.8.0', true],
    ['a version of somebody', 'localhost:5000/coredns:v1.12.0-own.1', true],
    ['a version with a digest', 'registry.k8s.io/coredns/coredns:v1.12.1@sha256:0123', true],
    ['an old version', 'k8s.gcr.io/coredns:1.7.1', false],
    ['a newer version', 'coredns/coredns:v1.15.0', false],
    ['a version that cannot be told', 'coredns/coredns:latest', false],
    ['no version', 'localhost:5000/coredns', false],
  ])('keeps a changed Corefile beside %s, and updates CoreDNS where it may: %s', (_, image, updates) => {
    const { kept, updatesDeployment, findings } = decideCorefile({ configMap: withCorefile(own), image }, wanted);
    expect({ kept, updatesDeployment }).toEqual({ kept: own, updatesDeployment: updates });
    expect(findings.map(({ code, severity }) => `${severity} ${code}`)).toEqual([
      'warning ADDONS_COREFILE_KEPT',
      ...(updates ? [] : ['warning ADDONS_COREDNS_KEPT']),
    ]);
  });

  it('takes a version that cannot be told for itself', () => {
    const image = 'example.com/coredns:own';
    expect(decideCorefile({ configMap: withCorefile(own), image }, image).updatesDeployment).toBe(true);
  });

  it('keeps the Corefile and the CoreDNS of a user whose options a later version refuses', () => {
    const corefile = `.:53 {
    errors
    upstream 192.0.2.53
    kubernetes cluster.local in-addr.arpa ip6.arpa {
        pods insecure
        upstream
    }
    proxy . /etc/resolv.conf
}
`;
    const decision = decideCorefile({ configMap: withCorefile(corefile), image: 'k8s.gcr.io/coredns:v1.3.1' }, wanted);
    expect(decision).toMatchObject({ kept: corefile, updatesDeployment: false });
  });
});
