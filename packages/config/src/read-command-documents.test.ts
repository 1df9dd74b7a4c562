import { isGroundplaneError } from '@groundplane/errors';
import { describe, expect, it } from 'vitest';
import { clusterDocument, sampleHost } from '../test/sample-host.ts';
import { readUpgradeConfiguration } from './read-command-documents.ts';
import { discoveryFilesOf, readJoinConfiguration } from './read-join-configuration.ts';
import { readResetConfiguration } from './read-reset-configuration.ts';
import { resolveJoinConfiguration, resolveResetConfiguration } from './resolve-command-documents.ts';

const document = (kind: string, ...lines: readonly string[]) =>
  ['apiVersion: kubeadm.k8s.io/v1beta4', `kind: ${kind}`, ...lines, ''].join('\n');
const join = (...lines: readonly string[]) =>
  document(
    'JoinConfiguration',
    'discovery: {bootstrapToken: {token: abcdef.0123456789abcdef, apiServerEndpoint: "a:1", unsafeSkipCAVerification: true}}',
    ...lines,
  );
const reset = (...lines: readonly string[]) => document('ResetConfiguration', ...lines);
const upgrade = (...lines: readonly string[]) => document('UpgradeConfiguration', ...lines);

function failure(read: () => unknown): { code: string; paths: readonly string[]; message: string } {
  try {
    read();
  } catch (thrown) {
    if (!isGroundplaneError(thrown)) throw thrown;
    const { code, message, findings } = thrown;
    return { code, message, paths: findings.map(({ artifact }) => artifact) };
  }
  return expect.fail('it was accepted');
}

describe.each([
  ['JoinConfiguration', join, readJoinConfiguration],
  ['ResetConfiguration', reset, readResetConfiguration],
  ['UpgradeConfiguration', upgrade, readUpgradeConfiguration],
] as const)('%s', (kind, good, read) => {
  it('must be there', () => {
    const { code, message } = failure(() => read(clusterDocument()));
    expect({ code, message }).toEqual({
      code: 'CONFIG_DOCUMENT_MISSING',
      message: `no ${kind} found in the supplied config: ClusterConfiguration`,
    });
  });

  it('passes over other documents and unknown fields with warnings', () => {
    const { warnings } = read(`${good('bogus: 1')}---\n${clusterDocument('alsoBogus: 1')}`);
    expect(warnings).toMatchObject([
      { code: 'CONFIG_FIELD_UNKNOWN', message: expect.stringContaining('"bogus"') },
      { code: 'CONFIG_DOCUMENT_IGNORED', artifact: 'kubeadm.k8s.io/v1beta4, Kind=ClusterConfiguration' },
    ]);
  });

  it('must be of a known version', () => {
    for (const version of ['v1beta3', 'v1beta5']) {
      expect(failure(() => read(good().replace('v1beta4', version))).code).toBe('CONFIG_API_VERSION_UNSUPPORTED');
    }
  });
});

it('only reset reads the experimental version', () => {
  expect(readResetConfiguration(reset('force: true').replace('v1beta4', 'v1')).configuration.force).toBe(true);
  expect(failure(() => readJoinConfiguration(join().replace('v1beta4', 'v1'))).message).toContain('experimental');
});

describe('join', () => {
  it('takes the discovery token for TLS bootstrap, unless another is given', () => {
    expect(readJoinConfiguration(join()).configuration.discovery.tlsBootstrapToken).toBe('abcdef.0123456789abcdef');
  });

  it('names every field that is wrong', () => {
    const text = document('JoinConfiguration', 'caCertPath: a', 'discovery: {bootstrapToken: {token: secret-token}}');
    const { paths, message } = failure(() => readJoinConfiguration(text));
    expect(paths).toEqual([
      'discovery.bootstrapToken',
      'discovery.bootstrapToken.caCertHashes',
      'discovery.bootstrapToken.token',
      'discovery.bootstrapToken.apiServerEndpoint',
      'discovery.tlsBootstrapToken',
      'caCertPath',
    ]);
    expect(message).not.toContain('secret-token');
  });

  it('checks that a discovery file exists, by facts given to it', () => {
    const text = document('JoinConfiguration', 'discovery: {file: {kubeConfigPath: "file:///etc/a%20b"}}');
    expect(discoveryFilesOf(text)).toEqual(['/etc/a b']);
    expect(readJoinConfiguration(text).configuration.discovery.file?.kubeConfigPath).toBe('/etc/a b');
    const { paths } = failure(() => readJoinConfiguration(text, { missingFiles: ['/etc/a b'] }));
    expect(paths).toEqual(['discovery.file.kubeConfigPath']);
  });

  it.each([
    ['no file', join()],
    ['a URL', document('JoinConfiguration', 'discovery: {file: {kubeConfigPath: "https://example.com/a"}}')],
    ['broken YAML', 'a: ['],
    ['nothing', ''],
  ])('names no discovery file for %s', (_name, text) => {
    expect(discoveryFilesOf(text)).toEqual([]);
  });

  it('resolves workers without taint and control plane nodes with one', () => {
    const worker = resolveJoinConfiguration(readJoinConfiguration(join()), sampleHost).configuration;
    expect(worker.nodeRegistration).toMatchObject({ name: 'node-a', taints: null });
    const { configuration } = resolveJoinConfiguration(readJoinConfiguration(join('controlPlane: {}')), sampleHost);
    expect(configuration.nodeRegistration.taints).toMatchObject([{ effect: 'NoSchedule' }]);
    expect(configuration.controlPlane?.localAPIEndpoint).toEqual({ advertiseAddress: '192.0.2.10', bindPort: 6443 });
  });

  it('refuses an address that nobody can reach when it is to be run', () => {
    const read = readJoinConfiguration(join('controlPlane: {localAPIEndpoint: {advertiseAddress: 224.0.0.1}}'));
    expect(failure(() => resolveJoinConfiguration(read, sampleHost)).paths).toEqual([
      'controlPlane.localAPIEndpoint.advertiseAddress',
    ]);
    expect(resolveJoinConfiguration(read, sampleHost, { purpose: 'convert' }).warnings).toEqual([]);
  });
});

describe('reset', () => {
  it('takes the socket that answers, and asks if two do', () => {
    const sockets = ['unix:///var/run/crio/crio.sock', 'unix:///var/run/cri-dockerd.sock'];
    const read = readResetConfiguration(reset());
    const on = (criSockets: readonly string[]) => resolveResetConfiguration(read, { ...sampleHost, criSockets });
    expect(on([]).configuration.criSocket).toBe('unix:///var/run/containerd/containerd.sock');
    expect(on(sockets.slice(0, 1)).configuration.criSocket).toBe(sockets[0]);
    expect(failure(() => on(sockets)).paths).toEqual(['criSocket']);
  });
});

describe('upgrade', () => {
  it('is on for certificates and etcd unless switched off', () => {
    const { apply, node, plan } = readUpgradeConfiguration(upgrade('apply: {etcdUpgrade: no}')).configuration;
    expect(apply).toMatchObject({ certificateRenewal: true, etcdUpgrade: false, imagePullSerial: true });
    expect(node).toMatchObject({ certificateRenewal: true, etcdUpgrade: true, imagePullPolicy: 'IfNotPresent' });
    expect(plan).toEqual({ kubernetesVersion: '', etcdUpgrade: true, ignorePreflightErrors: [] });
  });
});
