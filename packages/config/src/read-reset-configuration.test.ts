import { describe, expect, it } from 'vitest';
import { readResetConfiguration } from './read-reset-configuration.ts';

const file = [
  'apiVersion: kubeadm.k8s.io/v1beta4',
  'kind: ResetConfiguration',
  'certificatesDir: /a/pki',
  'ignorePreflightErrors: [Swap]',
  'skipPhases: [cleanup-node]',
  'force: true',
  '',
].join('\n');

describe('flags', () => {
  it('make a configuration', () => {
    const flags = {
      'cert-dir': '/b/pki',
      'cleanup-tmp-dir': true,
      'cri-socket': '/run/a.sock',
      'dry-run': true,
      force: true,
      'ignore-preflight-errors': ['NumCPU'],
      kubeconfig: '/b/admin.conf',
      'skip-phases': ['remove-etcd-member'],
    };
    const { configuration, run, warnings } = readResetConfiguration(undefined, { flags });
    expect(configuration).toMatchObject({
      certificatesDir: '/b/pki',
      cleanupTmpDir: true,
      criSocket: 'unix:///run/a.sock',
      dryRun: true,
      force: true,
      ignorePreflightErrors: ['numcpu'],
    });
    expect(run).toEqual({
      dryRun: true,
      ignorePreflightErrors: ['numcpu'],
      skipPhases: ['remove-etcd-member'],
      kubeconfig: '/b/admin.conf',
    });
    expect(warnings).toMatchObject([{ code: 'CONFIG_CRI_SOCKET_SCHEME' }]);
  });

  it('are not needed', () => {
    const { configuration, run } = readResetConfiguration(undefined);
    expect(configuration).toMatchObject({ certificatesDir: '/etc/kubernetes/pki', force: false, criSocket: '' });
    expect(run).toEqual({
      dryRun: false,
      ignorePreflightErrors: [],
      skipPhases: [],
      kubeconfig: '/etc/kubernetes/admin.conf',
    });
  });

  it.each([
    ['a relative folder', { 'cert-dir': 'pki' }, 'certificatesDir'],
    ['all checks and one more', { 'ignore-preflight-errors': ['all', 'Swap'] }, 'ignore-preflight-errors'],
  ])('are refused with %s', (_name, flags, said) => {
    expect(() => readResetConfiguration(undefined, { flags })).toThrow(said);
  });
});

describe('a file', () => {
  it('gives way to the flags that may stand beside it', () => {
    const flags = { 'ignore-preflight-errors': ['NumCPU'], kubeconfig: '/b/admin.conf', 'skip-phases': [] };
    const { configuration, run } = readResetConfiguration(file, { flags });
    expect(configuration).toMatchObject({ certificatesDir: '/a/pki', force: true });
    expect(run).toEqual({
      dryRun: false,
      ignorePreflightErrors: ['numcpu', 'swap'],
      skipPhases: ['cleanup-node'],
      kubeconfig: '/b/admin.conf',
    });
  });

  it('is not mixed with others', () => {
    expect(() => readResetConfiguration(file, { flags: { force: true, 'cri-socket': '/a' } })).toThrow(
      "can not mix '--config' with arguments [cri-socket force]",
    );
  });
});
