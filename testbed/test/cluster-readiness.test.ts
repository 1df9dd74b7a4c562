import { describe, expect, it } from 'vitest';
import { notReady } from '../src/cluster-readiness.ts';

const cluster = { controlPlane: 'a', nodes: ['a', 'b'] };
const object = (kind: string, name: string, status = 'True', namespace = 'kube-system') => ({
  kind,
  metadata: { name, namespace },
  status: { conditions: [{ type: 'Ready', status }] },
});
const complete = [
  object('Node', 'a'),
  object('Node', 'b'),
  ...['etcd', 'kube-apiserver', 'kube-controller-manager', 'kube-scheduler'].map((name) => object('Pod', `${name}-a`)),
  ...['coredns-1-x', 'coredns-1-y', 'kube-proxy-x', 'kube-proxy-y'].map((name) => object('Pod', name)),
];
const without = (name: string) => complete.filter(({ metadata }) => metadata.name !== name);

describe('notReady', () => {
  it.each([
    { name: 'nothing', objects: complete, missing: [] },
    { name: 'a node that has not registered', objects: without('b'), missing: ['no node b'] },
    { name: 'a static pod without its mirror', objects: without('etcd-a'), missing: ['no pod etcd'] },
    { name: 'a pod of an addon', objects: without('coredns-1-x'), missing: ['1 of 2 pods of coredns'] },
    { name: 'kube-proxy on the second node', objects: without('kube-proxy-y'), missing: ['1 of 2 pods of kube-proxy'] },
    {
      name: 'a pod of somebody else that is not Ready',
      objects: [...complete, object('Pod', 'web', 'False', 'default')],
      missing: ['Pod web'],
    },
    {
      name: 'a pod without conditions',
      objects: [...complete, { kind: 'Pod', metadata: { name: 'new', namespace: 'default' } }],
      missing: ['Pod new'],
    },
  ])('names what is missing: $name', ({ objects, missing }) => {
    expect(notReady(objects, cluster)).toEqual(missing);
  });
});
