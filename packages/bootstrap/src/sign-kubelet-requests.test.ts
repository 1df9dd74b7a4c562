import { X509Certificate } from 'node:crypto';
import { GroundplaneError } from '@groundplane/errors';
import type { Signer } from '@groundplane/phases';
import { describe, expect, test } from 'vitest';
import { kubeletRequestObject, signingWorld } from '../test/kubelet-request-world.ts';
import { signKubeletRequests } from './sign-kubelet-requests.ts';
import { webCryptoSigner } from './web-crypto-signer.ts';

const decoded = (certificate = '') => new X509Certificate(Buffer.from(certificate, 'base64'));

/** The signer of the node, with something that happens while it signs. */
function signerDuring(effect: (times: number) => void): Signer & { readonly times: () => number } {
  const own = webCryptoSigner();
  let times = 0;
  return {
    ...own,
    times: () => times,
    async certify(request) {
      times += 1;
      const text = (await own.certify?.(request)) ?? '';
      effect(times);
      return text;
    },
  };
}

test('signs what is open, tells of each, and passes over the rest', async () => {
  const { request, memory, status, authority } = await signingWorld();
  memory.putObject(await kubeletRequestObject());
  memory.putObject(await kubeletRequestObject({ name: 'done', spec: { signerName: 'example.com/other' } }));
  memory.putObject(await kubeletRequestObject({ name: 'no', conditions: [{ type: 'Denied', status: 'True' }] }));
  const told: string[] = [];
  const outcomes = await signKubeletRequests({ ...request, onOutcome: ({ name }) => told.push(name) });
  expect(outcomes).toMatchObject([{ name: 'csr-x', outcome: 'signed', approved: false }]);
  expect(told).toEqual(['csr-x']);
  expect(decoded((await status())?.certificate).verify(new X509Certificate(authority.certificate).publicKey)).toBe(
    true,
  );
  expect(await signKubeletRequests(request)).toEqual([]);
  expect(await signKubeletRequests(request, ['csr-x'])).toMatchObject([{ outcome: 'kept' }]);
});

test('approves when told to, and keeps other conditions', async () => {
  const { request, memory, status } = await signingWorld();
  memory.putObject(await kubeletRequestObject({ conditions: [{ type: 'Seen', status: 'True' }] }));
  expect(await signKubeletRequests(request)).toMatchObject([
    { outcome: 'left', finding: { code: 'BOOTSTRAP_KUBELET_REQUEST_UNAPPROVED', severity: 'error' } },
  ]);
  expect(await status()).toEqual({ conditions: [{ type: 'Seen', status: 'True' }] });
  expect(await signKubeletRequests({ ...request, approve: true })).toMatchObject([
    { outcome: 'signed', approved: true },
  ]);
  expect(await status()).toMatchObject({
    conditions: [{ type: 'Seen' }, { type: 'Approved', status: 'True', lastUpdateTime: '2026-06-01T12:00:00Z' }],
  });
});

describe('meanwhile', () => {
  test('somebody approves it: the certificate that is there is used', async () => {
    const pending = await kubeletRequestObject({ conditions: [] });
    const signer = signerDuring(() => memory.putObject({ ...pending, status: { conditions: [approved] } }));
    const approved = { type: 'Approved', status: 'True', reason: 'AutoApproved' };
    const { request, memory, status } = await signingWorld({ signer });
    memory.putObject(pending);
    expect(await signKubeletRequests({ ...request, approve: true })).toMatchObject([
      { outcome: 'signed', approved: false },
    ]);
    expect((await status())?.conditions).toEqual([approved]);
    expect(signer.times()).toBe(1);
  });

  test.each([
    ['somebody denies it', { conditions: [{ type: 'Denied', status: 'True' }] }, 'left'],
    ['somebody signs it', { conditions: [{ type: 'Approved', status: 'True' }], certificate: 'QQ==' }, 'kept'],
  ])('%s: that counts', async (_, status, outcome) => {
    const object = await kubeletRequestObject();
    const signer = signerDuring(() => memory.putObject({ ...object, status }));
    const world = await signingWorld({ signer });
    const { memory } = world;
    memory.putObject(object);
    expect(await signKubeletRequests(world.request)).toMatchObject([{ outcome }]);
    expect(await world.status()).toEqual(status);
  });

  test('it goes: nothing is left of it', async () => {
    const { request, memory } = await signingWorld({
      between: (cluster) => ({
        patch: async (reference, body, options) => {
          await cluster.delete(reference);
          return cluster.patch(reference, body, options);
        },
      }),
    });
    memory.putObject(await kubeletRequestObject());
    expect(await signKubeletRequests(request)).toEqual([]);
  });

  test('another one comes under its name: it gets a certificate of its own', async () => {
    const another = await kubeletRequestObject({ node: 'node-b' });
    const { request, memory, status } = await signingWorld({
      signer: signerDuring((times) => {
        if (times > 1) return;
        const reference = { apiVersion: another.apiVersion, kind: another.kind, name: 'csr-x' };
        memory.removeObject(reference);
        memory.putObject(another);
      }),
    });
    memory.putObject(await kubeletRequestObject());
    expect(await signKubeletRequests(request)).toMatchObject([{ outcome: 'signed' }]);
    expect(decoded((await status())?.certificate).subject).toContain('system:node:node-b');
  });

  test('it changes all the time: it is left', async () => {
    const object = await kubeletRequestObject();
    const conflict = () => new GroundplaneError('CLUSTER_CONFLICT', 'changed', { kind: 'conflict' });
    const { request, memory } = await signingWorld({ between: () => ({ patch: () => Promise.reject(conflict()) }) });
    memory.putObject(object);
    expect(await signKubeletRequests(request)).toMatchObject([
      { outcome: 'left', finding: { code: 'BOOTSTRAP_KUBELET_REQUEST_UNSTORED' } },
    ]);
  });
});

