import { isGroundplaneError } from '@groundplane/errors';
import { describe, expect, it } from 'vitest';
import { clusterDocument, initDocument, resolveSample, sampleHost, sampleToken } from '../test/sample-host.ts';
import { readInitConfiguration } from './read-configuration.ts';
import { resolveInitConfiguration } from './resolve-configuration.ts';
import type { HostFacts } from './resolve-node.ts';

function resolveOn(host: Partial<HostFacts>, text: string = clusterDocument()) {
  return resolveInitConfiguration(
    readInitConfiguration(text),
    { ...sampleHost, ...host },
    { randomToken: () => sampleToken },
  );
}

function refusedPaths(run: () => unknown): readonly string[] {
  try {
    run();
  } catch (thrown) {
    if (!isGroundplaneError(thrown)) throw thrown;
    return thrown.findings.map((finding) => finding.artifact);
  }
  return [];
}

describe('node', () => {
  it.each([
    ['NODE-A', 'node-a'],
    ['Host.Example.com', 'host.example.com'],
    ['12345', '12345'],
    [' padded\n', 'padded'],
  ])('host name %j gives %s', (hostName, name) => {
    expect(resolveOn({ hostName }).init.nodeRegistration.name).toBe(name);
  });

  it.each(['Node_A', 'node-', '(none)', 'a..b', 'ünode', ''])('refuses the host name %j', (hostName) => {
    expect(refusedPaths(() => resolveOn({ hostName }))).toEqual(['nodeRegistration.name']);
  });

  it.each([
    ['absent', initDocument(), [{ key: 'node-role.kubernetes.io/control-plane', value: '', effect: 'NoSchedule' }]],
    [
      'null',
      initDocument('nodeRegistration: {taints: null}'),
      [{ key: 'node-role.kubernetes.io/control-plane', value: '', effect: 'NoSchedule' }],
    ],
    ['empty', initDocument('nodeRegistration: {taints: []}'), []],
    [
      'one',
      initDocument('nodeRegistration: {taints: [{key: a, effect: NoExecute}]}'),
      [{ key: 'a', value: '', effect: 'NoExecute' }],
    ],
  ])('taints %s', (_name, text, taints) => {
    expect(resolveOn({}, text).init.nodeRegistration.taints).toEqual(taints);
  });

  it.each([
    ['none answers', [], 'unix:///var/run/containerd/containerd.sock'],
    ['one answers', ['unix:///var/run/crio/crio.sock'], 'unix:///var/run/crio/crio.sock'],
  ])('CRI socket: %s', (_name, criSockets, expected) => {
    expect(resolveOn({ criSockets }).init.nodeRegistration.criSocket).toBe(expected);
  });

  it('does not choose between two CRI sockets', () => {
    const criSockets = ['unix:///var/run/containerd/containerd.sock', 'unix:///var/run/crio/crio.sock'];
    expect(refusedPaths(() => resolveOn({ criSockets }))).toEqual(['nodeRegistration.criSocket']);
    const read = readInitConfiguration(clusterDocument());
    const options = { randomToken: () => sampleToken, detectCriSocket: false };
    expect(resolveInitConfiguration(read, { ...sampleHost, criSockets }, options).init.nodeRegistration.criSocket).toBe(
      criSockets[0],
    );
  });
});

