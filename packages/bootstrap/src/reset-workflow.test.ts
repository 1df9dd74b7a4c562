import { type Event, planWorkflow, runWorkflow, type Selection } from '@groundplane/phases';
import { contractSuite, type MemoryPorts } from '@groundplane/phases/testing';
import { describe, expect, it } from 'vitest';
import { etcdManifest, pods, resetContext, resetWorld } from '../test/reset-world.ts';
import { resetWorkflow, resolveReset } from './index.ts';
import type { ResetContext } from './reset-context.ts';

describe('the contract', async () => {
  const config = await resetContext();
  for (const { name, run } of contractSuite({ workflow: resetWorkflow, config, world: () => resetWorld() }))
    it(name, run);
});

async function run(ports: MemoryPorts, config: ResetContext, selection: Selection = {}) {
  const events: Event[] = [];
  const result = await runWorkflow({
    workflow: resetWorkflow,
    config,
    ports,
    selection,
    actor: 'test',
    journal: '/var/lib/groundplane/journal.jsonl',
    report: (event) => void events.push(event),
  });
  const warnings = events.flatMap((event) => (event.type === 'finding' ? [event.finding] : []));
  const decisions = result.phases.map(({ phase, decision }) => `${phase} ${decision}`);
  return { decisions, warnings, events };
}

