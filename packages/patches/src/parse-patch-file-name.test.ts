import { describe, expect, test } from 'vitest';
import { parsePatchFileName } from './parse-patch-file-name.ts';

const strategic = { suffix: '', type: 'strategic', extension: 'yaml' };

describe('a patch by its name', () => {
  test.each([
    ['kube-apiserver.yaml', { ...strategic, target: 'kube-apiserver' }],
    ['kube-apiserver0+merge.yaml', { ...strategic, target: 'kube-apiserver', suffix: '0', type: 'merge' }],
    ['etcd+json.json', { target: 'etcd', suffix: '', type: 'json', extension: 'json' }],
    ['kubeletconfiguration+strategic.yaml', { ...strategic, target: 'kubeletconfiguration' }],
    ['corednsdeployment-a b.yaml', { ...strategic, target: 'corednsdeployment', suffix: '-a b' }],
    ['kubeproxydaemonset.json', { target: 'kubeproxydaemonset', suffix: '', type: 'strategic', extension: 'json' }],
    ['etcdmain.yaml', { ...strategic, target: 'etcd', suffix: 'main' }],
    ['etcdjson.yaml', { ...strategic, target: 'etcd', suffix: 'json' }],
    ['kube-scheduler.d.yaml', { ...strategic, target: 'kube-scheduler' }],
    ['kube-scheduler+merge.old.yaml', { ...strategic, target: 'kube-scheduler', type: 'merge' }],
    ['kube-scheduler+mergers.yaml', { ...strategic, target: 'kube-scheduler', type: 'merge' }],
    ['kube-scheduler.+foo.yaml', { ...strategic, target: 'kube-scheduler' }],
    ['etcd.yaml.json', { target: 'etcd', suffix: '', type: 'strategic', extension: 'json' }],
  ])('%s', (name, expected) => {
    expect(parsePatchFileName(name)).toEqual(expected);
  });
});

describe('no patch by its name', () => {
  test.each(['etcd.yml', 'etcd.yaml~', 'etcd.yaml.bak', 'etcd', 'etcd.YAML', 'README.md', '.yaml', 'etcd+foo.txt'])(
    '%s, for its extension',
    (name) => {
      expect(parsePatchFileName(name)).toEqual({ ignored: expect.stringContaining('extension') });
    },
  );

  test.each([
    'Etcd.yaml',
    '0-etcd.yaml',
    '.etcd.yaml',
    ' etcd.yaml',
    'kubelet.yaml',
    'kube-proxy+foo.yaml',
    'pod.json',
  ])('%s, for its target', (name) => {
    expect(parsePatchFileName(name)).toEqual({ ignored: expect.stringContaining('kube-controller-manager') });
  });
});

test.each(['etcd+.yaml', 'etcd+foo.yaml', 'etcd0+Merge.yaml', 'etcd++merge.yaml', 'kube-scheduler+ merge.json'])(
  '%s is refused, as no type follows the plus',
  (name) => {
    const refusal = expect.objectContaining({
      code: 'PATCHES_FILE_NAME_INVALID',
      message: expect.stringContaining("unknown or missing patch type after '+'"),
      details: { name },
    });
    expect(() => parsePatchFileName(name)).toThrow(refusal);
  },
);
