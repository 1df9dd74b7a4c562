import { defaultGroundplaneConfiguration } from '@groundplane/config';
import type { FileStatus, Files } from '@groundplane/phases';
import { memoryPorts } from '@groundplane/phases/testing';
import { describe, expect, test } from 'vitest';
import { initWorld } from '../test/init-world.ts';
import { joinRequest, joinWorld } from '../test/join-world.ts';
import { resetWorld } from '../test/reset-world.ts';
import { resolveInit, resolveJoin, resolveReset } from './index.ts';
import { requireJournalPlace } from './journal-place.ts';

const layout = {
  kubernetes: '/etc/kubernetes',
  pki: '/opt/pki',
  kubelet: '/var/lib/kubelet',
  etcdData: '/data/etcd',
  nodeName: 'node-a',
  kubeletClientCertificate: '/opt/kubelet/kubelet-client-current.pem',
};
const entry = `${JSON.stringify({
  time: '2026-01-01T00:00:00.000Z',
  actor: 'test',
  workflow: 'init',
  phase: 'certs/ca',
  artifact: 'ca',
  location: '/etc/kubernetes/pki/ca.crt',
  action: 'created',
})}\n`;
const contents = {
  '/opt/notes.txt': 'remember the milk\n',
  '/opt/empty': '',
  '/opt/journal.jsonl': entry,
  '/opt/other.jsonl': entry,
  '/opt/other.jsonl.1': 'of somebody else',
  '/opt/large': 'x'.repeat(17 * 1024 * 1024),
};

/** Files with symbolic links, which those in memory have none of. */
function withLinks(files: Files, links: Readonly<Record<string, string>>): Files {
  const follow = (path: string): string => {
    const link = Object.keys(links).find((each) => path === each || path.startsWith(`${each}/`));
    return link === undefined ? path : follow(`${links[link]}${path.slice(link.length)}`);
  };
  const symlink: FileStatus = { kind: 'symlink', mode: 0o777, uid: 0, gid: 0, size: 0, modifiedMs: 0 };
  return {
    ...files,
    read: (path) => files.read(follow(path)),
    status: async (path, options) =>
      options?.followLinks === false && links[path] !== undefined ? symlink : files.status(follow(path)),
    realPath: (path) => files.realPath(follow(path)),
  };
}

const links = {
  '/var/run': '/run',
  '/opt/key': '/opt/pki/ca.key',
  '/opt/certificates': '/opt/pki',
  '/opt/gone': '/opt/nowhere',
  '/opt/foreign': '/opt/notes.txt',
  '/opt/linked': '/opt/journal.jsonl',
  '/etc/kubernetes': '/srv/kubernetes',
};

describe('a journal cannot be', () => {
  const judged = async (path: string, disabled = false) => {
    const { host } = memoryPorts({
      files: { ...contents, '/opt/pki/ca.key': 'key', '/run/x': '', '/mnt/x/y': '', '/srv/kubernetes/x': '' },
    });
    const groundplane = { ...defaultGroundplaneConfiguration, journal: { path, disabled } };
    return requireJournalPlace(groundplane, { files: withLinks(host.files, links), layout });
  };

  test.each([
    ['a file of a configured folder', '/opt/pki/new.key', 'must not be in /opt/pki'],
    ['in the data of etcd', '/data/etcd/x', 'must not be in /data/etcd'],
    [
      "the kubelet's certificate",
      layout.kubeletClientCertificate,
      'must not be /opt/kubelet/kubelet-client-current.pem',
    ],
    ['the folder of something that is to be made', '/data', '/data/etcd is in it'],
    ['a file that is no journal', '/opt/notes.txt', 'no journal'],
    ['a file that is too large for one', '/opt/large', 'no journal'],
    ['beside such a file, in which it would be set aside', '/opt/other.jsonl', 'set aside as /opt/other.jsonl.1'],
    ['a directory', '/opt', 'must be the path of a file'],
    ['another directory', '/mnt/x', 'there is a directory'],
    ['a link to a key', '/opt/key', 'links lead to /opt/pki/ca.key'],
    ['below a link to a folder of keys', '/opt/certificates/a/b', 'links lead to /opt/pki/a/b'],
    ['a link that leads nowhere', '/opt/gone', 'leads nowhere'],
    ['below one', '/opt/gone/journal', 'leads nowhere'],
    ['a link to what is no journal', '/opt/foreign', 'no journal'],
    ['in what a folder of Kubernetes leads to', '/srv/kubernetes/journal', 'which'],
    ['with the lock, by the other name of its folder', '/var/run/groundplane/lock', '/run/groundplane'],
  ])('%s', async (_, path, reason) => {
    await expect(judged(path)).rejects.toMatchObject({
      code: 'BOOTSTRAP_JOURNAL_REFUSED',
      kind: 'usage',
      message: expect.stringContaining(reason),
      findings: [{ artifact: 'journal.path' }],
    });
    // None is kept: nothing is in its way.
    expect(await judged(path, true)).toBeUndefined();
  });

  test.each([
    ['a new file', '/var/log/groundplane/journal.jsonl'],
    ['one that is there', '/opt/journal.jsonl'],
    ['an empty one', '/opt/empty'],
    ['a link to one', '/opt/linked'],
    ['below a link', '/var/run/journal.jsonl'],
  ])('elsewhere than it can: %s', async (_, path) => {
    expect(await judged(path)).toBeUndefined();
  });
});

describe('it is refused before anything is written, by', () => {
  const own = (path: string) =>
    `---\napiVersion: groundplane.dev/v1alpha1\nkind: GroundplaneConfiguration\njournal: {path: ${path}}\n`;
  const kubeadm = (kind: string, rest = '') => `apiVersion: kubeadm.k8s.io/v1beta4\nkind: ${kind}\n${rest}`;
  const refused = { code: 'BOOTSTRAP_JOURNAL_REFUSED' };
  const file = '/opt/notes.txt';

  test('init', async () => {
    const ports = initWorld();
    ports.memory.put(file, { content: 'mine' });
    const configText = kubeadm('InitConfiguration', 'localAPIEndpoint: {advertiseAddress: 192.0.2.10}\n') + own(file);
    await expect(resolveInit({ configText, ports })).rejects.toMatchObject(refused);
    expect(ports.memory.text(file)).toBe('mine');
  });

  test('join', async () => {
    const ports = joinWorld();
    ports.memory.put(file, { content: 'mine' });
    const discovery =
      'discovery: {bootstrapToken: {token: abcdef.0123456789abcdef, apiServerEndpoint: "192.0.2.1:6443", unsafeSkipCAVerification: true}}\n';
    const configText = kubeadm('JoinConfiguration', discovery) + own(file);
    const { endpoint: _, ...request } = await joinRequest(ports, { configText });
    await expect(resolveJoin(request)).rejects.toMatchObject(refused);
  });

  test('reset, for a folder that it is told of as well', async () => {
    const ports = resetWorld();
    const configText = kubeadm('ResetConfiguration', 'certificatesDir: /opt/pki\n') + own('/opt/pki/ca.key');
    await expect(resolveReset({ configText, ports })).rejects.toMatchObject(refused);
  });
});
