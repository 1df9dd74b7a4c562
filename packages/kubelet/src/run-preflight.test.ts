import { isGroundplaneError } from '@groundplane/errors';
import { describe, expect, it } from 'vitest';
import { goodFacts, sampleConfiguration } from '../test/sample-node.ts';
import { imagePullChecks, initPreflightChecks } from './preflight-checks.ts';
import type { PreflightConfiguration } from './preflight-configuration.ts';
import type { PreflightFacts } from './preflight-facts.ts';
import { type PreflightOptions, preflightNames, requiredFacts, runPreflight } from './run-preflight.ts';

function outcome(
  facts: Partial<PreflightFacts>,
  change: Partial<PreflightConfiguration> = {},
  options: PreflightOptions = {},
): readonly string[] {
  const configuration = { ...sampleConfiguration, ...change };
  const findings = runPreflight(initPreflightChecks, configuration, { ...goodFacts(configuration), ...facts }, options);
  return findings.map(({ severity, artifact }) => `${severity} ${artifact}`);
}

const good = goodFacts();
const port = (key: string) => ({ ports: { ...good.ports, [key]: false } });
const file = (path: string) => ({ files: { ...good.files, [path]: true } });
const service = (name: string, change: object) => ({
  services: {
    ...good.services,
    [name]: { exists: true, enabled: true, active: true, initSystem: 'systemd' as const, ...change },
  },
});

it('passes on a good host', () => {
  expect(outcome({})).toEqual([]);
});

it('has the names and the order of kubeadm', () => {
  expect(preflightNames(initPreflightChecks, sampleConfiguration)).toEqual([
    'IsPrivilegedUser',
    'NumCPU',
    'Mem',
    'KubernetesVersion',
    'Firewalld',
    'Port-6443',
    'Port-10259',
    'Port-10257',
    'FileAvailable--etc-kubernetes-manifests-kube-apiserver.yaml',
    'FileAvailable--etc-kubernetes-manifests-kube-controller-manager.yaml',
    'FileAvailable--etc-kubernetes-manifests-kube-scheduler.yaml',
    'FileAvailable--etc-kubernetes-manifests-etcd.yaml',
    'HTTPProxy',
    'HTTPProxyCIDR',
    'CRI',
    'ContainerRuntimeVersion',
    'Swap',
    'FileExisting-losetup',
    'FileExisting-mount',
    'FileExisting-cp',
    'SystemVerification',
    'Hostname',
    'KubeletVersion',
    'Service-kubelet',
    'Port-10250',
    'FileContent--proc-sys-net-ipv4-ip_forward',
    'Port-2379',
    'Port-2380',
    'DirAvailable--var-lib-etcd',
    'NetworkOverlap',
  ]);
  expect(preflightNames(imagePullChecks, sampleConfiguration)).toEqual(['ImagePull']);
});

