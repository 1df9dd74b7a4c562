import { GroundplaneError } from '@groundplane/errors';
import type { Cluster, ClusterObject, Clusters, ObjectQuery } from '@groundplane/phases';
import { memoryPorts } from '@groundplane/phases/testing';
import { describe, expect, test } from 'vitest';
import { approvedCondition, kubeletRequestObject, type RequestOptions } from '../test/kubelet-request-world.ts';
import {
  followedRequest,
  type OwnRequest,
  ownRequestOf,
  ownRequestRemedy,
  ownRequestText,
} from './own-kubelet-request.ts';

const made = '2026-06-01T12:00:00Z';

async function requestAt(creationTimestamp: string, options: RequestOptions): Promise<ClusterObject> {
  const object = await kubeletRequestObject({ conditions: [], ...options });
  return { ...object, metadata: { ...object.metadata, creationTimestamp } };
}

/** An API server that has objects of any age; it lists them in no order of theirs. */
function ask(objects: readonly ClusterObject[], list?: Cluster['list']) {
  const ports = memoryPorts({ objects });
  const ages = new Map(objects.map(({ metadata }) => [metadata.name, metadata.creationTimestamp]));
  const connect: Clusters['connect'] = async (options) => {
    const cluster = await ports.clusters.connect(options);
    const aged = async (query: ObjectQuery) =>
      (await cluster.list(query)).map((object) => {
        const creationTimestamp = ages.get(object.metadata.name);
        return { ...object, metadata: { ...object.metadata, creationTimestamp } };
      });
    return { ...cluster, list: list ?? aged };
  };
  return ownRequestOf('node-a', { clusters: { connect }, kubeconfig: 'any' });
}

const condition = (type: string, more: object = {}) => ({ type, status: 'True', ...more });

describe('what became of the request of a node', () => {
  const signed = { certificate: 'eA==' };
  test.each<{
    readonly what: string;
    readonly options: RequestOptions;
    readonly status?: object;
    readonly text: string;
    readonly remedy: RegExp;
  }>([
    {
      what: 'nobody has decided',
      options: {},
      text: `its request csr-x of ${made} is pending, as nobody has approved it`,
      remedy: /node-autoapprove-bootstrap.*kubectl certificate approve csr-x$/,
    },
    {
      what: 'approved',
      options: { conditions: [approvedCondition] },
      text: `its request csr-x of ${made} is approved, and nobody has signed it`,
      remedy: /--cluster-signing-key-file.*groundplane certs sign-kubelet-requests csr-x; .*kubelet\.conf/,
    },
    {
      what: 'denied',
      options: { conditions: [condition('Denied', { reason: 'Unknown', message: 'who is that' })] },
      text: `its request csr-x of ${made} was denied: Unknown: who is that`,
      remedy: /kubectl describe csr csr-x/,
    },
    {
      what: 'failed',
      options: { conditions: [approvedCondition, condition('Failed', { message: 'usages' })] },
      text: `its request csr-x of ${made} was given up by the signer: usages`,
      remedy: /kubectl describe csr csr-x/,
    },
    {
      what: 'issued',
      options: { conditions: [approvedCondition] },
      status: signed,
      text: `its request csr-x of ${made} has its certificate, which the kubelet has not taken yet`,
      remedy: /log of the kubelet/,
    },
  ])('$what', async ({ options, status, text, remedy }) => {
    const object = await requestAt(made, options);
    const found = await ask([{ ...object, status: { ...(object.status as object), ...status } }]);
    expect(ownRequestText(found)).toBe(text);
    expect(ownRequestRemedy(found, 'node-a').join('\n')).toMatch(remedy);
  });

  test('the latest counts, and neither those of others nor those of servers', async () => {
    const objects = [
      await requestAt('2026-06-01T11:00:00Z', { name: 'old', conditions: [condition('Denied')] }),
      await requestAt('2026-06-01T12:00:00Z', { name: 'own' }),
      await requestAt('2026-06-01T12:01:00Z', { name: 'other', node: 'node-aa' }),
      await requestAt('2026-06-01T12:02:00Z', { name: 'server', purpose: 'serving' }),
      await requestAt('2026-06-01T12:03:00Z', { name: 'broken', spec: { request: 'eA==' } }),
    ];
    expect(await ask(objects)).toMatchObject({ name: 'own', state: 'pending' });
    expect(await ask(objects.filter(({ metadata: { name } }) => name !== 'own' && name !== 'old'))).toEqual({
      state: 'unmade',
    });
  });

  test('that cannot be looked at is not called missing', async () => {
    const failing = (code: string) => async () => {
      throw new GroundplaneError(code, 'Cannot list', { kind: 'unavailable' });
    };
    const forbidden = await ask([], failing('CLUSTER_FORBIDDEN'));
    expect(ownRequestText(forbidden)).toMatch(/is not known: the token may not look at requests$/);
    expect(ownRequestRemedy(forbidden, 'node-a').join('\n')).toMatch(
      /system:node:node-a(.|\n)*kubectl get csr(.|\n)*Pending(.|\n)*Approved without Issued/,
    );
    expect(ownRequestText(await ask([], failing('CLUSTER_UNAVAILABLE')))).toMatch(/is not known: Cannot list$/);
    const nothing = await ownRequestOf('node-a', { clusters: memoryPorts().clusters, kubeconfig: undefined });
    expect(nothing).toMatchObject({ state: 'unseen' });
  });
});

describe('while it is awaited', () => {
  test('the cluster is asked after a while, and then now and then', async () => {
    const { clock } = memoryPorts();
    const answers: readonly OwnRequest[] = [
      { state: 'unmade' },
      { state: 'pending', name: 'csr-y', made: undefined, remark: undefined },
    ];
    let asked = 0;
    const look = followedRequest(async () => answers[asked++] ?? { state: 'unmade' }, clock);
    const after = async (ms: number) => {
      await clock.sleep(ms);
      return [await look(), asked];
    };
    const [unmade, pending] = [
      'the kubelet has not asked for it yet',
      'its request csr-y is pending, as nobody has approved it',
    ];
    expect(await after(0)).toEqual([undefined, 0]);
    expect(await after(2_999)).toEqual([undefined, 0]);
    expect(await after(1)).toEqual([unmade, 1]);
    expect(await after(4_999)).toEqual([unmade, 1]);
    expect(await after(1)).toEqual([pending, 2]);
    expect(await after(4_999)).toEqual([pending, 2]);
  });
});
