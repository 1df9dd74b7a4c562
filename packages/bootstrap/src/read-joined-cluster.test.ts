import { GroundplaneError } from '@groundplane/errors';
import type { Cluster, ObjectReference } from '@groundplane/phases';
import type { MemoryPorts } from '@groundplane/phases/testing';
import { describe, expect, test } from 'vitest';
import { answeringServer, clusterObjects, joinWorld, server } from '../test/join-world.ts';
import { byFile, refusal, resolve } from '../test/resolved-join.ts';
import type { JoinRequest } from './resolve-join.ts';

/** Answers of the API server instead of those of the world, by name of the object. */
function answering(ports: MemoryPorts, answers: (reference: ObjectReference) => Error | undefined): MemoryPorts {
  return {
    ...ports,
    clusters: {
      async connect(options) {
        const cluster = await ports.clusters.connect(options);
        const get: Cluster['get'] = async (reference) => {
          const error = answers(reference);
          if (error !== undefined) throw error;
          return cluster.get(reference);
        };
        return { ...cluster, get };
      },
    },
  };
}

const fault = (code: string, message: string) => new GroundplaneError(code, message, { kind: 'refused' });
const unauthorized = fault('CLUSTER_UNAUTHORIZED', 'Cannot get it as the API server answers 401: Unauthorized');
const forbidden = fault('CLUSTER_FORBIDDEN', 'configmaps is forbidden: User "system:bootstrap:abcdef" cannot get it');

describe('settings of our own that a cluster may keep', () => {
  const asked = (error: Error, times: number) => {
    let left = times;
    return answering(joinWorld(), ({ name }) => (name === 'groundplane-config' && left-- > 0 ? error : undefined));
  };

  test.each([
    [
      'are read as soon as the server answers again',
      fault('CLUSTER_UNAVAILABLE', 'Cannot get it as nothing answers'),
      2,
    ],
    ['are none where they may not be read', fault('CLUSTER_FORBIDDEN', 'it is forbidden'), Number.POSITIVE_INFINITY],
  ])('%s', async (_, error, times) => {
    const { context } = await resolve(asked(error, times));
    expect(context.join.nodeRegistration.name).toBe('node-b');
  });

  test('end the join in its own words where the server stays silent', async () => {
    const silent = fault('CLUSTER_UNAVAILABLE', 'Cannot get it as nothing answers');
    const quickly = byFile('timeouts: {kubernetesAPICall: 3s}');
    expect(await refusal(asked(silent, Number.POSITIVE_INFINITY), quickly)).toMatchObject({
      code: 'BOOTSTRAP_CLUSTER_UNREADABLE',
      hint: expect.stringContaining('cluster-info'),
    });
  });
});

describe('what the cluster does not tell', () => {
  const quick = byFile('timeouts: {kubernetesAPICall: 3s}');

  test.each<[string, MemoryPorts, Partial<GroundplaneError>, readonly string[]]>([
    [
      'as the token is not known',
      answering(joinWorld(), () => unauthorized),
      { code: 'BOOTSTRAP_IDENTITY_UNKNOWN', kind: 'refused' },
      ['ConfigMap kube-system/', `${server} does not know the bootstrap token abcdef`, '401'],
    ],
    [
      'as the token may not read it',
      answering(joinWorld(), ({ name }) => (name === 'kubelet-config' ? forbidden : undefined)),
      { code: 'BOOTSTRAP_IDENTITY_FORBIDDEN', kind: 'refused' },
      [
        'ConfigMap kube-system/kubelet-config',
        'lacks the group system:bootstrappers:kubeadm:default-node-token',
        '403',
      ],
    ],
    [
      'as the token may not read Nodes',
      answering(joinWorld(), ({ kind }) => (kind === 'Node' ? forbidden : undefined)),
      { code: 'BOOTSTRAP_IDENTITY_FORBIDDEN' },
      ['Cannot read Node node-b'],
    ],
    [
      'as kubeadm-config is missing',
      joinWorld({ objects: clusterObjects().slice(1) }),
      { code: 'BOOTSTRAP_STORED_CONFIGURATION_MISSING', kind: 'conflict' },
      ['it has no ConfigMap kube-system/kubeadm-config'],
    ],
    [
      'as kubelet-config is missing',
      joinWorld({ objects: clusterObjects().slice(0, 1) }),
      { code: 'BOOTSTRAP_STORED_CONFIGURATION_MISSING' },
      ['it has no ConfigMap kube-system/kubelet-config'],
    ],
    [
      'as the key in kubeadm-config is missing',
      joinWorld({ objects: clusterObjects().map((object) => ({ ...object, data: {} })) }),
      { code: 'BOOTSTRAP_STORED_CONFIGURATION_MISSING' },
      ['ConfigMap kube-system/kubeadm-config has no key ClusterConfiguration'],
    ],
    [
      'as it holds what is no configuration',
      joinWorld({ objects: clusterObjects({ cluster: 'apiServer: [a]\n' }) }),
      { code: 'BOOTSTRAP_STORED_CONFIGURATION_INVALID', kind: 'conflict' },
      ['kube-system/kubeadm-config', 'apiServer'],
    ],
    [
      'as it does not answer',
      answering(joinWorld(), () =>
        fault('CLUSTER_UNAVAILABLE', 'Cannot get it as the API server cannot be reached: ENOTFOUND lb.example.com'),
      ),
      { code: 'BOOTSTRAP_CLUSTER_UNREADABLE', kind: 'unavailable' },
      ['ENOTFOUND lb.example.com'],
    ],
  ])('%s', async (_, ports, expected, parts) => {
    const error = await refusal(ports, quick);
    expect(error).toMatchObject(expected);
    for (const part of parts) expect(error.message).toContain(part);
  });

  test('yet is asked for again, and said so once', async () => {
    let left = 3;
    const ports = answering(joinWorld(), ({ name }) =>
      name === 'kubeadm-config' && left-- > 0 ? unauthorized : undefined,
    );
    const told: string[] = [];
    const { context } = await resolve(ports, { ...quick, progress: (message) => void told.push(message) });
    expect(context.cluster.clusterName).toBe('example');
    expect(told).toEqual([
      'Reading configuration from the "kubeadm-config" ConfigMap in namespace "kube-system"...',
      'Reading configuration from the "kubelet-config" ConfigMap in namespace "kube-system"...',
      expect.stringMatching(
        /^ConfigMap kube-system\/kubeadm-config cannot be read yet as .* \(401\); asking again for up to 3 s$/,
      ),
    ]);
  });

  test('on the way of discovery is said while it is awaited', async () => {
    let left = 2;
    const fetch: JoinRequest['fetch'] = async (url, options) =>
      left-- > 0 ? { fault: 'unreachable', reason: 'connect ECONNREFUSED' } : answeringServer(url, options);
    const told: string[] = [];
    await resolve(joinWorld(), { fetch, progress: (message) => void told.push(message) });
    expect(told.filter((message) => message.includes('ECONNREFUSED'))).toHaveLength(2);
    expect(told[0]).toMatch(/^Waiting for cluster-info of 192\.0\.2\.1:6443.*attempt 1/);
  });
});