describe('what is left', () => {
  test('one that may not be changed, and others are signed', async () => {
    const { request, memory } = await signingWorld({
      between: (cluster) => ({
        patch: (reference, body, options) =>
          reference.name === 'a'
            ? Promise.reject(new GroundplaneError('CLUSTER_FORBIDDEN', 'no right to sign', { kind: 'refused' }))
            : cluster.patch(reference, body, options),
      }),
    });
    memory.putObject(await kubeletRequestObject({ name: 'a' }));
    memory.putObject(await kubeletRequestObject({ name: 'b' }));
    expect(await signKubeletRequests(request)).toMatchObject([
      { name: 'a', outcome: 'left', finding: { message: 'Cannot sign the request a as no right to sign' } },
      { name: 'b', outcome: 'signed' },
    ]);
  });

  test.each([
    ['no request in it', { request: 'QQ==' }, 'no PEM block of type CERTIFICATE REQUEST'],
    ['no base64', { request: '%%' }, 'no PEM block'],
    ['of somebody else', { username: 'jane' }, "nor by the node itself: 'jane'"],
  ])('%s', async (_, spec, reason) => {
    const { request, memory, status } = await signingWorld();
    memory.putObject(await kubeletRequestObject({ spec }));
    expect(await signKubeletRequests(request)).toMatchObject([
      { outcome: 'left', finding: { message: expect.stringContaining(reason) } },
    ]);
    expect((await status())?.certificate).toBeUndefined();
  });

  test('one that the signer does not sign', async () => {
    const { request, memory } = await signingWorld({
      signer: { ...webCryptoSigner(), name: 'x', canIssue: () => false },
    });
    memory.putObject(await kubeletRequestObject());
    expect(await signKubeletRequests(request)).toMatchObject([
      { finding: { message: 'Cannot sign the request csr-x as x does not sign such certificates' } },
    ]);
  });

  test('a server whose Node is not there', async () => {
    const { request, memory } = await signingWorld();
    memory.putObject(await kubeletRequestObject({ purpose: 'serving' }));
    expect(await signKubeletRequests(request)).toMatchObject([
      { finding: { message: expect.stringContaining('there is no Node') } },
    ]);
    const addresses = [{ type: 'Hostname', address: 'node-a' }];
    memory.putObject({ apiVersion: 'v1', kind: 'Node', metadata: { name: 'node-a' }, status: { addresses } });
    expect(await signKubeletRequests(request)).toMatchObject([{ outcome: 'signed' }]);
  });
});

describe('without what signs', () => {
  const code = 'BOOTSTRAP_KUBELET_SIGNER_MISSING';
  test.each([
    [
      'no CA',
      'ca.crt',
      undefined,
      webCryptoSigner(),
      { code, message: expect.stringContaining('/etc/kubernetes/pki/ca.crt') },
    ],
    [
      'no key',
      'ca.key',
      undefined,
      webCryptoSigner(),
      { code, message: expect.stringContaining('/etc/kubernetes/pki/ca.key') },
    ],
    [
      'a CA that is none',
      'ca.crt',
      'x',
      webCryptoSigner(),
      { code, message: expect.stringContaining('cannot be used') },
    ],
    ['a signer for this node alone', '', undefined, { ...webCryptoSigner(), name: 'x', certify: undefined }, { code }],
  ])('%s', async (_, file, content, signer, error) => {
    const { certify, ...others } = signer;
    const world = await signingWorld({ signer: certify === undefined ? others : { ...others, certify } });
    const place = `/etc/kubernetes/pki/${file}`;
    if (file !== '') world.memory.remove(place);
    if (content !== undefined) world.memory.put(place, { content, mode: 0o644 });
    await expect(signKubeletRequests(world.request)).rejects.toMatchObject(error);
  });

  test('a CA that has expired', async () => {
    const { request } = await signingWorld();
    const now = () => new Date('2031-01-01T00:00:00Z');
    const ports = { ...request.ports, clock: { ...request.ports.clock, now } };
    await expect(signKubeletRequests({ ...request, ports })).rejects.toMatchObject({
      code: 'BOOTSTRAP_AUTHORITY_EXPIRED',
    });
  });
});
