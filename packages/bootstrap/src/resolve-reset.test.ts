import { GroundplaneError } from '@groundplane/errors';
import { type ClusterObject, planWorkflow } from '@groundplane/phases';
import type { MemoryPortsOptions } from '@groundplane/phases/testing';
import { describe, expect, it } from 'vitest';
import { etcdManifest, resetWorld } from '../test/reset-world.ts';
import { type ResetRequest, resetWorkflow, resolveReset } from './index.ts';

const manifest = '/etc/kubernetes/manifests/etcd.yaml';

function kubeadmConfig(text: string): ClusterObject {
  return {
    apiVersion: 'v1',
    kind: 'ConfigMap',
    metadata: { namespace: 'kube-system', name: 'kubeadm-config' },
    data: { ClusterConfiguration: `apiVersion: kubeadm.k8s.io/v1beta4\nkind: ClusterConfiguration\n${text}` },
  };
}

const node = (name: string, machineID: string, role = 'control-plane'): ClusterObject => ({
  apiVersion: 'v1',
  kind: 'Node',
  metadata: { name, labels: role === '' ? {} : { [`node-role.kubernetes.io/${role}`]: '' } },
  status: { nodeInfo: { machineID } },
});

/** A node whose API server answers with these objects. */
const reachable = (...objects: readonly ClusterObject[]): MemoryPortsOptions => ({
  objects,
  apiRefusal: () => undefined,
  facts: { hostName: async () => 'CP1\n', machineId: async () => 'm1' },
});

async function resolved(world: MemoryPortsOptions = {}, request: Partial<ResetRequest> = {}) {
  const ports = resetWorld(world);
  const result = await resolveReset({ ports, ...request });
  expect(ports.memory.writes).toEqual([]);
  return result;
}

