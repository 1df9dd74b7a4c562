import { isGroundplaneError } from '@groundplane/errors';
import { describe, expect, it } from 'vitest';
import { effectiveNodeName, kubeadmFlagsEnv, kubeletFlags, parseKubeadmFlagsEnv } from './kubelet-flags.ts';

describe('kubeletFlags', () => {
  it.each([
    ['nothing to say', { nodeName: 'node-a', hostName: 'node-a' }, []],
    ['another node name', { nodeName: 'other', hostName: 'node-a' }, ['hostname-override=other']],
    [
      'taints of a worker',
      {
        nodeName: 'node-a',
        hostName: 'node-a',
        taints: [
          { key: 'a', value: 'b', effect: 'NoSchedule' },
          { key: 'c', effect: 'NoExecute' },
        ],
      },
      ['register-with-taints=a=b:NoSchedule,c:NoExecute'],
    ],
    [
      'extra arguments after own ones, in their order, with repetition',
      {
        nodeName: 'other',
        hostName: 'node-a',
        extraArgs: [
          { name: 'v', value: '5' },
          { name: 'v', value: '4' },
          { name: 'a', value: '' },
        ],
      },
      ['hostname-override=other', 'v=5', 'v=4', 'a='],
    ],
    [
      'an extra argument instead of an own one',
      { nodeName: 'other', hostName: 'node-a', extraArgs: [{ name: 'hostname-override', value: 'third' }] },
      ['hostname-override=third'],
    ],
  ])('%s', (_name, facts, expected) => {
    expect(kubeletFlags(facts).map(({ name, value }) => `${name}=${value}`)).toEqual(expected);
  });
});

describe('kubeadm-flags.env', () => {
  const flags = [
    { name: 'hostname-override', value: 'other-name' },
    { name: 'eviction-hard', value: 'memory.available<5%' },
    { name: 'odd', value: 'q"b\\t\tn\nc\u0001eés\u00a0l\u2028' },
  ];

  it('is one quoted line', () => {
    expect(kubeadmFlagsEnv(flags)).toBe(
      'KUBELET_KUBEADM_ARGS="--hostname-override=other-name --eviction-hard=memory.available<5% --odd=q\\"b\\\\t\\tn\\nc\\x01eés\\u00a0l\\u2028"\n',
    );
  });

  it('without flags is an empty text', () => {
    expect(kubeadmFlagsEnv([])).toBe('KUBELET_KUBEADM_ARGS=""\n');
  });

  it.each([
    ['our own', kubeadmFlagsEnv(flags.slice(0, 2)), flags.slice(0, 2)],
    [
      'a value apart from its name',
      'KUBELET_KUBEADM_ARGS="--a b --c=d"\n',
      [
        { name: 'a', value: 'b' },
        { name: 'c', value: 'd' },
      ],
    ],
    ['no flags', 'KUBELET_KUBEADM_ARGS=\n', []],
  ])('reads %s', (_name, text, expected) => {
    expect(parseKubeadmFlagsEnv(text)).toEqual(expected);
  });

  it('refuses a file without the variable', () => {
    expect(() => parseKubeadmFlagsEnv('OTHER="--a=b"')).toThrow(
      expect.toSatisfy((thrown) => isGroundplaneError(thrown) && thrown.code === 'KUBELET_FLAGS_UNREADABLE'),
    );
  });
});

it('lets hostname-override decide the node name', () => {
  expect(effectiveNodeName('a', [])).toBe('a');
  const twice = ['b', 'c'].map((value) => ({ name: 'hostname-override', value }));
  expect(effectiveNodeName('a', twice)).toBe('c');
});
