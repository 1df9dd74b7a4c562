import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { request as httpsRequest } from 'node:https';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { etcdHealth, hasQuorum } from './cluster-health.ts';
import { createEtcdClient, type EtcdRequest, refusalIn } from './etcd-client.ts';
import { initialClusterOf, nextJoinStep } from './join-step.ts';
import { nextLeaveStep } from './leave-step.ts';

/** The client and the steps with real etcd processes on this host, by TLS. */

const etcd = join(process.env.GROUNDPLANE_COMPONENTS ?? '', 'etcd');
let folder = '';
const processes = new Map<string, ChildProcess>();

interface Node {
  readonly name: string;
  readonly peerUrl: string;
  readonly clientUrl: string;
}
let nodes: readonly Node[] = [];

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as { port: number };
  server.close();
  return port;
}

const pem = (name: string) => readFileSync(join(folder, name));
const post: EtcdRequest = (url, { body, signal }) =>
  new Promise((resolve, reject) => {
    const tls = { ca: pem('ca.crt'), cert: pem('node.crt'), key: pem('node.key') };
    const sent = httpsRequest(url, { method: 'POST', signal, ...tls }, (response) => {
      let text = '';
      response.on('data', (chunk) => {
        text += chunk;
      });
      response.on('end', () => resolve({ status: response.statusCode ?? 0, text }));
      response.on('error', reject);
    });
    sent.on('error', reject);
    sent.end(body);
  });
const clientOf = (...names: readonly string[]) =>
  createEtcdClient({
    endpoints: nodes.filter(({ name }) => names.includes(name)).map(({ clientUrl }) => clientUrl),
    request: post,
  });

function start({ name, peerUrl, clientUrl }: Node, initialCluster: string, state: 'new' | 'existing'): void {
  const [cert, key, ca] = ['node.crt', 'node.key', 'ca.crt'].map((file) => join(folder, file));
  const flags = {
    ...{ name, 'data-dir': join(folder, name), 'initial-cluster': initialCluster, 'initial-cluster-state': state },
    ...{ 'listen-peer-urls': peerUrl, 'initial-advertise-peer-urls': peerUrl },
    ...{ 'listen-client-urls': clientUrl, 'advertise-client-urls': clientUrl },
    ...{ 'cert-file': cert, 'key-file': key, 'trusted-ca-file': ca, 'client-cert-auth': 'true' },
    ...{ 'peer-cert-file': cert, 'peer-key-file': key, 'peer-trusted-ca-file': ca, 'peer-client-cert-auth': 'true' },
    ...{ 'log-level': 'error', 'unsafe-no-fsync': 'true' },
  };
  const child = spawn(
    etcd,
    Object.entries(flags).map(([flag, value]) => `--${flag}=${value}`),
    { stdio: 'ignore' },
  );
  processes.set(name, child);
}

async function kill(name: string): Promise<void> {
  const child = processes.get(name);
  if (child === undefined || child.exitCode !== null || child.signalCode !== null) return;
  child.kill('SIGKILL');
  await once(child, 'exit');
}

async function until(what: string, holds: () => Promise<boolean>): Promise<void> {
  for (const end = Date.now() + 30_000; Date.now() < end; await sleep(100))
    if (await holds().catch(() => false)) return;
  throw new Error(`it did not come to this in time: ${what}`);
}

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'groundplane-etcd-'));
  const openssl = (...args: readonly string[]) => execFileSync('openssl', args, { cwd: folder, stdio: 'pipe' });
  const key = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:P-256', '-noenc', '-days', '2'];
  openssl('req', '-x509', ...key, '-subj', '/CN=etcd-ca', '-keyout', 'ca.key', '-out', 'ca.crt');
  writeFileSync(join(folder, 'empty'), '');
  openssl(
    ...[
      'req',
      '-x509',
      ...key,
      '-subj',
      '/CN=node',
      '-keyout',
      'node.key',
      '-out',
      'node.crt',
      '-CA',
      'ca.crt',
      '-CAkey',
      'ca.key',
    ],
    ...['-addext', 'subjectAltName=IP:127.0.0.1', '-addext', 'basicConstraints=CA:FALSE'],
  );
  nodes = await Promise.all(
    ['a', 'b', 'c', 'd'].map(async (name) => ({
      name,
      peerUrl: `https://127.0.0.1:${await freePort()}`,
      clientUrl: `https://127.0.0.1:${await freePort()}`,
    })),
  );
  const [first] = nodes;
  if (first === undefined) throw new TypeError('no node');
  start(first, `a=${first.peerUrl}`, 'new');
  await until('the first member answers', async () => (await clientOf('a').members()).length === 1);
}, 60_000);
afterAll(async () => {
  for (const name of processes.keys()) await kill(name);
  rmSync(folder, { recursive: true, force: true });
});

const nodeOf = (name: string): Node => {
  const node = nodes.find((one) => one.name === name);
  if (node === undefined) throw new TypeError(name);
  return node;
};

