import { describe, expect, it } from 'vitest';
import { clusterDocument, initDocument, sampleHost } from '../test/sample-host.ts';
import { validateConfigurationFile } from './validate-configuration-file.ts';

const validate = (text: string) => validateConfigurationFile(text, { host: sampleHost });
const reset = (...lines: readonly string[]) =>
  ['apiVersion: kubeadm.k8s.io/v1beta4', 'kind: ResetConfiguration', ...lines, ''].join('\n');

describe('validateConfigurationFile', () => {
  it('accepts what needs no correction', () => {
    expect(validate(`${initDocument()}---\n${clusterDocument()}---\n${reset()}`)).toEqual({
      valid: true,
      findings: [],
    });
  });

  it('finds the errors of all kinds at once, where kubeadm stops at the first kind', () => {
    const { valid, findings } = validate(`${clusterDocument('certificatesDir: a')}---\n${reset('fource: true')}`);
    expect(valid).toBe(false);
    expect(findings.map(({ artifact }) => artifact)).toEqual(['certificatesDir', 'fource']);
  });

  it('makes each field that is unknown or set twice a finding of its own', () => {
    const { findings } = validate(
      clusterDocument('bogus: 1', 'dns: {Disabled: true, disabled: true, disabled: false}'),
    );
    expect(findings.map(({ artifact, severity }) => [artifact, severity])).toEqual([
      ['dns.disabled', 'error'],
      ['bogus', 'error'],
      ['dns.Disabled', 'error'],
    ]);
  });

  it('warns without refusing', () => {
    const { valid, findings } = validate(clusterDocument('certificateValidityPeriod: 9000h'));
    expect(valid).toBe(true);
    expect(findings).toMatchObject([{ code: 'CONFIG_VALIDITY_LONG', severity: 'warning' }]);
  });

  it.each([
    ['broken YAML', 'a: [', 'CONFIG_UNREADABLE'],
    ['an unknown kind', 'apiVersion: example.com/v1\nkind: Foo\n', 'CONFIG_KIND_UNKNOWN'],
    [
      'an old version',
      'apiVersion: kubeadm.k8s.io/v1beta3\nkind: ClusterConfiguration\n',
      'CONFIG_API_VERSION_UNSUPPORTED',
    ],
  ])('reports %s as a finding', (_name, text, code) => {
    expect(validate(text)).toMatchObject({ valid: false, findings: [{ code, severity: 'error' }] });
  });

  it('points from v1beta3 to our migration', () => {
    const [finding] = validate('apiVersion: kubeadm.k8s.io/v1beta3\nkind: ClusterConfiguration\n').findings;
    expect(finding?.hint).toContain('config migrate');
  });

  it('does not ask for the host to be reachable', () => {
    const host = { ...sampleHost, addresses: { ipv4: [], ipv6: [], loopback: [] } };
    const { valid, findings } = validateConfigurationFile(clusterDocument(), { host });
    expect({ valid, codes: findings.map(({ code }) => code) }).toEqual({
      valid: true,
      codes: ['CONFIG_ADDRESS_ASSUMED'],
    });
  });
});
