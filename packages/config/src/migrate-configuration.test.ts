import { isGroundplaneError } from '@groundplane/errors';
import { parseDocuments } from '@groundplane/manifest';
import { describe, expect, it } from 'vitest';
import { clusterDocument, sampleHost, sampleToken } from '../test/sample-host.ts';
import { migrateConfiguration } from './migrate-configuration.ts';

function migrate(text: string, options: { readonly allowExperimentalApi?: boolean } = {}) {
  const result = migrateConfiguration(text, { host: sampleHost, randomToken: () => sampleToken, ...options });
  const documents = parseDocuments(result.text);
  const values = Object.fromEntries(documents.map(({ kind = '', value }) => [kind, value as Record<string, never>]));
  return { ...result, documents, values };
}

function refusedPaths(text: string): readonly string[] {
  try {
    migrate(text);
  } catch (thrown) {
    if (!isGroundplaneError(thrown)) throw thrown;
    return thrown.findings.map(({ artifact }) => artifact);
  }
  return expect.fail('it was accepted');
}

const old = (kind: string, ...lines: readonly string[]) =>
  ['apiVersion: kubeadm.k8s.io/v1beta3', `kind: ${kind}`, ...lines, ''].join('\n');
const oldCluster = (...lines: readonly string[]) => old('ClusterConfiguration', 'kubernetesVersion: v1.37.2', ...lines);
const discovery =
  'bootstrapToken: {token: abcdef.0123456789abcdef, apiServerEndpoint: "a:1", unsafeSkipCAVerification: true}';

