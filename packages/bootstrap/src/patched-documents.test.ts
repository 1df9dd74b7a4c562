import { type Pod, parseYaml } from '@groundplane/manifest';
import type { MemoryPorts } from '@groundplane/phases/testing';
import { describe, expect, test } from 'vitest';
import { decisions, plan, run } from '../test/init-run.ts';
import { initContext, initWorld } from '../test/init-world.ts';
import type { InitContext } from './init-context.ts';
import { phasesWithPatches } from './patched-documents.ts';

const manifests = '/etc/kubernetes/manifests';
const controlPlane = { only: ['etcd', 'control-plane'] };

/** A world whose node has these files of patches, and its context. */
async function patchedNode(
  files: Readonly<Record<string, string>>,
  { command = 'init', skip = '' } = {},
): Promise<{ readonly ports: MemoryPorts; readonly config: InitContext }> {
  const ports = initWorld({
    files: Object.fromEntries(Object.entries(files).map(([name, text]) => [`/srv/patches/${name}`, text])),
  });
  const documents = `patches: {directory: /srv/patches}\n${skip === '' ? '' : `skipPhases: [${skip}]\n`}`;
  return { ports, config: await initContext({ documents }, { ports, command }) };
}

function pod({ memory }: MemoryPorts, name: string): Pod {
  return parseYaml(memory.text(`${manifests}/${name}.yaml`) ?? '') as Pod;
}

describe('static pods', () => {
  test('are written with the patches of their component, and kept by a second run', async () => {
    const { ports, config } = await patchedNode({
      'etcd.yaml': 'spec: {hostname: one}\n',
      'sub/kube-scheduler+json.yaml': '[{op: add, path: /metadata/labels/a, value: b}]\n',
    });
    expect((await run(ports, config, controlPlane)).error).toBeUndefined();
    expect(pod(ports, 'etcd').spec).toMatchObject({ hostname: 'one' });
    expect(pod(ports, 'kube-scheduler').metadata.labels).toMatchObject({ a: 'b', tier: 'control-plane' });
    expect(pod(ports, 'kube-apiserver').metadata.labels).not.toHaveProperty('a');
    expect((await run(ports, config, controlPlane)).changes).toEqual([]);
    const without = await initContext({}, { ports });
    expect(await decisions(ports, without, controlPlane)).toMatchObject({
      'etcd/local': 'replace',
      'control-plane/apiserver': 'keep',
      'control-plane/scheduler': 'replace',
    });
  });

  test('may be patched against what we hold them to: that is told, not refused', async () => {
    const patch =
      'spec: {hostNetwork: null, containers: [{name: kube-scheduler, command: [kube-scheduler, --only]}]}\n';
    const { ports, config } = await patchedNode({ 'kube-scheduler.yaml': patch });
    const { error, events } = await run(ports, config, controlPlane);
    expect(error).toBeUndefined();
    const findings = events.flatMap((event) => (event.type === 'finding' ? [event.finding] : []));
    expect(findings).toContainEqual(
      expect.objectContaining({
        code: 'CONTROLPLANE_FLAG_MISSING',
        severity: 'warning',
        hint: expect.stringContaining('patches'),
      }),
    );
    expect(pod(ports, 'kube-scheduler').spec.containers[0]?.command).toEqual(['kube-scheduler', '--only']);
  });

  test('that somebody else broke are still refused where their phase is skipped', async () => {
    const patch = 'spec: {containers: [{name: kube-scheduler, command: [kube-scheduler, --only]}]}\n';
    const { ports, config } = await patchedNode({ 'kube-scheduler.yaml': patch });
    await run(ports, config, { only: ['certs', 'kubeconfig', 'etcd', 'control-plane'] });
    const path = `${manifests}/kube-scheduler.yaml`;
    ports.memory.put(path, {
      content: (ports.memory.text(path) ?? '').replace('hostNetwork: true', 'hostNetwork: false'),
      mode: 0o600,
    });
    const { phases } = await plan(ports, config, { skip: ['control-plane/scheduler', 'preflight'] });
    const errors = phases.flatMap(({ findings }) => findings.filter(({ severity }) => severity === 'error'));
    expect(errors.map(({ code }) => code)).toEqual(['CONTROLPLANE_MANIFEST_HOST_NETWORK']);
  });

  test('stop being pods by no patch', async () => {
    const { ports, config } = await patchedNode({ 'kube-scheduler+merge.yaml': 'spec: {containers: null}\n' });
    const { error, changes } = await run(ports, config, controlPlane);
    expect(error?.findings.map(({ code }) => code)).toContain('CONTROLPLANE_MANIFEST_NOT_A_POD');
    expect(changes).toEqual([]);
  });
});

