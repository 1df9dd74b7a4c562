import { runWorkflow } from '@groundplane/phases';
import type { MemoryPorts } from '@groundplane/phases/testing';
import { describe, expect, test } from 'vitest';
import { initContext, initWorld } from '../test/init-world.ts';
import { initWorkflow, nodeStatus } from './index.ts';

const lines = {
  cluster: 'certificatesDir: /srv/pki\nclusterName: acme\n',
  documents: '---\napiVersion: kubelet.config.k8s.io/v1beta1\nkind: KubeletConfiguration\nhealthzPort: 10348\n',
};

/** A node with ports of its own, of whose components one does not answer elsewhere. */
async function made(): Promise<MemoryPorts> {
  const ports = initWorld({
    probe: (url) =>
      /:(10348|7443|10257|10259|2381)\//.test(url)
        ? { status: 200, text: 'ok' }
        : { text: `connect ECONNREFUSED ${new URL(url).host}` },
  });
  const config = await initContext(lines);
  await runWorkflow({ workflow: initWorkflow, config, ports, actor: 'test' });
  ports.memory.put('/var/lib/etcd/member/snap/db', { content: 'data' });
  return ports;
}

function asOrdinaryUser(ports: MemoryPorts): MemoryPorts {
  const isHidden = (path: string) => /manifests\/|\.conf$|\.key$|^\/var\/lib\/kubelet\//.test(path);
  const { files } = ports.host;
  const read = async (path: string) => {
    if (isHidden(path)) throw Object.assign(new Error(`EACCES: permission denied, open '${path}'`), { code: 'EACCES' });
    return files.read(path);
  };
  const containers = async () => {
    throw new Error('EACCES: permission denied');
  };
  return {
    ...ports,
    host: { ...ports.host, files: { ...files, read } },
    runtime: { ...ports.runtime, containers },
  } as MemoryPorts;
}

describe('a component that does not answer where the defaults would have it', () => {
  test('is unknown for who may not read where it is', async () => {
    const { components } = await nodeStatus({ ports: asOrdinaryUser(await made()) });
    const of = (name: string) => components.find(({ component }) => component === name);
    for (const name of ['kubelet', 'kube-apiserver'])
      expect(of(name)).toMatchObject({ state: 'unknown', reason: expect.stringMatching(/not known.*ECONNREFUSED/) });
    // What answers does run.
    expect(of('kube-scheduler')?.state).toBe('running');
  });

  test('is stopped where it is known that its unit or its manifest is not there', async () => {
    const ports = await made();
    ports.memory.putUnit('kubelet', { active: false });
    ports.memory.remove('/etc/kubernetes/manifests/kube-apiserver.yaml');
    const { components } = await nodeStatus({ ports: asOrdinaryUser(ports) });
    expect(components.map(({ component, state }) => `${component} ${state}`)).toEqual(
      expect.arrayContaining(['kubelet stopped', 'kube-apiserver stopped']),
    );
  });

  test('is asked where its configuration says, by who may read it', async () => {
    const { components } = await nodeStatus({ ports: await made() });
    expect(components.find(({ component }) => component === 'kubelet')).toMatchObject({ state: 'running' });
  });
});