describe('the data of etcd', () => {
  it('is where the cluster says', async () => {
    const { context, warnings } = await resolved(reachable(kubeadmConfig('etcd: {local: {dataDir: /stored}}\n')));
    expect(context.etcd).toEqual({ dataDirectory: '/stored' });
    expect(warnings).toEqual([]);
  });

  it('is where the manifest says if the cluster does not answer', async () => {
    const { context, warnings } = await resolved({ files: { [manifest]: etcdManifest('/data//etcd/') } });
    expect(context.etcd).toEqual({ dataDirectory: '/data/etcd' });
    expect(warnings).toMatchObject([{ code: 'BOOTSTRAP_CLUSTER_UNREACHABLE', artifact: '/etc/kubernetes/admin.conf' }]);
  });

  it.each([
    { name: 'no YAML', text: '{' },
    { name: 'no pod', text: 'invalid pod' },
    { name: 'no such volume', text: etcdManifest('/data').replace('etcd-data', 'data') },
    { name: 'a relative path', text: etcdManifest('data') },
  ])('is left where the manifest is unusable: $name', async ({ text }) => {
    const { context } = await resolved({ files: { [manifest]: text } });
    expect(context.etcd.leftBecause).toContain('manifest');
  });

  it.each([
    ['is unknown to a look', true, { phase: 'remove-etcd-member', decision: 'unknown' }],
    ['is left by a run', false, { phase: 'remove-etcd-member', decision: 'inapplicable' }],
  ])('%s where the manifest may not be read', async (_, dryRun, expected) => {
    const ports = resetWorld({ files: { [manifest]: etcdManifest('/data/etcd') } });
    const reason = `Cannot read ${manifest} as permission is denied (EACCES)`;
    const { files } = ports.host;
    const closed: typeof files = {
      ...files,
      read: async (path) => {
        if (path === manifest) throw new GroundplaneError('HOST_FILE_UNREADABLE', reason, { kind: 'unavailable' });
        return files.read(path);
      },
    };
    const hidden = { ...ports, host: { ...ports.host, files: closed } };
    const { context } = await resolveReset({ ports: hidden, flags: { 'dry-run': dryRun } });
    const { phases } = await planWorkflow({ workflow: resetWorkflow, config: context, ports: hidden });
    const found = phases.find(({ phase }) => phase === 'remove-etcd-member');
    expect(found).toMatchObject(expected);
    if (dryRun) expect(found?.reason).toBe(reason);
  });

  it.each(['/etc/kubernetes', '/etc/kubernetes/../kubernetes/', '/etc/kubernetes/pki', '/etc/kubernetes/pki/etcd'])(
    'is left where the manifest says %s, which holds other things',
    async (directory) => {
      const { context, warnings } = await resolved({ files: { [manifest]: etcdManifest(directory) } });
      expect(context.etcd.leftBecause).toMatch(/in it$/);
      expect(warnings.map(({ code }) => code)).toContain('BOOTSTRAP_ETCD_LEFT');
    },
  );

  it.each(['/srv/pki', '/srv'])('is left in %s while the certificates are there', async (directory) => {
    const world = { files: { [manifest]: etcdManifest(directory), '/srv/pki/ca.key': 'key' } };
    const { context } = await resolved(world, { flags: { 'cert-dir': '/srv/pki' } });
    expect(context.etcd.leftBecause).toBeDefined();
  });

  it.each([
    { name: "it is the kubelet's folder", directory: '/var/lib/kubelet' },
    { name: 'other control planes are there', directory: '/var/lib/kubelet/etcd', others: [node('cp2', 'm2')] },
  ])('stops reset where it is to be left in a folder that is emptied: $name', async ({ directory, others = [] }) => {
    const world = {
      ...reachable(kubeadmConfig(`etcd: {local: {dataDir: ${directory}}}\n`), node('cp1', 'm1'), ...others),
      files: { [`${directory}/member/snap/db`]: 'data' },
    };
    await expect(resolved(world)).rejects.toMatchObject({
      code: 'BOOTSTRAP_RESET_REFUSED',
      message: expect.stringContaining(directory),
    });
  });

  it('may be in a folder that is emptied if it goes as well', async () => {
    const directory = '/var/lib/kubelet/etcd';
    const { context } = await resolved({ files: { [manifest]: etcdManifest(directory) } });
    expect(context.etcd).toEqual({ dataDirectory: directory });
  });

  it('is named by what a link leads to', async () => {
    const ports = resetWorld({ files: { [manifest]: etcdManifest('/data/etcd') } });
    const { files } = ports.host;
    const realPath = async (path: string) => (path === '/data/etcd' ? '/disk/etcd' : path);
    const linked = { ...ports, host: { ...ports.host, files: { ...files, realPath } } };
    expect((await resolveReset({ ports: linked })).context.etcd).toEqual({ dataDirectory: '/disk/etcd' });
  });

  it('is left beside an external etcd', async () => {
    const { context } = await resolved(reachable(kubeadmConfig('etcd: {external: {endpoints: [https://x:2379]}}\n')));
    expect(context.etcd.leftBecause).toContain('external');
  });

  it('is left while other control planes are there, unless forced', async () => {
    const world = reachable(
      kubeadmConfig('etcd: {local: {dataDir: /var/lib/etcd}}\n'),
      node('cp1', 'm1'),
      node('cp2', 'm2'),
      node('worker', 'm3', ''),
    );
    const { context, warnings } = await resolved(world);
    expect(context.etcd.leftBecause).toMatch(/cluster of cp2$/);
    expect(warnings).toMatchObject([{ code: 'BOOTSTRAP_ETCD_LEFT' }]);
    const forced = await resolved(world, { flags: { force: true } });
    expect(forced.context.etcd).toEqual({ dataDirectory: '/var/lib/etcd' });
    expect(forced.warnings).toMatchObject([{ code: 'BOOTSTRAP_ETCD_LEFT', message: expect.stringContaining('cp2') }]);
  });

  it.each([
    { name: 'its service runs', world: { units: { etcd: { active: true } } } },
    { name: 'its port is taken', world: { facts: { canListen: async () => false } } },
  ])('is left without a manifest while another etcd runs: $name', async ({ world }) => {
    const ports = resetWorld({ ...world, files: { '/var/lib/etcd/member/wal/0': '' } });
    ports.memory.remove(manifest);
    const { context } = await resolveReset({ ports });
    expect(context.etcd.leftBecause).toContain('did not start');
  });
});

describe('this node', () => {
  it('is known by its name', async () => {
    const { context } = await resolved(reachable(node('cp1', 'other'), node('cp2', 'm1')));
    expect([context.nodeName, context.etcd.leftBecause]).toEqual(['cp1', expect.stringMatching(/of cp2$/)]);
  });

  it('is known by its machine id where it has a name of its own', async () => {
    const { context } = await resolved(reachable(node('first', 'm1')));
    expect([context.nodeName, context.etcd.leftBecause]).toEqual(['first', undefined]);
  });

  it('is taken for none of several that are copies of each other', async () => {
    const { context } = await resolved(reachable(node('first', 'm1'), node('second', 'm1')));
    expect(context.etcd.leftBecause).toMatch(/of first, second$/);
  });
});

