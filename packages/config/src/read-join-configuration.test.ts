import { isGroundplaneError } from '@groundplane/errors';
import { describe, expect, it } from 'vitest';
import type { FlagValues } from './flag.ts';
import { discoveryFilesOf, readJoinConfiguration } from './read-join-configuration.ts';

const token = 'abcdef.0123456789abcdef';
const other = 'bcdefg.0123456789abcdef';
const hash = `sha256:${'0'.repeat(64)}`;
const endpoint = '192.0.2.10:6443';
const pinned = { 'discovery-token-ca-cert-hash': [hash] };
const file = [
  'apiVersion: kubeadm.k8s.io/v1beta4',
  'kind: JoinConfiguration',
  `discovery: {bootstrapToken: {token: ${token}, apiServerEndpoint: "${endpoint}", caCertHashes: ["${hash}"]}}`,
  'nodeRegistration: {name: from-file, ignorePreflightErrors: [Swap]}',
  'skipPhases: [preflight]',
  'dryRun: true',
  'patches: {directory: /patches}',
  '',
].join('\n');

const byFlags = (flags: FlagValues, at: string | undefined = endpoint) =>
  readJoinConfiguration(undefined, { flags, endpoint: at });

function failure(read: () => unknown): {
  readonly code: string;
  readonly message: string;
  readonly hint?: string | undefined;
} {
  try {
    read();
  } catch (thrown) {
    if (!isGroundplaneError(thrown)) throw thrown;
    return { code: thrown.code, message: thrown.message, hint: thrown.hint };
  }
  return expect.fail('it was accepted');
}

describe('tokens', () => {
  it.each<[string, FlagValues, string, string]>([
    ['--token stands for both', { token }, token, token],
    ['--discovery-token stands for both', { 'discovery-token': token }, token, token],
    ['each has its own', { 'discovery-token': token, 'tls-bootstrap-token': other }, token, other],
    ['--token fills the discovery token', { token, 'tls-bootstrap-token': other }, token, other],
    // As the discovery token is the default of the other one before --token has its turn.
    ['--discovery-token wins over --token for both', { token: other, 'discovery-token': token }, token, token],
    ['an empty one is none', { token, 'discovery-token': '', 'tls-bootstrap-token': '' }, token, token],
  ])('%s', (_name, flags, discovery, tls) => {
    const { configuration } = byFlags({ ...flags, ...pinned });
    expect(configuration.discovery.bootstrapToken?.token).toBe(discovery);
    expect(configuration.discovery.tlsBootstrapToken).toBe(tls);
  });

  it('that are not used are worth a warning', () => {
    const { warnings } = byFlags({ token: other, 'discovery-token': token, ...pinned });
    expect(warnings).toMatchObject([{ code: 'CONFIG_FLAG_IGNORED', artifact: '--token' }]);
    expect(JSON.stringify(warnings)).not.toContain(other);
  });

  it('are in no message', () => {
    expect(failure(() => byFlags({ token: 'no-token-at-all', ...pinned })).message).not.toContain('no-token-at-all');
  });

  it('that stand where the API server belongs are in no message either, and the hint tells what was meant', () => {
    const told = failure(() => byFlags({ 'discovery-token-unsafe-skip-ca-verification': true, token: other }, token));
    expect(told.message).toContain('apiServerEndpoint as it must be host:port');
    expect(told.message).toMatch(/: "<token withheld>"$/);
    expect(told.hint).toMatch(/^It looks like a token: give it with --token/);
  });
});