describe('facts that fail one check', () => {
  it.each<[string, Partial<PreflightFacts>, string]>([
    ['a user', { uid: 1000 }, 'error IsPrivilegedUser'],
    ['one CPU', { cpus: 1 }, 'error NumCPU'],
    ['little memory', { memoryMiB: 1699.9 }, 'error Mem'],
    ['an active firewall', service('firewalld', {}), 'warning Firewalld'],
    ['the API server port', port(':6443'), 'error Port-6443'],
    ['the scheduler port', port(':10259'), 'error Port-10259'],
    ['the controller manager port', port(':10257'), 'error Port-10257'],
    ['the kubelet port', port(':10250'), 'error Port-10250'],
    ['an etcd port', port('192.0.2.10:2379'), 'error Port-2379'],
    ['the other etcd port', port('192.0.2.10:2380'), 'error Port-2380'],
    [
      'a manifest',
      file('/etc/kubernetes/manifests/etcd.yaml'),
      'error FileAvailable--etc-kubernetes-manifests-etcd.yaml',
    ],
    [
      'a proxy',
      {
        proxyEnvironment: [
          { name: 'HTTPS_PROXY', value: 'p:1' },
          { name: 'NO_PROXY', value: '10.0.0.0/8' },
        ],
      },
      'warning HTTPProxy',
    ],
    [
      'a proxy for Services',
      {
        proxyEnvironment: [
          { name: 'HTTPS_PROXY', value: 'p:1' },
          { name: 'NO_PROXY', value: '192.0.2.0/24' },
        ],
      },
      'warning HTTPProxyCIDR',
    ],
    [
      'a runtime that is not ready',
      { runtime: { conditions: [{ type: 'RuntimeReady', status: false, reason: 'r', message: 'm' }] } },
      'error CRI',
    ],
    ['a failing status', { runtime: { statusError: 'deadline' } }, 'error CRI'],
    [
      'an old runtime',
      { runtime: { conditions: [], runtimeConfig: 'unimplemented' } },
      'warning ContainerRuntimeVersion',
    ],
    [
      'a failing runtime configuration',
      { runtime: { conditions: [], runtimeConfig: { error: 'x' } } },
      'error ContainerRuntimeVersion',
    ],
    ['swap', { texts: { ...good.texts, '/proc/swaps': 'Filename\n/swapfile file 1\n' } }, 'warning Swap'],
    ['a missing program', { programs: { ...good.programs, losetup: undefined } }, 'error FileExisting-losetup'],
    ['an old kernel', { kernelRelease: '4.19.0-20' }, 'warning SystemVerification'],
    ['no kernel configuration', { kernelConfig: { error: 'no file of it was found' } }, 'error SystemVerification'],
    [
      'a kernel without namespaces',
      { kernelConfig: String(good.kernelConfig).replace('CONFIG_NAMESPACES=y', '# CONFIG_NAMESPACES is not set') },
      'error SystemVerification',
    ],
    [
      'a missing optional controller',
      { cgroups: { version: 2, controllers: ['cpu', 'cpuset', 'devices', 'freezer', 'io', 'memory', 'pids'] } },
      'warning SystemVerification',
    ],
    [
      'a missing controller',
      { cgroups: { version: 2, controllers: ['cpuset', 'devices', 'freezer', 'hugetlb', 'io', 'memory', 'pids'] } },
      'error SystemVerification',
    ],
    [
      'cgroup v1',
      {
        cgroups: {
          version: 1,
          controllers: ['cpu', 'cpuacct', 'cpuset', 'devices', 'freezer', 'memory', 'pids', 'hugetlb', 'blkio'],
        },
      },
      'error SystemVerification',
    ],
    ['no cgroups', { cgroups: { version: undefined, controllers: [] } }, 'error SystemVerification'],
    ['a name that does not resolve', { lookups: { 'node-a': [] } }, 'warning Hostname'],
    ['a kubelet that is too new', { kubeletVersion: { output: 'Kubernetes v1.38.0' } }, 'error KubeletVersion'],
    ['a kubelet that is too old', { kubeletVersion: { output: 'Kubernetes v1.33.9' } }, 'error KubeletVersion'],
    ['a kubelet that is not enabled', service('kubelet', { enabled: false }), 'warning Service-kubelet'],
    ['no kubelet service', service('kubelet', { exists: false }), 'warning Service-kubelet'],
    [
      'forwarding switched off',
      { texts: { ...good.texts, '/proc/sys/net/ipv4/ip_forward': '0\n' } },
      'error FileContent--proc-sys-net-ipv4-ip_forward',
    ],
    ['another system', { texts: { ...good.texts, '/proc/sys/kernel/ostype': 'GNU\n' } }, 'error SystemVerification'],
    [
      'a file where etcd is to be',
      { directories: { '/var/lib/etcd': { error: 'x' } } },
      'error DirAvailable--var-lib-etcd',
    ],
    ['old etcd data', { directories: { '/var/lib/etcd': ['member'] } }, 'error DirAvailable--var-lib-etcd'],
  ])('%s', (_name, facts, expected) => {
    expect(outcome(facts)).toEqual([expected]);
  });

  it('no runtime', () => {
    expect(outcome({ runtime: { connectError: 'no such file' } })).toEqual([
      'error CRI',
      'error ContainerRuntimeVersion',
    ]);
  });

  it.each([
    ['no kubelet', { error: 'not found' }],
    ['other output', { output: 'Kubernetes v1.37' }],
  ])('%s', (_name, kubeletVersion) => {
    expect(outcome({ kubeletVersion })).toEqual(['error SystemVerification', 'error KubeletVersion']);
  });

  it('an empty folder for etcd is fine', () => {
    expect(outcome({ directories: { '/var/lib/etcd': [] } })).toEqual([]);
  });
});