describe('reset', () => {
  it('leaves nothing of what init made but the journal', async () => {
    const ports = resetWorld();
    const { decisions, warnings } = await run(ports, await resetContext());
    expect(decisions).toEqual([
      'preflight keep',
      'remove-etcd-member act',
      'cleanup-node act',
      'cleanup-node/tmp inapplicable',
    ]);
    expect(warnings).toEqual([]);
    expect(ports.memory.paths()).toEqual(['/var/lib/groundplane/journal.jsonl']);
    for (const directory of ['/etc/kubernetes/manifests', '/etc/kubernetes/pki', '/var/lib/kubelet', '/var/lib/etcd'])
      expect([directory, ports.memory.mode(directory)]).toEqual([directory, 0o755]);
    expect(ports.memory.mode('/etc/kubernetes/pki/etcd')).toBeUndefined();
    expect(ports.memory.unit('kubelet')?.active).toBe(false);
    expect(ports.memory.sandboxes()).toEqual([]);
    expect(ports.memory.mounts()).toEqual(['proc /proc proc rw 0 0', '/dev/sdd /var/lib/kubelet-extra ext4 rw 0 0']);
  });

  it('stops the kubelet first, unmounts the inner before the outer, and removes pods before files', async () => {
    const ports = resetWorld();
    await run(ports, await resetContext());
    const order = ports.memory.writes
      .filter(({ action }) => action !== 'append')
      .map(({ action, location }) => `${action} ${location}`);
    expect(order.slice(0, 3)).toEqual([
      'stop kubelet',
      'remove-sandbox kube-system/etcd-node-a',
      'remove /var/lib/etcd',
    ]);
    expect(order.filter((step) => step.startsWith('unmount'))).toEqual([
      'unmount /var/lib/kubelet/pods/1/volumes/kubernetes.io~secret/tok/sub',
      'unmount /var/lib/kubelet/plugins/csi/pv one',
      'unmount /var/lib/kubelet/pods/1/volumes/kubernetes.io~secret/tok',
    ]);
    const lastPod = order.findLastIndex((step) => step.startsWith('remove-sandbox'));
    const lastMount = order.findLastIndex((step) => step.startsWith('unmount'));
    expect(lastPod).toBeLessThan(lastMount);
    expect(lastMount).toBeLessThan(order.indexOf('remove /var/lib/kubelet'));
  });

  it('has nothing to do the second time', async () => {
    const ports = resetWorld();
    await run(ports, await resetContext());
    const before = ports.memory.writes.length;
    const again = await run(ports, await resetContext({ ports }));
    expect(again.decisions).toEqual([
      'preflight keep',
      'remove-etcd-member keep',
      'cleanup-node keep',
      'cleanup-node/tmp inapplicable',
    ]);
    expect(again.warnings).toEqual([]);
    expect(ports.memory.writes.length).toBe(before);
  });

  it('removes what waits for a CA that is elsewhere', async () => {
    const waiting = ['pki/apiserver.csr', 'pki/etcd/server.csr', 'pki/intermediates.crt', 'admin.conf.csr'];
    const ports = resetWorld({ files: Object.fromEntries(waiting.map((name) => [`/etc/kubernetes/${name}`, 'x'])) });
    expect((await run(ports, await resetContext())).warnings).toEqual([]);
    expect(ports.memory.paths().filter((path) => path.startsWith('/etc'))).toEqual([]);
  });

  it('keeps what others put beside the certificates, and names it', async () => {
    const foreign = ['/etc/kubernetes/pki/corporate-ca.crt', '/etc/kubernetes/pki/etcd/backup/client.key'];
    const ports = resetWorld({ files: Object.fromEntries(foreign.map((path) => [path, 'theirs'])) });
    const { warnings } = await run(ports, await resetContext());
    expect(ports.memory.paths().filter((path) => path.startsWith('/etc'))).toEqual(foreign);
    expect(warnings).toMatchObject([
      {
        code: 'BOOTSTRAP_RESET_FOREIGN_FILE',
        message: 'Left as they are not ours: /etc/kubernetes/pki/corporate-ca.crt, /etc/kubernetes/pki/etcd/backup',
      },
    ]);
    const again = await run(ports, await resetContext({ ports }));
    expect(again.decisions).toContain('cleanup-node keep');
    expect(again.warnings).toMatchObject([{ code: 'BOOTSTRAP_RESET_FOREIGN_FILE' }]);
  });

  it.each([
    { directory: '/etc/kubernetes', more: {} },
    { directory: '/etc/kubernetes', more: { 'cleanup-tmp-dir': true } },
    { directory: '/etc/kubernetes/manifests', more: {} },
    { directory: '/var/lib/kubelet', more: {} },
    { directory: '/var/lib/kubelet/pki', more: {} },
    { directory: '/srv/pki', more: {} },
  ])(
    'says of certificates in $directory what is left in the end, and nothing else: $more',
    async ({ directory, more }) => {
      const files = ['corporate.crt', 'ca.key', 'tmp/old.key', 'etcd/theirs'].map((name) => `${directory}/${name}`);
      const ports = resetWorld({ files: Object.fromEntries(files.map((path) => [path, 'x'])) });
      const flags = { force: true, 'cert-dir': directory, ...more };
      const { warnings } = await run(ports, await resetContext({ flags, ports }));
      const said = warnings
        .filter(({ code }) => code === 'BOOTSTRAP_RESET_FOREIGN_FILE')
        .flatMap(({ message }) => message.replace(/^.*?: /, '').split(', '));
      const left = ports.memory.paths().filter((path) => path.startsWith(`${directory}/`));
      const isIn = (folder: string) => (path: string) => path === folder || path.startsWith(`${folder}/`);
      for (const one of said) expect([one, left.some(isIn(one))]).toEqual([one, true]);
      const unsaid = left.filter((path) => !said.some((one) => isIn(one)(path)));
      expect(unsaid.filter((path) => !path.startsWith('/etc/kubernetes/tmp/'))).toEqual([]);
      expect(said.some((one) => one.endsWith('corporate.crt'))).toBe(ports.memory.paths().includes(files[0] ?? ''));
    },
  );

  it('says nothing of data of etcd beside the certificates, as it goes', async () => {
    const directory = '/etc/kubernetes/pki/data';
    const files = {
      '/etc/kubernetes/manifests/etcd.yaml': etcdManifest(directory),
      [`${directory}/member/db`]: 'data',
    };
    const ports = resetWorld({ files });
    const { warnings } = await run(ports, await resetContext({ ports }));
    expect(warnings).toEqual([]);
    expect(ports.memory.paths().filter((path) => path.startsWith('/etc/'))).toEqual([]);
  });

  it('removes nothing below the kubelet directory while something is mounted there', async () => {
    const ports = resetWorld();
    const { unmount } = ports.host.mounts;
    const stuck = {
      ...ports,
      host: {
        ...ports.host,
        mounts: {
          ...ports.host.mounts,
          unmount: async (path: string) => {
            if (path.includes('pv one')) throw new Error(`Cannot unmount ${path} as it is busy`);
            return unmount(path);
          },
        },
      },
    };
    await expect(run(stuck, await resetContext())).rejects.toMatchObject({
      code: 'BOOTSTRAP_UNMOUNT_FAILED',
      message: expect.stringContaining('pv one as it is busy'),
    });
    expect(ports.memory.text('/var/lib/kubelet/config.yaml')).toBeDefined();
    expect(ports.memory.text('/etc/kubernetes/pki/ca.key')).toBeDefined();
  });

  it('hands the flags of umount2(2) on, and says which has no effect', async () => {
    const ports = resetWorld();
    const given: unknown[] = [];
    const { unmount } = ports.host.mounts;
    const watched = {
      ...ports,
      host: {
        ...ports.host,
        mounts: {
          ...ports.host.mounts,
          unmount: async (path: string, options?: { readonly force?: boolean; readonly lazy?: boolean }) => {
            given.push(options);
            return unmount(path, options);
          },
        },
      },
    };
    const configText = `apiVersion: kubeadm.k8s.io/v1beta4
kind: ResetConfiguration
force: true
unmountFlags: [MNT_DETACH, MNT_EXPIRE, UMOUNT_NOFOLLOW]
`;
    const { warnings } = await run(watched, await resetContext({ flags: {}, configText }));
    expect(given).toEqual([1, 2, 3].map(() => ({ force: false, lazy: true })));
    expect(warnings).toMatchObject([{ code: 'BOOTSTRAP_UNMOUNT_FLAG_IGNORED' }]);
  });

  it('goes on without runtime and without init system, and says what it could not do', async () => {
    const fails = async () => {
      throw new Error('nothing answers');
    };
    const ports = resetWorld({ runtime: { sandboxes: fails } });
    const { services } = ports.host;
    const bare = { ...ports, host: { ...ports.host, services: { ...services, stop: fails } } };
    const { warnings } = await run(bare, await resetContext());
    expect(new Set(warnings.map(({ artifact, message }) => `${artifact}: ${message}`))).toEqual(
      new Set([
        'kubelet: nothing answers',
        'kubelet: the kubelet runs',
        'pods: nothing answers',
        'pods: nothing answers; pods that run are not removed',
      ]),
    );
    expect(ports.memory.paths()).toEqual(['/var/lib/groundplane/journal.jsonl']);
  });

  it('names the pod that cannot be removed, and removes the others', async () => {
    const ports = resetWorld();
    const { removeSandbox } = ports.runtime;
    const stuck = {
      ...ports,
      runtime: {
        ...ports.runtime,
        removeSandbox: async (id: string) => {
          if (id === 'id-elsewhere') throw new Error('network plugin is not initialized');
          return removeSandbox(id);
        },
      },
    };
    const { warnings } = await run(stuck, await resetContext());
    expect(ports.memory.sandboxes().map(({ name }) => name)).toEqual(['elsewhere']);
    expect(warnings.map(({ message }) => message)).toEqual([
      'network plugin is not initialized',
      'a pod is there: elsewhere',
    ]);
    const plan = await planWorkflow({ workflow: resetWorkflow, config: await resetContext(), ports: stuck });
    expect(plan.phases.find(({ phase }) => phase === 'cleanup-node')).toMatchObject({ decision: 'act' });
  });

  it('stops before anything when nobody agreed, or the user is not root', async () => {
    const ports = resetWorld();
    await expect(run(ports, await resetContext({ flags: {} }))).rejects.toMatchObject({
      code: 'BOOTSTRAP_RESET_UNCONFIRMED',
    });
    const user = resetWorld({ facts: { uid: () => 1000 } });
    await expect(run(user, await resetContext())).rejects.toMatchObject({
      code: 'BOOTSTRAP_PREFLIGHT_FAILED',
      findings: [{ artifact: 'IsPrivilegedUser' }],
    });
    expect([...ports.memory.writes, ...user.memory.writes]).toEqual([]);
    const ignoring = await resetContext({ flags: { force: true, 'ignore-preflight-errors': ['IsPrivilegedUser'] } });
    const { warnings } = await run(user, ignoring);
    expect(warnings).toMatchObject([{ artifact: 'IsPrivilegedUser', severity: 'warning' }]);
  });
});