describe('discovery', () => {
  it('by the argument, with pins', () => {
    expect(byFlags({ token, ...pinned }).configuration.discovery).toEqual({
      bootstrapToken: {
        token,
        apiServerEndpoint: endpoint,
        caCertHashes: [hash],
        unsafeSkipCAVerification: false,
      },
      tlsBootstrapToken: token,
    });
  });

  it('by a file, with a token for the kubelet', () => {
    const { discovery } = readJoinConfiguration(undefined, {
      flags: { 'discovery-file': 'file:///etc/a%20b', token },
    }).configuration;
    expect(discovery).toEqual({ file: { kubeConfigPath: '/etc/a b' }, tlsBootstrapToken: token });
  });

  it.each<[string, FlagValues, string | undefined, string]>([
    ['nothing', {}, undefined, 'bootstrapToken or file must be set'],
    ['a token without an endpoint', { token }, undefined, 'give the endpoint of an API server'],
    ['both kinds', { token, 'discovery-file': 'https://example.com/a', ...pinned }, endpoint, 'cannot both be set'],
    ['no pin', { token }, endpoint, 'caCertHashes'],
    ['an endpoint without a port', { token, ...pinned }, '192.0.2.10', 'apiServerEndpoint'],
    ['an empty endpoint', { token, ...pinned }, '', 'apiServerEndpoint is not set'],
    ['a URL of another scheme', { 'discovery-file': 'http://example.com/a' }, undefined, 'https'],
  ])('is refused with %s', (_name, flags, at, said) => {
    const { code, message } = failure(() => readJoinConfiguration(undefined, { flags, endpoint: at }));
    expect(code).toBe('CONFIG_INVALID');
    expect(message).toContain(said);
  });

  it('says what is missing once', () => {
    const { message } = failure(() => readJoinConfiguration(undefined, { flags: { token } }));
    expect(message.split('must be set')).toHaveLength(2);
  });

  it('goes without a pin where that is asked for', () => {
    const flags = { token, 'discovery-token-unsafe-skip-ca-verification': true };
    expect(byFlags(flags).configuration.discovery.bootstrapToken?.unsafeSkipCAVerification).toBe(true);
  });

  it('is not needed by commands that do not discover', () => {
    const read = readJoinConfiguration(undefined, { flags: {}, requireDiscovery: false });
    expect(read.configuration.discovery).toEqual({ tlsBootstrapToken: '' });
    expect(read.warnings).toEqual([]);
    const { warnings } = readJoinConfiguration(undefined, { endpoint, requireDiscovery: false });
    expect(warnings).toMatchObject([{ code: 'CONFIG_FLAG_IGNORED', message: expect.stringContaining(endpoint) }]);
  });

  it('names the file that must exist', () => {
    expect(discoveryFilesOf(undefined, { 'discovery-file': '/a/b' })).toEqual(['/a/b']);
    expect(discoveryFilesOf(undefined, { 'discovery-file': 'https://example.com/a' })).toEqual([]);
    expect(discoveryFilesOf(undefined)).toEqual([]);
    const flags = { 'discovery-file': '/a/b' };
    expect(failure(() => readJoinConfiguration(undefined, { flags, missingFiles: ['/a/b'] })).message).toContain(
      '/a/b',
    );
  });
});

describe('the control plane', () => {
  const flags = { 'certificate-key': 'a'.repeat(64), 'apiserver-bind-port': 7443 };

  it('has its section with --control-plane only', () => {
    expect(byFlags({ token, ...pinned }).configuration.controlPlane).toBeUndefined();
    expect(byFlags({ token, ...pinned, ...flags, 'control-plane': true }).configuration.controlPlane).toEqual({
      localAPIEndpoint: { advertiseAddress: '', bindPort: 7443 },
      certificateKey: 'a'.repeat(64),
    });
  });

  it('is told of by flags that do nothing without it', () => {
    const { configuration, warnings } = byFlags({ token, ...pinned, ...flags });
    expect(configuration.controlPlane).toBeUndefined();
    expect(warnings.map(({ artifact }) => artifact)).toEqual(['--apiserver-bind-port', '--certificate-key']);
    expect(JSON.stringify(warnings)).not.toContain('aaaa');
  });
});

describe('a file', () => {
  it('says what the run is like', () => {
    expect(readJoinConfiguration(file).run).toEqual({
      dryRun: true,
      ignorePreflightErrors: ['swap'],
      skipPhases: ['preflight'],
      patchesDirectory: '/patches',
    });
  });

  it('gives way to the flags that may stand beside it; ignored checks add up', () => {
    const flags = {
      'dry-run': false,
      'ignore-preflight-errors': ['NumCPU'],
      'skip-phases': ['kubelet-start'],
      'node-name': ' Other ',
    };
    const { configuration, run } = readJoinConfiguration(file, { flags });
    expect(run).toMatchObject({
      dryRun: false,
      ignorePreflightErrors: ['numcpu', 'swap'],
      skipPhases: ['kubelet-start'],
    });
    expect(configuration.nodeRegistration).toMatchObject({
      name: 'other',
      ignorePreflightErrors: ['numcpu', 'swap'],
    });
    expect(configuration.dryRun).toBe(false);
  });

  it('is not mixed with other flags', () => {
    expect(failure(() => readJoinConfiguration(file, { flags: { token, 'cri-socket': '/a' } })).message).toBe(
      "can not mix '--config' with arguments [cri-socket token]",
    );
  });

  it('makes the argument useless, which is worth a warning', () => {
    const { warnings } = readJoinConfiguration(file, { endpoint });
    expect(warnings).toMatchObject([{ code: 'CONFIG_FLAG_IGNORED', message: expect.stringContaining(endpoint) }]);
  });

  it('contradicts a flag that ignores all checks', () => {
    const flags = { 'ignore-preflight-errors': ['all'] };
    expect(failure(() => readJoinConfiguration(file, { flags })).message).toContain('ignore-preflight-errors');
  });
});