describe('configurations', () => {
  it.each<[string, Partial<PreflightConfiguration>, Partial<PreflightFacts>, readonly string[]]>([
    ['a newer version', { kubernetesVersion: 'v1.38.0-alpha.0' }, {}, ['warning KubernetesVersion']],
    ['a newer patch version', { kubernetesVersion: 'v1.37.9' }, {}, []],
    [
      'a control plane that needs conntrack',
      { kubernetesVersion: 'v1.31.9' },
      {
        kubeletVersion: { output: 'Kubernetes v1.37.0' },
        programs: { ...good.programs, conntrack: undefined },
      },
      ['error FileExisting-conntrack', 'error KubeletVersion'],
    ],
    ['a long node name', { nodeName: 'a'.repeat(64) }, {}, ['warning Hostname']],
  ])('%s', (_name, change, facts, expected) => {
    expect(outcome(facts, change)).toEqual(expected);
  });

  it('with external etcd ask for its certificates and not for ports', () => {
    const { localEtcd: _local, ...rest } = sampleConfiguration;
    const externalEtcd = { httpEndpoints: ['https://e:2379', 'http://f'], caFile: '/ca.crt', keyFile: '/c.key' };
    const configuration = { ...rest, externalEtcd };
    const names = preflightNames(initPreflightChecks, configuration);
    expect(names.filter((name) => /etcd/i.test(name))).toEqual([
      'FileAvailable--etc-kubernetes-manifests-etcd.yaml',
      'ExternalEtcdVersion',
      'ExternalEtcdClientCertificates',
      'ExternalEtcdClientCertificates',
    ]);
    expect(requiredFacts(initPreflightChecks, configuration)).toContainEqual({
      fact: 'etcdVersion',
      endpoint: 'https://e:2379',
      caFile: '/ca.crt',
      keyFile: '/c.key',
    });
    const facts = goodFacts(configuration);
    expect(runPreflight(initPreflightChecks, configuration, facts)).toEqual([]);
    const missing = { ...facts, files: { ...facts.files, '/c.key': false } };
    expect(runPreflight(initPreflightChecks, configuration, missing)).toMatchObject([
      { message: "/c.key doesn't exist" },
    ]);
  });

  it.each([
    ['3.5.24', undefined],
    ['3.5.24-rc.1', undefined],
    ['3.7.0-alpha.0', undefined],
    ['3.5.23', '>= 3.5.24-0'],
    ['2.3.7', '>= 3.5.24-0'],
    ['3.6', `couldn't parse external etcd version "3.6"`],
    ['', `couldn't parse external etcd version ""`],
  ])('external etcd %s', (version, reason) => {
    const { localEtcd: _local, ...rest } = sampleConfiguration;
    const configuration = { ...rest, externalEtcd: { httpEndpoints: ['http://e'] } };
    const facts = { ...goodFacts(configuration), etcdVersions: { 'http://e': { version } } };
    const findings = runPreflight(initPreflightChecks, configuration, facts);
    expect(findings).toMatchObject(
      reason === undefined
        ? []
        : [{ severity: 'error', artifact: 'ExternalEtcdVersion', message: expect.stringContaining(reason) }],
    );
  });

  it.each([
    ['apart', ['10.96.0.0/12', '10.244.0.0/16', 'fd00::/108'], 0],
    ['the same', ['10.96.0.0/12', '10.96.0.0/12'], 1],
    ['one in the other', ['10.0.0.0/8', '10.244.0.0/16'], 1],
    ['the other way round', ['10.244.0.0/16', '10.0.0.0/8'], 1],
    ['of another family', ['::/0', '10.0.0.0/8'], 0],
    ['with this node in one of them', ['10.96.0.0/12', '192.0.2.0/24'], 1],
  ])('ranges that are %s', (_name, cidrs, count) => {
    const subnets = cidrs.map((cidr) => ({ cidr, firstAddress: '127.0.0.1' }));
    expect(outcome({}, { subnets })).toEqual(Array.from({ length: count }, () => 'warning NetworkOverlap'));
  });

  it('an IPv6 address is asked for with a port', () => {
    const change = { advertiseAddress: '2001:db8::10', subnets: [] };
    const { localEtcd: _local, ...rest } = sampleConfiguration;
    const configuration = { ...rest, ...change };
    const withProxy = (noProxy: string) =>
      runPreflight(initPreflightChecks, configuration, {
        ...goodFacts(configuration),
        proxyEnvironment: [
          { name: 'HTTPS_PROXY', value: 'http://p:1' },
          { name: 'NO_PROXY', value: noProxy },
        ],
      }).map(({ message }) => message);
    expect(withProxy('[2001:db8::10]:1234')).toEqual([]);
    expect(withProxy('[2001:db8::10]:443')).toEqual([
      'Connection to "https://[2001:db8::10]:1234" uses proxy "http://p:1". If that is not intended, adjust your proxy settings',
    ]);
  });

  it('images that could not be pulled are errors of one check, unless it is ignored or nothing is pulled', () => {
    const facts = { images: { failures: ['failed to pull image a: x', 'failed to pull image b: y'] } };
    const pulled = (options: PreflightOptions, imagePullPolicy = 'IfNotPresent') =>
      runPreflight(imagePullChecks, { ...sampleConfiguration, imagePullPolicy }, facts, options).map(
        ({ severity, artifact, message }) => `${severity} ${artifact} ${message}`,
      );
    expect(pulled({})).toEqual([
      'error ImagePull failed to pull image a: x',
      'error ImagePull failed to pull image b: y',
    ]);
    expect(pulled({ ignore: ['imagepull'] })[0]).toMatch(/^warning /);
    expect(pulled({}, 'Never')).toEqual([]);
  });

  it('with bind addresses try the ports there', () => {
    const configuration = { ...sampleConfiguration, bindAddresses: { apiServer: '2001:db8::1' } };
    expect(requiredFacts(initPreflightChecks, configuration)).toContainEqual({
      fact: 'port',
      port: 6443,
      address: '2001:db8::1',
    });
  });
});

