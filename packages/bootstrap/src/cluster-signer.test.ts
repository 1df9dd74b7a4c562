import { GroundplaneError } from '@groundplane/errors';
import type { MemoryPorts } from '@groundplane/phases/testing';
import { describe, expect, test } from 'vitest';
import { run } from '../test/init-run.ts';
import { initContext, initWorld } from '../test/init-world.ts';
import { clusterObjects, joinWorld, kubeletCertificate, kubeletKubeconfig, paths } from '../test/join-world.ts';
import { approvedCondition, kubeletRequestObject } from '../test/kubelet-request-world.ts';
import { resolve } from '../test/resolved-join.ts';

const annotation = 'groundplane.dev/cluster-signer';

describe('the ConfigMap kubeadm-config', () => {
  const upload = async (ports: MemoryPorts) => {
    const command = 'init phase upload-config kubeadm';
    const context = await initContext({}, { ports, command });
    expect((await run(ports, context, { only: ['upload-config/kubeadm'] })).error).toBeUndefined();
    const configMap = ports.memory.objects().find(({ metadata }) => metadata.name === 'kubeadm-config');
    return configMap?.metadata.annotations;
  };
  const uploaded = async (lost: readonly string[]) => {
    const ports = initWorld();
    expect((await run(ports, await initContext(), {})).error).toBeUndefined();
    for (const name of lost) ports.memory.remove(`/etc/kubernetes/pki/${name}`);
    return upload(ports);
  };

  test('says that nothing signs where the key of the CA is elsewhere', async () => {
    expect(await uploaded(['ca.key'])).toEqual({ [annotation]: 'none' });
  });

  test('says so no longer once it is here', async () => {
    const ports = initWorld();
    expect((await run(ports, await initContext(), {})).error).toBeUndefined();
    const place = '/etc/kubernetes/pki/ca.key';
    const key = ports.memory.text(place) ?? '';
    ports.memory.remove(place);
    expect(await upload(ports)).toEqual({ [annotation]: 'none' });
    ports.memory.put(place, { content: key, mode: 0o600 });
    expect((await upload(ports)) ?? {}).toEqual({});
  });

  test('is left as it is by who cannot tell', async () => {
    const ports = initWorld();
    expect((await run(ports, await initContext(), {})).error).toBeUndefined();
    ports.memory.remove('/etc/kubernetes/pki/ca.key');
    await upload(ports);
    const cannotTell = await initContext({}, { ports, command: 'init phase upload-config kubeadm', looksOnly: true });
    const before = ports.memory.writes.length;
    expect((await run(ports, cannotTell, { only: ['upload-config/kubeadm'] })).error).toBeUndefined();
    expect(ports.memory.writes.slice(before)).toEqual([]);
  });

  test.each([[[]], [['front-proxy-ca.key']], [['etcd/ca.key']]])('is that of kubeadm without %s', async (lost) => {
    expect(await uploaded(lost)).toBeUndefined();
  });
});

describe('who joins', () => {
  const annotated = clusterObjects().map((object) =>
    object.metadata.name === 'kubeadm-config'
      ? { ...object, metadata: { ...object.metadata, annotations: { [annotation]: 'none' } } }
      : object,
  );
  /** Requests of others that were approved on the day before, some with a status of their own. */
  const waiting = async (requests: readonly (readonly [at: string, status?: object])[]) => {
    const objects = requests.map(async ([at, status], index) => {
      const approved = { ...approvedCondition, lastUpdateTime: `2025-12-31T${at}Z` };
      const object = await kubeletRequestObject({ name: `csr-${index}`, conditions: [approved] });
      return { ...object, status: { ...(object.status as object), ...status } };
    });
    return joinWorld({ objects: [...clusterObjects(), ...(await Promise.all(objects))] });
  };
  const warned = (warnings: readonly { readonly code: string }[]) => warnings.map(({ code }) => code);

  test('is told before anything is written', async () => {
    const { warnings } = await resolve(joinWorld({ objects: annotated }));
    expect(warnings).toMatchObject([
      {
        code: 'BOOTSTRAP_CLUSTER_SIGNER_MISSING',
        severity: 'warning',
        hint: expect.stringContaining('groundplane certs sign-kubelet-requests'),
      },
    ]);
  });

  test('is not told of what it has already', async () => {
    const files = { [paths.kubeconfig]: kubeletKubeconfig(), [paths.certificate]: await kubeletCertificate() };
    expect(warned((await resolve(joinWorld({ objects: annotated, files }))).warnings)).toEqual([]);
  });

  const issued = { certificate: 'eA==' };
  test.each<{ readonly what: string; readonly requests: readonly (readonly [at: string, status?: object])[] }>([
    { what: 'as long as it may still come', requests: [['23:59:01']] },
    { what: 'where a later one was signed', requests: [['22:00:00'], ['23:00:00', issued]] },
    { what: 'where it was denied', requests: [['22:00:00', { conditions: [{ type: 'Denied', status: 'True' }] }]] },
    { what: 'where nobody has approved it', requests: [['22:00:00', { conditions: [] }]] },
  ])('is not told of a request that waits, $what', async ({ requests }) => {
    expect(warned((await resolve(await waiting(requests))).warnings)).toEqual([]);
  });

  test('is told of a request that was approved and waits in vain', async () => {
    const { warnings } = await resolve(await waiting([['21:00:00', issued], ['22:00:00'], ['23:00:00']]));
    expect(warnings).toMatchObject([
      {
        code: 'BOOTSTRAP_CLUSTER_SIGNER_MISSING',
        severity: 'warning',
        artifact: 'CertificateSigningRequest csr-1',
        message: expect.stringMatching(/csr-1, was approved at 2025-12-31T22:00:00Z and has no certificate$/),
      },
    ]);
  });

  test('goes on where requests may not be looked at', async () => {
    const ports = await waiting([['22:00:00']]);
    const connect: MemoryPorts['clusters']['connect'] = async (options) => ({
      ...(await ports.clusters.connect(options)),
      list: async () => {
        throw new GroundplaneError('CLUSTER_FORBIDDEN', 'forbidden', { kind: 'refused' });
      },
    });
    expect(warned((await resolve({ ...ports, clusters: { connect } })).warnings)).toEqual([]);
  });

  test('has nothing to be told of elsewhere', async () => {
    expect(warned((await resolve(joinWorld())).warnings)).toEqual([]);
  });
});
