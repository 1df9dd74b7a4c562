import { createHash, X509Certificate } from 'node:crypto';
import type { MemoryPorts } from '@groundplane/phases/testing';
import { describe, expect, test } from 'vitest';
import { decisions, run } from '../test/init-run.ts';
import { initContext, initWorld } from '../test/init-world.ts';
import { productsIn, tokenSecretOf } from '../test/token-world.ts';

const only = { only: ['show-join-command'] };
const token = 'abcdef.0123456789abcdef';
const secretOfToken = { apiVersion: 'v1', kind: 'Secret', namespace: 'kube-system', name: 'bootstrap-token-abcdef' };
const given = `bootstrapTokens:\n- token: ${token}\n`;
const certificateKey = '000102030405060708090a0b0c0d0e0f101112131415161718191a1b1c1d1e1f';
const endpoint = 'controlPlaneEndpoint: api.example.com:8443\n';

type Lines = NonNullable<Parameters<typeof initContext>[0]>;
type Flags = Readonly<Record<string, boolean>>;

/** A finished node, and the commands that its init handed back. */
async function finished(lines: Lines = { init: given }, flags: Flags = {}) {
  const ports = initWorld();
  const config = await initContext(lines, { flags });
  const { error, events } = await run(ports, config, { skip: ['addon'] });
  expect(error).toBeUndefined();
  return { ports, config, commands: productsIn(events, 'joinCommand'), events };
}

/** The pin of the CA in the way that the documentation of kubeadm computes it. */
function pinOf({ memory }: MemoryPorts): string {
  const { publicKey } = new X509Certificate(memory.text('/etc/kubernetes/pki/ca.crt') ?? '');
  return `sha256:${createHash('sha256')
    .update(publicKey.export({ type: 'spki', format: 'der' }))
    .digest('hex')}`;
}

describe('within init', () => {
  test('there is a command for each token, a secret product', async () => {
    const { ports, commands, events } = await finished({ init: `${given}- token: fedcba.fedcba9876543210\n` });
    const common = { server: '192.0.2.10:6443', caCertHashes: [pinOf(ports)], controlPlane: false };
    expect(commands).toEqual([
      { ...common, token },
      { ...common, token: 'fedcba.fedcba9876543210' },
    ]);
    expect(events.filter((event) => event.type === 'result' && !event.secret)).toEqual([]);
  });

  test('more control planes can join where they have an endpoint, with a key where certificates are shared', async () => {
    const { commands } = await finished(
      { cluster: endpoint, init: `${given}certificateKey: ${certificateKey}\n` },
      { 'upload-certs': true },
    );
    expect(commands).toMatchObject([{ server: 'api.example.com:8443', controlPlane: true, certificateKey }]);
  });

  test('without shared certificates a given key is no part of it, and that is told', async () => {
    const { commands, events } = await finished({
      cluster: endpoint,
      init: `${given}certificateKey: ${certificateKey}\n`,
    });
    expect(commands).toMatchObject([{ controlPlane: true }]);
    expect(commands[0]).not.toHaveProperty('certificateKey');
    expect(events).toContainEqual(
      expect.objectContaining({ finding: expect.objectContaining({ code: 'BOOTSTRAP_CERTIFICATE_KEY_UNUSABLE' }) }),
    );
  });

  test('what is not to be printed is withheld', async () => {
    const { commands } = await finished(
      { cluster: endpoint, init: `${given}certificateKey: ${certificateKey}\n` },
      { 'upload-certs': true, 'skip-token-print': true, 'skip-certificate-key-print': true },
    );
    expect(commands).toMatchObject([{ token: '<value withheld>', certificateKey: '<value withheld>' }]);
    expect(JSON.stringify(commands)).not.toMatch(/0123456789abcdef|0a0b0c0d/);
  });

  test('a second run hands it back again and changes nothing', async () => {
    const { ports, config, commands } = await finished();
    const again = await run(ports, config, { skip: ['addon'] });
    expect([again.error, again.changes]).toEqual([undefined, []]);
    expect(productsIn(again.events)).toEqual(commands);
    expect(await decisions(ports, config, only)).toEqual({ 'show-join-command': 'act' });
  });
});

describe('alone', () => {
  test('it tells what the cluster has, without a configuration', async () => {
    const { ports, commands } = await finished({ cluster: endpoint, init: given });
    const config = await initContext({}, { ports: initWorld({ seed: 5 }) });
    const { error, events, changes } = await run(ports, config, only);
    expect([error, changes]).toEqual([undefined, []]);
    expect(productsIn(events)).toEqual(commands);
  });

  test('of tokens that nodes can join with it takes the one that lives longest', async () => {
    const { ports } = await finished();
    const until = (hours: number) =>
      new Date(ports.clock.now().getTime() + hours * 3_600_000).toISOString().replace(/\.\d+/, '');
    ports.memory.removeObject(secretOfToken);
    for (const secret of [
      tokenSecretOf('aaaaaa.aaaaaaaaaaaaaaaa', { expiration: until(1), description: 'mine' }),
      tokenSecretOf('bbbbbb.bbbbbbbbbbbbbbbb', { expiration: until(5), description: 'mine' }),
      tokenSecretOf('cccccc.cccccccccccccccc', {
        expiration: until(9),
        description: 'mine',
        'usage-bootstrap-signing': undefined,
      }),
      tokenSecretOf('dddddd.dddddddddddddddd', {
        expiration: until(9),
        'auth-extra-groups': 'system:bootstrappers:mine',
      }),
      tokenSecretOf('eeeeee.eeeeeeeeeeeeeeee', { expiration: until(-1), description: 'mine' }),
    ])
      ports.memory.putObject(secret as never);
    const config = await initContext({}, { ports: initWorld({ seed: 5 }) });
    const { events } = await run(ports, config, only);
    expect(productsIn(events)).toMatchObject([{ token: 'bbbbbb.bbbbbbbbbbbbbbbb' }]);
  });

  test('a token that the configuration names is not replaced by another', async () => {
    const { ports, config } = await finished();
    ports.memory.removeObject(secretOfToken);
    ports.memory.putObject(tokenSecretOf('fedcba.fedcba9876543210') as never);
    const { error, events } = await run(ports, config, only);
    expect(error).toBeUndefined();
    expect(productsIn(events, 'joinCommand')).toEqual([]);
    expect(events).toContainEqual(
      expect.objectContaining({
        finding: expect.objectContaining({ message: expect.stringContaining('tokens of the configuration') }),
      }),
    );
  });

  test('without any it says how to make one, and does not fail', async () => {
    const { ports, config } = await finished();
    ports.memory.removeObject(secretOfToken);
    const { error, events } = await run(ports, config, only);
    expect(error).toBeUndefined();
    expect(productsIn(events)).toEqual([]);
    expect(events.flatMap((event) => (event.type === 'finding' ? [event.finding] : []))).toMatchObject([
      { code: 'BOOTSTRAP_TOKEN_UNUSABLE', severity: 'warning', hint: expect.stringContaining('token create') },
    ]);
  });

  test('without admin.conf it is refused', async () => {
    const { error } = await run(initWorld(), await initContext(), only);
    expect(error?.message).toContain('/etc/kubernetes/admin.conf');
    expect(error?.kind).toBe('conflict');
  });
});

test('init without tokens ends well', async () => {
  const ports = initWorld();
  const { error } = await run(ports, await initContext(), { skip: ['addon', 'bootstrap-token', 'upload-certs'] });
  expect(error).toBeUndefined();
});