describe('directories', () => {
  it.each(['/', '/etc', '/var/lib/', '/etc/ssl'])('refuses certificates in %s', async (directory) => {
    await expect(resolved({}, { flags: { 'cert-dir': directory } })).rejects.toMatchObject({
      code: 'BOOTSTRAP_RESET_REFUSED',
      kind: 'refused',
    });
  });

  it.each([
    { path: '/etc/kubernetes/pki', target: '/etc' },
    { path: '/etc/kubernetes/manifests', target: '/etc/kubernetes' },
    { path: '/var/lib/kubelet', target: '/var' },
    { path: '/var/lib/kubelet', target: '/etc/kubernetes' },
    { path: '/var/lib/kubelet', target: '/etc/kubernetes/pki' },
    { path: '/etc/kubernetes/manifests', target: '/etc/kubernetes/pki/etcd' },
    { path: '/etc/kubernetes/manifests', target: '/var/lib/kubelet' },
  ])('refuses $path if it leads to $target', async ({ path, target }) => {
    const ports = resetWorld();
    const { files } = ports.host;
    const linked = {
      ...ports,
      host: {
        ...ports.host,
        files: { ...files, realPath: async (asked: string) => (asked === path ? target : asked) },
      },
    };
    await expect(resolveReset({ ports: linked })).rejects.toMatchObject({
      code: 'BOOTSTRAP_RESET_REFUSED',
      message: expect.stringMatching(new RegExp(`^Cannot clean up ${target} as `)),
    });
  });

  it('knows the folder of Kubernetes by what it leads to, too', async () => {
    const ports = resetWorld();
    const { files } = ports.host;
    const realPath = async (path: string) =>
      path.startsWith('/etc/kubernetes') ? path.replace('/etc', '/data') : path === '/var/lib/kubelet' ? '/data' : path;
    const linked = { ...ports, host: { ...ports.host, files: { ...files, realPath } } };
    await expect(resolveReset({ ports: linked })).rejects.toMatchObject({ code: 'BOOTSTRAP_RESET_REFUSED' });
  });

  it.each(['/etc/kubernetes', '/var/lib/kubelet', '/var/lib/kubelet/pki', '/etc/kubernetes/manifests'])(
    'accepts certificates in %s',
    async (directory) => {
      const { context } = await resolved({}, { flags: { 'cert-dir': directory } });
      expect(context.directories.pki).toBe(directory);
    },
  );

  it('takes an ordinary link for what it leads to', async () => {
    const ports = resetWorld();
    const { files } = ports.host;
    const realPath = async (path: string) => (path === '/var/lib/kubelet' ? '/data/kubelet' : path);
    const linked = { ...ports, host: { ...ports.host, files: { ...files, realPath } } };
    expect((await resolveReset({ ports: linked })).context.directories.kubelet).toBe('/data/kubelet');
  });

  it("takes the cluster's certificates directory unless another is named", async () => {
    const world = reachable(kubeadmConfig('certificatesDir: /srv/pki\n'));
    const { context, warnings } = await resolved(world);
    expect(context.directories.pki).toBe('/srv/pki');
    expect(warnings).toMatchObject([{ code: 'BOOTSTRAP_RESET_DIRECTORY' }]);
    const named = await resolved(world, { flags: { 'cert-dir': '/etc/kubernetes/pki' } });
    expect(named.context.directories.pki).toBe('/etc/kubernetes/pki');
  });
});

describe('the runtime', () => {
  const two = { facts: { sockets: async (all: readonly string[]) => all.slice(0, 2) } };

  it('is the one that the kubelet of this node uses', async () => {
    expect((await resolved(two)).context.reset.criSocket).toBe('unix:///run/other.sock');
  });

  it('is the one that a flag names', async () => {
    const { context } = await resolved(two, { flags: { 'cri-socket': 'unix:///run/mine.sock' } });
    expect(context.reset.criSocket).toBe('unix:///run/mine.sock');
  });

  it('has to be named if there are several and the kubelet does not say', async () => {
    const ports = resetWorld(two);
    ports.memory.remove('/var/lib/kubelet');
    await expect(resolveReset({ ports })).rejects.toMatchObject({ code: 'CONFIG_INVALID' });
    await expect(resolveReset({ ports, command: 'reset phase remove-etcd-member' })).resolves.toBeDefined();
  });
});

describe('the confirmation', () => {
  it.each([
    { name: 'is to be asked for', flags: {}, confirmed: false },
    { name: 'is not needed by force', flags: { force: true }, confirmed: true },
    { name: 'is not needed for a dry run', flags: { 'dry-run': true }, confirmed: true },
  ])('$name', async ({ flags, confirmed }) => {
    expect((await resolved({}, { flags })).context.confirmed).toBe(confirmed);
  });
});
