import { describe, expect, test } from 'vitest';
import { run } from '../test/init-run.ts';
import { initContext, initWorld } from '../test/init-world.ts';
import { clusterObjects, joinWorld, kubeletCertificate, kubeletKubeconfig, paths } from '../test/join-world.ts';
import { resolve } from '../test/resolved-join.ts';

const annotation = 'groundplane.dev/cluster-signer';

describe('the ConfigMap kubeadm-config', () => {
  const uploaded = async (lost: readonly string[]) => {
    const ports = initWorld();
    expect((await run(ports, await initContext(), {})).error).toBeUndefined();
    for (const name of lost) ports.memory.remove(`/etc/kubernetes/pki/${name}`);
    const command = 'init phase upload-config kubeadm';
    const context = await initContext({}, { ports, command });
    expect((await run(ports, context, { only: ['upload-config/kubeadm'] })).error).toBeUndefined();
    const configMap = ports.memory.objects().find(({ metadata }) => metadata.name === 'kubeadm-config');
    return configMap?.metadata.annotations;
  };

  test('says that nothing signs where the key of the CA is elsewhere', async () => {
    expect(await uploaded(['ca.key'])).toEqual({ [annotation]: 'none' });
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

  test('has nothing to be told of elsewhere', async () => {
    expect(warned((await resolve(joinWorld())).warnings)).toEqual([]);
  });
});