describe('advertise address', () => {
  const endpoint = (address: string) => initDocument(`localAPIEndpoint: {advertiseAddress: "${address}"}`);
  const withLoopback = { addresses: { ipv4: ['169.254.1.1'], ipv6: [], loopback: ['127.0.0.1', '198.51.100.1'] } };

  it.each([
    ['upper-case IPv6', '2001:DB8::5', {}, '2001:db8::5'],
    ['leading zeros', '192.0.2.010', {}, '192.0.2.10'],
    ['IPv4-mapped', '::ffff:192.0.2.10', {}, '192.0.2.10'],
    ['an address of another host', '203.0.113.7', {}, '203.0.113.7'],
    ['unspecified IPv4', '0.0.0.0', {}, '192.0.2.10'],
    ['unspecified IPv6', '::', {}, '2001:db8::10'],
    ['nothing', '', {}, '192.0.2.10'],
    [
      'nothing on an IPv6 host',
      '',
      { addresses: { ipv4: [], ipv6: ['fe80::1', '2001:db8::10'], loopback: [] } },
      '2001:db8::10',
    ],
    ['nothing with link-local routes', '', withLoopback, '198.51.100.1'],
    ['loopback', '127.0.0.1', withLoopback, '198.51.100.1'],
  ])('%s', (_name, given, host, expected) => {
    expect(resolveOn(host, endpoint(given)).init.localAPIEndpoint.advertiseAddress).toBe(expected);
  });

  it.each([
    ['loopback without a global address', '127.0.0.1', {}],
    ['link-local', '169.254.1.1', {}],
    ['multicast', '224.0.0.1', {}],
    ['broadcast', '255.255.255.255', {}],
    ['nothing without a default route', '', { addresses: { ipv4: [], ipv6: [], loopback: ['198.51.100.1'] } }],
  ])('refuses %s', (_name, given, host) => {
    expect(refusedPaths(() => resolveOn(host, endpoint(given)))).toEqual(['localAPIEndpoint.advertiseAddress']);
  });
});

describe('version', () => {
  it('takes the newest known version for a label, with a warning', () => {
    const resolved = resolveSample(undefined);
    expect(resolved.cluster.kubernetesVersion).toBe('v1.37.2');
    expect(resolved.warnings.map((finding) => finding.code)).toEqual(['CONFIG_VERSION_ASSUMED']);
  });

  it('takes a version that was looked up', () => {
    const read = readInitConfiguration(undefined, { flags: { 'kubernetes-version': 'stable-1.36' } });
    const options = { randomToken: () => sampleToken, lookedUpVersion: 'v1.36.7' };
    expect(resolveInitConfiguration(read, sampleHost, options)).toMatchObject({
      cluster: { kubernetesVersion: 'v1.36.7' },
      warnings: [],
    });
    expect(
      refusedPaths(() => resolveInitConfiguration(read, sampleHost, { ...options, lookedUpVersion: 'v1.35.0' })),
    ).toEqual(['kubernetesVersion']);
  });

  it('takes CI builds from their own repository and remembers the prefix', () => {
    expect(resolveSample(undefined, { 'kubernetes-version': 'ci/v1.38.0-alpha.1.2+abc' })).toMatchObject({
      cluster: { kubernetesVersion: 'v1.38.0-alpha.1.2+abc', imageRepository: 'registry.k8s.io' },
      kubernetesImageRepository: 'gcr.io/k8s-staging-ci-images',
      storedKubernetesVersion: 'ci/v1.38.0-alpha.1.2+abc',
    });
  });
});

it('makes a token for each entry without one', () => {
  let made = 0;
  const read = readInitConfiguration(
    initDocument('bootstrapTokens: [{token: "aaaaaa.0000000000000000"}, {description: x}]'),
  );
  const resolved = resolveInitConfiguration(read, sampleHost, {
    randomToken: () => {
      made += 1;
      return sampleToken;
    },
  });
  expect(resolved.init.bootstrapTokens.map((token) => token.token)).toEqual(['aaaaaa.0000000000000000', sampleToken]);
  expect(made).toBe(1);
});

describe('skipped addons', () => {
  it.each([
    ['both', ['addon'], '', { dns: true, proxy: true }, ['addon']],
    ['CoreDNS', ['addon/coredns'], '', { dns: true, proxy: false }, ['addon/coredns']],
    [
      'kube-proxy disabled in the file',
      [],
      'proxy: {disabled: true}',
      { dns: false, proxy: true },
      ['addon/kube-proxy'],
    ],
    ['nothing', ['certs'], '', { dns: false, proxy: false }, ['certs']],
  ])('%s', (_name, skipPhases, line, disabled, skipped) => {
    const { cluster, run } = resolveSample(clusterDocument(line), { 'skip-phases': skipPhases });
    expect({ dns: cluster.dns.disabled, proxy: cluster.proxy.disabled }).toEqual(disabled);
    expect(run.skipPhases).toEqual(skipped);
  });
});

it('is plain data', () => {
  const resolved = resolveSample(clusterDocument('controlPlaneEndpoint: api.example.com'));
  expect(structuredClone(resolved)).toEqual(JSON.parse(JSON.stringify(resolved)));
  expect(resolved.cluster.controlPlaneEndpoint).toBe('api.example.com:6443');
});