describe('a plan', () => {
  it('says what would go, and changes nothing', async () => {
    const ports = resetWorld({ files: { '/etc/kubernetes/tmp/backup/ca.key': 'old' } });
    const config = await resetContext({ flags: { 'dry-run': true, 'cleanup-tmp-dir': true } });
    const plan = await planWorkflow({ workflow: resetWorkflow, config, ports });
    const [preflight, etcd, node, temporary] = plan.phases;
    expect(preflight?.decision).toBe('deferred');
    expect(etcd).toMatchObject({ decision: 'act', outputs: [{ location: '/var/lib/etcd', action: 'removed' }] });
    expect(node?.reason).toBe(
      [
        'the kubelet runs',
        `5 pods are there: elsewhere, ${pods
          .slice(1)
          .map(({ name }) => `kube-system/${name}`)
          .join(', ')}`,
        '3 file systems are mounted below /var/lib/kubelet',
      ].join('; '),
    );
    expect(node?.outputs.map(({ location }) => location)).toEqual(
      expect.arrayContaining([
        '/etc/kubernetes/manifests',
        '/var/lib/kubelet',
        '/etc/kubernetes/pki/ca.key',
        '/etc/kubernetes/pki/etcd',
        '/etc/kubernetes/admin.conf',
      ]),
    );
    expect(temporary?.outputs).toMatchObject([{ location: '/etc/kubernetes/tmp' }]);
    expect(ports.memory.writes).toEqual([]);
  });
});