describe('of v1beta3', () => {
  it('writes v1beta4', () => {
    const { documents } = migrate(`${oldCluster()}---\n${old('JoinConfiguration', `discovery: {${discovery}}`)}`);
    expect(documents.map(({ apiVersion, kind }) => [apiVersion, kind])).toEqual([
      ['kubeadm.k8s.io/v1beta4', 'InitConfiguration'],
      ['kubeadm.k8s.io/v1beta4', 'ClusterConfiguration'],
      ['kubeadm.k8s.io/v1beta4', 'JoinConfiguration'],
    ]);
  });

  it.each([
    ['apiServer', 'apiServer: {extraArgs: {v: "4", a: b, empty: null}}', 'apiServer.extraArgs'],
    ['controllerManager', 'controllerManager: {extraArgs: {v: "4", a: b, empty: ""}}', 'controllerManager.extraArgs'],
    ['scheduler', 'scheduler: {extraArgs: {v: "4", a: b, empty: ""}}', 'scheduler.extraArgs'],
    ['etcd', 'etcd: {local: {extraArgs: {v: "4", a: b, empty: ""}}}', 'etcd.local.extraArgs'],
  ])('makes a list of the arguments of %s, sorted by name', (_component, line, path) => {
    const { values, remarks } = migrate(oldCluster(line));
    const at = path
      .split('.')
      .reduce<unknown>((value, key) => (value as Record<string, unknown>)[key], values.ClusterConfiguration);
    expect(at).toEqual([
      { name: 'a', value: 'b' },
      { name: 'empty', value: '' },
      { name: 'v', value: '4' },
    ]);
    expect(remarks).toContainEqual({
      kind: 'ClusterConfiguration',
      from: path,
      to: path,
      message: `ClusterConfiguration: ${path} became a list of names and values, sorted by name: a, empty, v`,
    });
  });

  it.each(['InitConfiguration', 'JoinConfiguration'])('makes a list of the kubelet arguments of %s', (kind) => {
    const lines = ['nodeRegistration: {kubeletExtraArgs: {z: "1", node-ip: 192.0.2.1}}'];
    if (kind === 'JoinConfiguration') lines.push(`discovery: {${discovery}}`);
    const { values } = migrate(`${old(kind, ...lines)}---\n${clusterDocument()}`);
    expect(values[kind]).toMatchObject({
      nodeRegistration: {
        kubeletExtraArgs: [
          { name: 'node-ip', value: '192.0.2.1' },
          { name: 'z', value: '1' },
        ],
      },
    });
  });

  it('moves the timeout of the control plane into the InitConfiguration, which it makes', () => {
    const { values, remarks } = migrate(oldCluster('apiServer: {timeoutForControlPlane: 90s}'));
    expect(values.InitConfiguration).toMatchObject({ timeouts: { controlPlaneComponentHealthCheck: '1m30s' } });
    expect(values.ClusterConfiguration?.apiServer).toEqual({});
    expect(remarks).toContainEqual(
      expect.objectContaining({
        from: 'apiServer.timeoutForControlPlane',
        to: 'timeouts.controlPlaneComponentHealthCheck',
      }),
    );
  });

  it('keeps a timeout that the InitConfiguration gives in the new form', () => {
    const init =
      'apiVersion: kubeadm.k8s.io/v1beta4\nkind: InitConfiguration\ntimeouts: {controlPlaneComponentHealthCheck: 7m}\n';
    const { values, remarks } = migrate(`${init}---\n${oldCluster('apiServer: {timeoutForControlPlane: 90s}')}`);
    expect(values.InitConfiguration).toMatchObject({ timeouts: { controlPlaneComponentHealthCheck: '7m0s' } });
    expect(remarks).toContainEqual(expect.objectContaining({ from: 'apiServer.timeoutForControlPlane', to: '' }));
  });

  it('moves the timeout of discovery', () => {
    const { values } = migrate(old('JoinConfiguration', `discovery: {${discovery}, timeout: 30s}`));
    expect(values.JoinConfiguration).toMatchObject({ timeouts: { discovery: '30s', tlsBootstrap: '5m0s' } });
    expect(values.JoinConfiguration?.discovery).not.toHaveProperty('timeout');
  });

  it('takes taints as they are: none, the default, or an empty list', () => {
    const taints = (line: string) =>
      migrate(`${old('InitConfiguration', line)}---\n${oldCluster()}`).values.InitConfiguration?.nodeRegistration;
    expect(taints('nodeRegistration: {taints: []}')).toMatchObject({ taints: [] });
    expect(taints('nodeRegistration: {taints: null}')).toMatchObject({ taints: [{ effect: 'NoSchedule' }] });
  });

  it.each([
    ['extraEnvs', oldCluster('scheduler: {extraEnvs: []}'), ['scheduler.extraEnvs']],
    ['algorithm', oldCluster('encryptionAlgorithm: RSA-2048'), ['encryptionAlgorithm']],
    ['addons', oldCluster('proxy: {disabled: true}', 'dns: {disabled: true}'), ['proxy', 'dns.disabled']],
    ['timeouts', `${old('InitConfiguration', 'timeouts: {}')}---\n${oldCluster()}`, ['timeouts']],
    ['a list of arguments', oldCluster('apiServer: {extraArgs: [{name: a, value: b}]}'), ['apiServer.extraArgs']],
    ['a number as argument', oldCluster('apiServer: {extraArgs: {v: 4}}'), ['apiServer.extraArgs.v']],
    ['a number as timeout', oldCluster('apiServer: {timeoutForControlPlane: 4}'), ['apiServer.timeoutForControlPlane']],
    ['a field that never was', oldCluster('bogus: 1'), ['bogus']],
  ])('refuses what v1beta3 did not have: %s', (_name, text, paths) => {
    expect(refusedPaths(text).toSorted()).toEqual(paths.toSorted());
  });

  it('refuses kinds that v1beta3 did not have, and older versions', () => {
    expect(() => migrate(old('ResetConfiguration'))).toThrow('no longer supported');
    expect(() => migrate(oldCluster().replace('v1beta3', 'v1beta2'))).toThrow('v1.22');
  });
});

describe('of v1', () => {
  const text = clusterDocument(
    'apiServer: {extraArgs: [{name: a, value: b, mergeMethod: append}, {name: c, value: d}]}',
  ).replace('v1beta4', 'v1');

  it('needs permission', () => {
    expect(() => migrate(text)).toThrow('experimental');
  });

  it('writes v1beta4 and tells which merge methods are lost', () => {
    const { values, remarks } = migrate(text, { allowExperimentalApi: true });
    expect(values.ClusterConfiguration).toMatchObject({
      apiVersion: 'kubeadm.k8s.io/v1beta4',
      apiServer: {
        extraArgs: [
          { name: 'a', value: 'b' },
          { name: 'c', value: 'd' },
        ],
      },
    });
    expect(remarks).toMatchObject([{ from: 'apiServer.extraArgs[0].mergeMethod', to: '' }]);
  });
});

it('tells which documents are not written', () => {
  const kubelet = 'apiVersion: kubelet.config.k8s.io/v1beta1\nkind: KubeletConfiguration\n';
  expect(migrate(kubelet)).toMatchObject({ text: '', remarks: [{ kind: 'KubeletConfiguration' }] });
});
