import type { Pod } from '@groundplane/manifest';
import { parseYaml } from '@groundplane/manifest';
import type { MemoryPorts } from '@groundplane/phases/testing';
import { describe, expect, test } from 'vitest';
import { decisions, run } from '../test/init-run.ts';
import { initContext, initWorld, kernelFiles } from '../test/init-world.ts';
import { opensslCertificate } from '../test/openssl.ts';
import { flagOf } from './health-checks.ts';

const manifests = '/etc/kubernetes/manifests';
const selection = { only: ['etcd', 'control-plane'] };

function pod({ memory }: MemoryPorts, name: string): Pod {
  return parseYaml(memory.text(`${manifests}/${name}.yaml`) ?? '') as Pod;
}

describe('with local etcd', () => {
  test('four manifests and a closed data directory are made', async () => {
    const ports = initWorld();
    const { changes } = await run(ports, await initContext(), selection);
    expect(changes).toEqual([
      'make-directory /var/lib/etcd',
      `write ${manifests}/etcd.yaml`,
      `write ${manifests}/kube-apiserver.yaml`,
      `write ${manifests}/kube-controller-manager.yaml`,
      `write ${manifests}/kube-scheduler.yaml`,
    ]);
    const modes = [manifests, `${manifests}/etcd.yaml`, '/var/lib/etcd'].map((path) => ports.memory.mode(path));
    expect(modes).toEqual([0o700, 0o600, 0o700]);
    expect(flagOf(pod(ports, 'kube-apiserver'), 'etcd-servers')).toBe('https://127.0.0.1:2379');
  });

  test('a data directory elsewhere is made there', async () => {
    const ports = initWorld();
    await run(ports, await initContext({ cluster: 'etcd:\n  local:\n    dataDir: /srv/etcd\n' }), selection);
    expect(ports.memory.mode('/srv/etcd')).toBe(0o700);
    expect(flagOf(pod(ports, 'etcd'), 'data-dir')).toBe('/srv/etcd');
  });

  test('a manifest that somebody changed is replaced, one that differs in layout only is kept', async () => {
    const ports = initWorld();
    const config = await initContext();
    await run(ports, config, selection);
    const path = `${manifests}/kube-scheduler.yaml`;
    ports.memory.put(path, { content: `# mine\n${ports.memory.text(path)}`, mode: 0o600 });
    expect(await decisions(ports, config, selection)).toMatchObject({ 'control-plane/scheduler': 'keep' });
    ports.memory.put(path, { content: (ports.memory.text(path) ?? '').replace('100m', '1'), mode: 0o600 });
    expect(await decisions(ports, config, selection)).toMatchObject({ 'control-plane/scheduler': 'replace' });
    const { changes } = await run(ports, config, selection);
    expect(changes).toEqual([`write ${path}`]);
  });

  test('without its data directory etcd is completed', async () => {
    const ports = initWorld();
    const config = await initContext();
    await run(ports, config, selection);
    ports.memory.remove('/var/lib/etcd');
    expect((await run(ports, config, selection)).changes).toEqual(['make-directory /var/lib/etcd']);
  });
});

describe('with external etcd', () => {
  const external = `etcd:
  external:
    endpoints: [https://192.0.2.21:2379, https://192.0.2.22:2379]
    caFile: /etc/etcd/ca.crt
    certFile: /etc/etcd/client.crt
    keyFile: /etc/etcd/client.key
`;

  test('there is no etcd here, and the API server is told where it is', async () => {
    const ports = initWorld();
    const config = await initContext({ cluster: external });
    expect(await decisions(ports, config, selection)).toMatchObject({ 'etcd/local': 'inapplicable' });
    const { error } = await run(ports, config, selection);
    expect(error).toBeUndefined();
    expect(ports.memory.paths().filter((path) => path.includes('etcd'))).toEqual([]);
    expect(ports.memory.mode('/var/lib/etcd')).toBeUndefined();
    const apiserver = pod(ports, 'kube-apiserver');
    expect(flagOf(apiserver, 'etcd-servers')).toBe('https://192.0.2.21:2379,https://192.0.2.22:2379');
    expect(flagOf(apiserver, 'etcd-certfile')).toBe('/etc/etcd/client.crt');
  });

  test('init runs to its end without a certificate of etcd, and again without a change', async () => {
    const files: Record<string, string> = Object.fromEntries(
      ['ca.crt', 'client.crt', 'client.key'].map((name) => [`/etc/etcd/${name}`, 'x']),
    );
    const ports = initWorld({
      externalEtcd: true,
      facts: { kernelFile: async (path) => ({ ...kernelFiles, ...files })[path] },
    });
    const config = await initContext({ cluster: external });
    expect((await run(ports, config)).error).toBeUndefined();
    expect(ports.memory.paths().filter((path) => path.includes('etcd'))).toEqual([]);
    expect(await run(ports, config)).toMatchObject({ changes: [], result: {} });
  });
});

test('with an external CA the controller manager is told not to sign', async () => {
  const { certificate } = opensslCertificate({ subject: '/CN=elsewhere' });
  const ports = initWorld({ files: { '/etc/kubernetes/pki/ca.crt': certificate } });
  await run(ports, await initContext(), { only: ['control-plane/controller-manager'] });
  expect(flagOf(pod(ports, 'kube-controller-manager'), 'cluster-signing-key-file')).toBe('');
});

test('proxy variables and host CA directories of the machine end up in the manifests', async () => {
  const ports = initWorld({
    files: { '/usr/share/ca-certificates/ca.crt': 'x' },
    facts: { proxyEnvironment: () => [{ name: 'HTTPS_PROXY', value: 'http://proxy:3128' }] },
  });
  await run(ports, await initContext({}, { ports }), selection);
  const [container] = pod(ports, 'kube-apiserver').spec.containers;
  expect(container?.env).toEqual([{ name: 'HTTPS_PROXY', value: 'http://proxy:3128' }]);
  expect(container?.volumeMounts?.map(({ mountPath }) => mountPath)).toContain('/usr/share/ca-certificates');
  expect(pod(ports, 'etcd').spec.containers[0]?.env).toBeUndefined();
});