describe('runPreflight', () => {
  it('runs nothing else for others than root', () => {
    expect(outcome({ uid: 1, cpus: 1 })).toEqual(['error IsPrivilegedUser']);
    expect(outcome({ uid: 1, cpus: 1 }, {}, { ignore: ['isprivilegeduser'] })).toEqual([
      'warning IsPrivilegedUser',
      'error NumCPU',
    ]);
  });

  it.each([
    ['by name', ['NUMCPU']],
    ['by all', ['all']],
  ])('lowers errors to warnings %s', (_name, ignore) => {
    expect(outcome({ cpus: 1 }, {}, { ignore })).toEqual(['warning NumCPU']);
  });

  it('leaves out what is ours already, but nothing that matters on every run', () => {
    const satisfied = new Set(['Port-6443', 'DirAvailable--var-lib-etcd', 'NumCPU']);
    const facts = { ...port(':6443'), directories: { '/var/lib/etcd': ['member'] }, cpus: 1 };
    expect(outcome(facts, {}, { satisfied })).toEqual(['error NumCPU']);
  });

  it('asks for each fact once, and for none of a check that is left out', () => {
    const requests = requiredFacts(initPreflightChecks, sampleConfiguration);
    expect(new Set(requests.map((request) => JSON.stringify(request))).size).toBe(requests.length);
    const less = requiredFacts(initPreflightChecks, sampleConfiguration, { satisfied: new Set(['Port-10250']) });
    expect(requests.length - less.length).toBe(1);
  });

  it('does not go on without a fact', () => {
    const { cpus: _cpus, ...incomplete } = goodFacts();
    expect(() => runPreflight(initPreflightChecks, sampleConfiguration, incomplete)).toThrow(
      expect.toSatisfy((thrown) => isGroundplaneError(thrown) && thrown.code === 'PREFLIGHT_FACT_MISSING'),
    );
  });
});