describe('the configuration of the kubelet', () => {
  const files = {
    'kubeletconfiguration.yaml':
      'maxPods: 60\nhealthzPort: 11248\ncontainerRuntimeEndpoint: unix:///x.sock\nstaticPodPath: /elsewhere\n',
  };

  test('is patched for this node alone, and its instance configuration comes last', async () => {
    const { ports, config } = await patchedNode(files);
    const { error, events } = await run(ports, config, { only: ['kubelet-start'] });
    expect(error).toBeUndefined();
    expect(parseYaml(ports.memory.text('/var/lib/kubelet/config.yaml') ?? '')).toMatchObject({
      maxPods: 60,
      staticPodPath: '/elsewhere',
      containerRuntimeEndpoint: 'unix:///var/run/containerd/containerd.sock',
    });
    expect(config.kubelet).not.toHaveProperty('maxPods');
    expect(events).toContainEqual(
      expect.objectContaining({
        finding: expect.objectContaining({ artifact: 'config.yaml#staticPodPath', severity: 'warning' }),
      }),
    );
    expect((await run(ports, config, { only: ['kubelet-start'] })).changes).toEqual([]);
  });

  test('says where the kubelet is asked for its health', async () => {
    const { ports, config } = await patchedNode({ 'kubeletconfiguration+merge.yaml': 'healthzPort: 11248\n' });
    const asked: string[] = [];
    const { probe } = ports.host;
    const host = {
      ...ports.host,
      probe: (url: string, options: { readonly timeoutMs: number }) => {
        asked.push(url);
        return probe(url.replace(':11248/', ':10248/'), options);
      },
    };
    expect((await run({ ...ports, host }, config)).error).toBeUndefined();
    expect(asked).toContain('http://127.0.0.1:11248/healthz');
  });
});

describe('a patch that does not fit is told before anything is written', () => {
  const broken = { 'kube-scheduler.yaml': 'a: 1\n---\nspec: {containers: [{image: x}]}\n' };
  const refusal = {
    code: 'PATCHES_NOT_APPLICABLE',
    kind: 'usage',
    message: expect.stringContaining('kube-scheduler.yaml, document 2,'),
  };

  test.each(['init', 'init phase control-plane all', 'init phase control-plane scheduler'])(
    'by %s',
    async (command) => {
      await expect(patchedNode(broken, { command })).rejects.toMatchObject(refusal);
    },
  );

  test.each([
    { command: 'init phase control-plane apiserver' },
    { command: 'init phase etcd local' },
    { command: 'init', skip: 'control-plane' },
  ])('but not where its phase does not run: $command $skip', async (options) => {
    expect((await patchedNode(broken, options)).config.patches).toHaveLength(1);
  });

  test('and the folder is not looked at where no phase wants it', async () => {
    const ports = initWorld();
    const documents = 'patches: {directory: /none}\n';
    const { patches } = await initContext({ documents }, { ports, command: 'init phase certs all' });
    expect(patches).toEqual([]);
    await expect(initContext({ documents }, { ports })).rejects.toMatchObject({ code: 'BOOTSTRAP_PATCHES_UNREADABLE' });
  });
});

test('a relative folder counts from where the command runs', async () => {
  const ports = initWorld({ files: { '/srv/patches/etcd.yaml': 'spec: {hostname: a}\n' } });
  const documents = 'patches: {directory: patches}\n';
  const { patches } = await initContext({ documents }, { ports, workingDirectory: '/srv' });
  expect(patches.map(({ path }) => path)).toEqual(['etcd.yaml']);
});

test.each([
  ['init phase certs all', [], []],
  [
    'init phase control-plane all',
    [],
    ['control-plane/apiserver', 'control-plane/controller-manager', 'control-plane/scheduler'],
  ],
  ['init phase etcd local', [], ['etcd/local']],
  ['init phase kubelet-start', [], ['kubelet-start']],
  ['init phase addon all', [], ['addon/kube-proxy', 'addon/coredns']],
  [
    'init',
    ['Control-Plane/all', 'preflight', 'wait-control-plane', 'kubelet-start', 'addon/coredns'],
    ['etcd/local', 'addon/kube-proxy'],
  ],
] as const)('patches concern of %s without %j: %j', (command, skip, phases) => {
  expect(phasesWithPatches(command, skip)).toEqual(phases);
});
