import { describe, expect, test } from 'vitest';
import { applyPatches, patchFindings } from './apply-patches.ts';
import { readPatches } from './read-patches.ts';

function pod() {
  return {
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: { name: 'etcd', labels: { tier: 'control-plane' } },
    spec: { containers: [{ name: 'etcd', image: 'etcd:1', resources: {} }], priority: 5 },
    status: {},
  };
}

const sets = (files: Readonly<Record<string, string>>) =>
  readPatches(Object.entries(files).map(([path, text]) => ({ path, text })));

describe('applyPatches', () => {
  test('applies what is for the target, in order, and nothing else', () => {
    const patches = sets({
      'etcd0.yaml': 'spec: {priority: 6, hostname: a}\n---\nspec: {hostname: b}\n',
      'etcd1+json.yaml': '[{op: test, path: /spec/hostname, value: b}, {op: remove, path: /spec/priority}]\n',
      'kube-scheduler.yaml': 'metadata: {name: other}\n',
    });
    expect(applyPatches('etcd', pod(), patches)).toEqual({
      ...pod(),
      spec: { containers: pod().spec.containers, hostname: 'b' },
    });
  });

  test('leaves what it is given as it is', () => {
    const document = pod();
    const patches = sets({
      'etcd.yaml': 'spec: {containers: [{name: etcd, image: changed}, {name: b, env: [{name: x, $patch: delete}]}]}\n',
      'etcd+json.yaml':
        '[{op: add, path: /spec/tolerations, value: [{key: a}]}, {op: add, path: /spec/tolerations/-, value: {key: b}}]\n',
      'etcd+merge.yaml': 'spec: {containers: [{name: c, image: null}]}\n',
    });
    const before = structuredClone({ document, patches });
    applyPatches('etcd', document, patches);
    expect({ document, patches }).toEqual(before);
    expect(applyPatches('etcd', document, patches)).toEqual(applyPatches('etcd', document, patches));
  });

  test('gives back the same document if there is nothing to apply', () => {
    const document = pod();
    expect(applyPatches('etcd', document, sets({ 'kube-scheduler.yaml': 'spec: 5\n' }))).toBe(document);
  });

  test.each([
    ['strategic', 'etcd.yaml', 'spec: {containers: [{image: x}]}', 'containers lacks its merge key name'],
    ['merge', 'etcd+merge.yaml', '5', 'must be a mapping: the number 5'],
    ['json', 'etcd+json.yaml', '[{op: remove, path: /a/b}]', 'operation 1, remove /a/b, .* at /a: null'],
  ])('says of a patch of type %s in which document it is and why it does not fit', (type, path, text, reason) => {
    const patches = sets({ [path]: `# nothing\n---\n${type === 'json' ? '[]' : '{}'}\n---\n${text}\n` });
    expect(() => applyPatches('etcd', pod(), patches)).toThrow(
      expect.objectContaining({
        code: 'PATCHES_NOT_APPLICABLE',
        kind: 'usage',
        message: expect.stringMatching(
          new RegExp(`^Cannot apply the patch ${path.replace('+', '\\+')}, document 3, to etcd as .*${reason}`),
        ),
      }),
    );
  });

  test('blames the patch that made the document wrong for good', () => {
    const patches = sets({
      'etcd0.yaml': 'spec: {priority: high}\n',
      'etcd1.yaml': 'spec: {priority: 7}\n---\nspec: {hostNetwork: "yes"}\n---\nspec: {hostname: a}\n',
    });
    expect(() => applyPatches('etcd', pod(), patches)).toThrow(
      expect.objectContaining({
        code: 'PATCHES_RESULT_INVALID',
        message:
          'Cannot use the patch etcd1.yaml, document 2, for etcd as spec.hostNetwork must be a boolean: a string',
      }),
    );
  });

  test('quotes no text of a patch, as it may be secret', () => {
    const patches = sets({
      'etcd.yaml': 'spec: {containers: [{name: etcd, env: [{name: A, value: {s3cret: s3cret}}]}]}\n',
    });
    expect(() => applyPatches('etcd', pod(), patches)).toThrow(/env\[0\]\.value must be a string: an object/);
    expect(() => applyPatches('etcd', pod(), patches)).not.toThrow(/s3cret/);
  });

  test('is not deceived by names that every object has', () => {
    const patches = sets({ 'etcd.yaml': 'metadata: {labels: {constructor: a, __proto__: b}}\n' });
    const { labels } = applyPatches('etcd', pod(), patches).metadata;
    expect(Object.entries(labels)).toEqual([
      ['tier', 'control-plane'],
      ['constructor', 'a'],
      ['__proto__', 'b'],
    ]);
  });
});

describe('patchFindings', () => {
  const configuration = { apiVersion: 'kubelet.config.k8s.io/v1beta1', kind: 'KubeletConfiguration', maxPods: 110 };

  test('tells fields that vanish, and what sets them', () => {
    const patches = sets({
      'etcd.yaml': 'spec: {hostname: a}\n---\nspec: {hostnam: a, containers: [{name: etcd, Image: x}]}\n',
    });
    expect(patchFindings('etcd', pod(), patches)).toEqual(
      ['spec.hostnam', 'spec.containers[0].Image'].map((path) => ({
        code: 'PATCHES_FIELD_UNKNOWN',
        severity: 'warning',
        artifact: 'etcd.yaml',
        message: `Cannot keep what the patch etcd.yaml, document 2, sets as Pod has no such field: ${path}`,
      })),
    );
  });

  test('tells what the kubelet will not read', () => {
    const patches = sets({ 'kubeletconfiguration.yaml': 'maxPods: "60"\nmaxPod: 60\n' });
    const found = patchFindings('kubeletconfiguration', configuration, patches);
    expect(found.map(({ code, message }) => [code, message.split(': ').slice(-2).join(': ')])).toEqual([
      ['PATCHES_FIELD_UNKNOWN', expect.stringMatching(/: maxPod$/)],
      ['PATCHES_FIELD_MISTYPED', expect.stringMatching(/maxPods must be a whole number: a string$/)],
    ]);
  });

  test('says nothing where nothing is in vain', () => {
    const patches = sets({
      'kubeletconfiguration.yaml': 'maxPods: 60\nevictionHard: {memory.available: 5%}\nlogging: {flushFrequency: 5s}\n',
      'etcd.yaml': 'spec: {containers: [{name: etcd, resources: {limits: {memory: 1Gi}}}]}\n',
    });
    expect(patchFindings('kubeletconfiguration', configuration, patches)).toEqual([]);
    expect(patchFindings('etcd', pod(), patches)).toEqual([]);
  });
});
