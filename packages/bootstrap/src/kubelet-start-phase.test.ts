import { parseYaml } from '@groundplane/manifest';
import { describe, expect, test } from 'vitest';
import { decisions, run } from '../test/init-run.ts';
import { initContext, initWorld } from '../test/init-world.ts';

const kubelet = '/var/lib/kubelet';
const selection = { only: ['kubelet-start'] };

async function started() {
  const ports = initWorld();
  const config = await initContext();
  const { error, changes } = await run(ports, config, selection);
  expect(error).toBeUndefined();
  return { ports, config, changes };
}

describe('the files of the kubelet', () => {
  test('are written before it is started, with modes of kubeadm', async () => {
    const { ports, changes } = await started();
    expect(changes).toEqual([
      `write ${kubelet}/kubeadm-flags.env`,
      `write ${kubelet}/instance-config.yaml`,
      `write ${kubelet}/config.yaml`,
      'restart kubelet',
    ]);
    for (const name of ['kubeadm-flags.env', 'instance-config.yaml', 'config.yaml']) {
      expect(ports.memory.mode(`${kubelet}/${name}`)).toBe(0o644);
    }
    expect(parseYaml(ports.memory.text(`${kubelet}/config.yaml`) ?? '')).toMatchObject({
      kind: 'KubeletConfiguration',
      staticPodPath: '/etc/kubernetes/manifests',
      containerRuntimeEndpoint: 'unix:///var/run/containerd/containerd.sock',
    });
  });

  test('an instance configuration to which an administrator added something stays', async () => {
    const { ports, config } = await started();
    const path = `${kubelet}/instance-config.yaml`;
    ports.memory.put(path, { content: `${ports.memory.text(path)}maxPods: 20\n`, mode: 0o644 });
    const { changes } = await run(ports, config, selection);
    expect(changes).toEqual([`write ${kubelet}/config.yaml`, 'restart kubelet']);
    expect(ports.memory.text(path)).toContain('maxPods: 20');
    expect(parseYaml(ports.memory.text(`${kubelet}/config.yaml`) ?? '')).toMatchObject({ maxPods: 20 });
  });
});

test('a patch may take away what this host adds to the configuration', async () => {
  const ports = initWorld({ units: { kubelet: {}, 'systemd-resolved': { active: true } } });
  const request = { ports, command: 'init phase kubelet-start' };
  const path = `${kubelet}/config.yaml`;
  await run(ports, await initContext({}, request), selection);
  expect(ports.memory.text(path)).toContain('resolvConf: /run/systemd/resolve/resolv.conf\n');
  ports.memory.put('/p/kubeletconfiguration+json.json', '[{"op": "remove", "path": "/resolvConf"}]');
  const config = await initContext({ documents: 'patches: {directory: /p}\n' }, request);
  expect((await run(ports, config, selection)).error).toBeUndefined();
  expect(ports.memory.text(path)).not.toContain('resolvConf');
});

describe('the kubelet is restarted', () => {
  test('not if it runs with the files that are there', async () => {
    const { ports, config } = await started();
    expect((await run(ports, config, selection)).changes).toEqual([]);
  });

  test('if it stopped', async () => {
    const { ports, config } = await started();
    ports.memory.putUnit('kubelet', { active: false });
    expect((await run(ports, config, selection)).changes).toEqual(['restart kubelet']);
  });

  test('if its kubeconfig is younger than its process', async () => {
    const { ports, config } = await started();
    await run(ports, config, { only: ['certs/ca', 'kubeconfig/kubelet'] });
    expect(await decisions(ports, config, selection)).toEqual({ 'kubelet-start': 'act' });
    expect((await run(ports, config, selection)).changes).toEqual(['restart kubelet']);
  });

  test('not where there is no init system: that is told and left to others', async () => {
    const ports = initWorld({ units: { kubelet: { initSystem: 'none', exists: false } } });
    const { error, events, changes } = await run(ports, await initContext(), selection);
    expect(error).toBeUndefined();
    expect(changes).not.toContain('restart kubelet');
    expect(events).toContainEqual(
      expect.objectContaining({ type: 'progress', message: expect.stringContaining('no supported init system') }),
    );
  });
});
