import { isGroundplaneError } from '@groundplane/errors';
import { parseYaml } from '@groundplane/manifest';
import { describe, expect, it } from 'vitest';
import {
  instanceConfigDocument,
  kubeletConfigFile,
  parseKubeletConfig,
  systemdResolvConf,
} from './kubelet-config-file.ts';

const configuration = {
  apiVersion: 'kubelet.config.k8s.io/v1beta1',
  kind: 'KubeletConfiguration',
  containerRuntimeEndpoint: '',
  evictionHard: { 'memory.available': '5%' },
  syncFrequency: '0s',
};
const instanceConfig = instanceConfigDocument('unix:///run/x.sock');

it('writes the instance configuration on one line', () => {
  expect(instanceConfig).toBe('containerRuntimeEndpoint: "unix:///run/x.sock"\n');
});

describe('kubeletConfigFile', () => {
  it('merges the instance configuration last', () => {
    const patch = (document: object) => ({ ...document, containerRuntimeEndpoint: 'unix:///patched', maxPods: 60 });
    expect(kubeletConfigFile(configuration, { instanceConfig, patch })).toBe(
      [
        'apiVersion: kubelet.config.k8s.io/v1beta1',
        'containerRuntimeEndpoint: unix:///run/x.sock',
        'evictionHard:',
        '  memory.available: 5%',
        'kind: KubeletConfiguration',
        'maxPods: 60',
        'syncFrequency: 0s',
        '',
      ].join('\n'),
    );
  });

  it('keeps what an administrator added to the instance configuration', () => {
    const text = kubeletConfigFile(configuration, {
      instanceConfig: `${instanceConfig}maxPods: 7\nevictionHard: {nodefs.available: 1%}\nsyncFrequency: null\n`,
    });
    expect(parseYaml(text)).toEqual({
      apiVersion: configuration.apiVersion,
      kind: configuration.kind,
      containerRuntimeEndpoint: 'unix:///run/x.sock',
      evictionHard: { 'memory.available': '5%', 'nodefs.available': '1%' },
      maxPods: 7,
    });
  });

  it.each([
    ['is taken where none is set', {}, systemdResolvConf],
    ['does not replace one that is set', { resolvConf: '/etc/own.conf' }, '/etc/own.conf'],
    ['does not replace an empty one', { resolvConf: '' }, ''],
  ])('resolvConf %s', (_name, own, expected) => {
    const text = kubeletConfigFile({ ...configuration, ...own }, { instanceConfig, resolvConf: systemdResolvConf });
    expect(parseYaml(text)).toMatchObject({ resolvConf: expected });
  });
});

it.each([
  ['nothing', ''],
  ['a list', '- a\n'],
  ['a word', 'x\n'],
])('refuses %s as configuration', (_name, text) => {
  expect(() => parseKubeletConfig(text)).toThrow(
    expect.toSatisfy((thrown) => isGroundplaneError(thrown) && thrown.code === 'KUBELET_CONFIG_UNREADABLE'),
  );
});