describe('a worker', () => {
  it('is reset without etcd, admin.conf and cluster', async () => {
    const joined = [
      '/etc/kubernetes/kubelet.conf',
      '/etc/kubernetes/bootstrap-kubelet.conf',
      '/etc/kubernetes/pki/ca.crt',
    ];
    const ports = resetWorld();
    ports.memory.remove('/etc/kubernetes');
    ports.memory.remove('/var/lib/etcd');
    for (const path of joined) ports.memory.put(path, 'joined');
    const { context, warnings } = await resolveReset({ flags: { force: true }, ports });
    expect(warnings).toEqual([]);
    const { decisions } = await run(ports, context);
    expect(decisions).toEqual([
      'preflight keep',
      'remove-etcd-member keep',
      'cleanup-node act',
      'cleanup-node/tmp inapplicable',
    ]);
    expect(ports.memory.paths()).toEqual(['/var/lib/groundplane/journal.jsonl']);
    // By the kubelet's own credentials, for where the journal is; it does not answer here, and nobody misses that.
    expect(ports.memory.connections).toMatchObject([{ kubeconfig: 'joined' }]);
  });
});

describe('what others put beside the certificates', () => {
  it('is named by the plan before it is left', async () => {
    const ports = resetWorld({ files: { '/etc/kubernetes/pki/corporate-ca.crt': 'theirs' } });
    const { phases } = await planWorkflow({ workflow: resetWorkflow, config: await resetContext(), ports });
    expect(phases.flatMap(({ findings }) => findings)).toMatchObject([{ code: 'BOOTSTRAP_RESET_FOREIGN_FILE' }]);
  });
});

describe('a phase alone', () => {
  it.each([
    { phase: 'remove-etcd-member', gone: '/var/lib/etcd', stays: '/etc/kubernetes/pki' },
    { phase: 'cleanup-node', gone: '/etc/kubernetes', stays: '/var/lib/etcd' },
  ])('$phase does its part', async ({ phase, gone, stays }) => {
    const ports = resetWorld();
    await run(ports, await resetContext({ command: `reset phase ${phase}` }), { only: [phase] });
    const paths = ports.memory.paths();
    expect(paths.filter((path) => path.startsWith(`${gone}/`))).toEqual([]);
    expect(paths.some((path) => path.startsWith(`${stays}/`))).toBe(true);
  });

  it('finds the data of etcd after the node was cleaned up', async () => {
    const ports = resetWorld();
    await run(ports, await resetContext({ command: 'reset phase cleanup-node' }), { only: ['cleanup-node'] });
    const { context } = await resolveReset({ ports, command: 'reset phase remove-etcd-member' });
    await run(ports, context, { only: ['remove-etcd-member'] });
    expect(ports.memory.paths().filter((path) => path.startsWith('/var/lib/etcd'))).toEqual([]);
  });
});