/** Follows the steps to the end, as a phase does. @returns those that it took */
async function joinAs(name: string, { hasData = false } = {}): Promise<readonly string[]> {
  const own = nodeOf(name);
  const client = clientOf('a', 'b', 'c', 'd');
  const taken: string[] = [];
  let data = hasData;
  for (const end = Date.now() + 60_000; Date.now() < end; ) {
    const members = await client.members();
    const health = await etcdHealth(members, client);
    const step = nextJoinStep({ name, peerUrl: own.peerUrl, health, hasData: data });
    if (taken.at(-1) !== step.step) taken.push(step.step);
    switch (step.step) {
      case 'add':
        await client.addLearner(own.peerUrl).catch(passing);
        break;
      case 'remove':
        await client.remove(step.member.id);
        break;
      case 'start': {
        const initial = initialClusterOf(members, own).map((one) => `${one.name}=${one.peerUrl}`);
        start(own, initial.join(','), 'existing');
        data = true;
        await until(`${name} starts`, async () => (await client.members()).some((one) => one.name === name));
        break;
      }
      case 'promote':
        await client.promote(step.member.id).catch(passing);
        await sleep(100);
        break;
      case 'wait':
        await sleep(100);
        break;
      default:
        return taken;
    }
  }
  throw new Error(`${name} is no member after these steps: ${taken}`);
}

function passing(thrown: unknown): void {
  if (!['learner-behind', 'too-many-learners', 'unhealthy', 'not-enough-started'].includes(refusalIn(thrown) ?? ''))
    throw thrown;
}

const names = async () => (await clientOf('a', 'b', 'c').members()).map(({ name }) => name).toSorted();

describe('a cluster of etcd', () => {
  test('tells of its only member', async () => {
    const client = clientOf('a');
    const [member, ...more] = await client.members();
    expect(more).toEqual([]);
    expect(member).toMatchObject({ name: 'a', peerUrls: [nodeOf('a').peerUrl], isLearner: false });
    const status = await client.status(nodeOf('a').clientUrl);
    expect(status).toMatchObject({ id: member?.id, leader: member?.id, isLearner: false, errors: [] });
    expect(status.version).toMatch(/^\d+\.\d+\.\d+$/);
    expect(nextLeaveStep(await etcdHealth([member as never], client), nodeOf('a').peerUrl).step).toBe('last');
  });

  test('a second member joins by the steps; doing one of them again is success', async () => {
    const client = clientOf('a');
    const added = await client.addLearner(nodeOf('b').peerUrl);
    expect(await client.addLearner(nodeOf('b').peerUrl)).toMatchObject({ id: added.id, isLearner: true, name: '' });
    // etcd does not promote what has not started.
    await expect(client.promote(added.id)).rejects.toMatchObject({ details: { refusal: 'learner-behind' } });
    expect(await joinAs('b')).toEqual(['start', 'promote', 'done']);
    await client.promote(added.id);
    expect(await joinAs('b', { hasData: true })).toEqual(['done']);
  });

  test('two more at the same moment', async () => {
    const [third, fourth] = await Promise.all([joinAs('c'), joinAs('d')]);
    expect([third.at(-1), fourth.at(-1)]).toEqual(['done', 'done']);
    expect(await names()).toEqual(['a', 'b', 'c', 'd']);
  });

  test('one that leaves is gone, and taking it out again is success', async () => {
    const client = clientOf('a');
    const health = await etcdHealth(await client.members(), client);
    const step = nextLeaveStep(health, nodeOf('d').peerUrl);
    if (step.step !== 'remove') throw new Error(step.step);
    await client.remove(step.member.id);
    await client.remove(step.member.id);
    await kill('d');
    expect(await names()).toEqual(['a', 'b', 'c']);
  });

  test('a machine that was replaced takes the place of its dead member', async () => {
    await kill('c');
    rmSync(join(folder, 'c'), { recursive: true });
    expect(await joinAs('c')).toEqual(['remove', 'add', 'start', 'promote', 'done']);
    expect(await names()).toEqual(['a', 'b', 'c']);
  });

  test('without a quorum nothing is changed, and it is said why', async () => {
    await kill('b');
    await kill('c');
    const client = clientOf('a');
    const members = await client.members({ agreed: false });
    expect(members.map(({ name }) => name).toSorted()).toEqual(['a', 'b', 'c']);
    await until('the one that is left has no leader', async () => !hasQuorum(await etcdHealth(members, client)));
    await expect(client.members()).rejects.toMatchObject({ code: 'ETCD_UNREACHABLE' });
    const health = await etcdHealth(members, client);
    const facts = { name: 'd', peerUrl: nodeOf('d').peerUrl, health, hasData: false };
    expect(nextJoinStep(facts)).toMatchObject({ step: 'refuse', because: expect.stringContaining('too few') });
    expect(nextLeaveStep(health, nodeOf('a').peerUrl).step).toBe('refuse');
  });

  test('something that is no etcd is told from it', async () => {
    const answer: EtcdRequest = async () => ({ status: 404, text: '<html>' });
    const client = createEtcdClient({ endpoints: ['https://192.0.2.1:2379'], request: answer });
    await expect(client.members()).rejects.toThrow('it is none of etcd');
    await expect(createEtcdClient({ endpoints: [], request: answer }).members()).rejects.toThrow(
      'no endpoint of it is known',
    );
  });
});
