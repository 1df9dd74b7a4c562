import { memoryPorts } from '@groundplane/phases/testing';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { initWorld } from '../test/init-world.ts';
import { answeringServer, endpoint, joinWorld, token } from '../test/join-world.ts';
import { type BootstrapOptions, createBootstrap, type InitPreparation, nodeStatus, nodeVerdicts } from './index.ts';

const cluster = {
  apiVersion: 'kubeadm.k8s.io/v1beta4',
  kind: 'ClusterConfiguration',
  kubernetesVersion: 'v1.37.2',
  encryptionAlgorithm: 'ECDSA-P256',
} as const;
const discovering = {
  apiVersion: 'kubeadm.k8s.io/v1beta4',
  kind: 'JoinConfiguration',
  discovery: { bootstrapToken: { token, apiServerEndpoint: endpoint, unsafeSkipCAVerification: true } },
} as const;
const never = () => new Promise<never>(() => {});

describe('a signal that aborts while it is prepared', () => {
  beforeEach(() => {
    vi.useFakeTimers();
  });
  afterEach(() => {
    vi.useRealTimers();
  });

  const reason = new Error('enough');
  const expected = {
    code: 'BOOTSTRAP_ABORTED',
    message: expect.stringMatching(/^Cannot prepare \w+ as it was told to stop, nothing was changed: enough$/),
    cause: reason,
  };
  const hanging = (signal: AbortController) => () => {
    queueMicrotask(() => signal.abort(reason));
    return never();
  };

  test.each(['init', 'reset'] as const)('ends %s, also midway and where a port hangs', async (workflow) => {
    const midway = (stop: AbortController) => async () => {
      stop.abort(reason);
      return 'node-a';
    };
    for (const answer of [hanging, midway]) {
      const stop = new AbortController();
      const { host, ...ports } = initWorld();
      const facts = { ...host.facts, hostName: answer(stop), sockets: answer(stop) as never };
      const bootstrap = createBootstrap({ ports: { ...ports, host: { ...host, facts } } });
      await expect(bootstrap[workflow]({ signal: stop.signal })).rejects.toMatchObject(expected);
    }
  });

  test.each(['fetch', 'connect'])('ends join where %s hangs', async (what) => {
    const stop = new AbortController();
    const world = joinWorld();
    const hang = hanging(stop);
    const ports = {
      ...world,
      fetch: what === 'fetch' ? hang : answeringServer,
      ...(what === 'connect' ? { clusters: { connect: hang } } : {}),
    };
    const joining = createBootstrap({ ports }).join({ configuration: discovering, signal: stop.signal });
    await expect(joining).rejects.toMatchObject(expected);
  });

  test.each([
    ['nodeStatus', nodeStatus],
    ['nodeVerdicts', nodeVerdicts],
  ])('ends %s', async (_, ask) => {
    const stop = new AbortController();
    const world = initWorld({ files: { '/etc/kubernetes/manifests/kube-apiserver.yaml': 'no pod' } });
    const files = { ...world.host.files, read: hanging(stop), list: hanging(stop), status: hanging(stop) };
    const ports = { ...world, host: { ...world.host, files } };
    await expect(ask({ ports, workflow: 'init', signal: stop.signal })).rejects.toMatchObject({
      code: 'PHASES_ABORTED',
    });
  });
});

describe('arguments of other types, from callers without TypeScript', () => {
  const preparations: readonly (readonly [string, unknown])[] = [
    ['selection is not an object: null', { selection: null }],
    ['selection is not an object: a list', { selection: ['certs'] }],
    ['selection.only is not a list of names: a text', { selection: { only: 'certs' } }],
    ['selection.skip is not a list of names: a list', { selection: { skip: [1] } }],
    ['configuration is not a text, a document or a list of documents: null', { configuration: null }],
    ['configuration is not a text, a document or a list of documents: 42', { configuration: 42 }],
    ['configuration is not a text, a document or a list of documents: a list', { configuration: [null] }],
    [
      'a document of the configuration is no JSON: Do not know how to serialize a BigInt',
      { configuration: { ...cluster, big: 1n } },
    ],
    ['flags is not an object: a text', { flags: 'upload-certs' }],
    ['signal is not an AbortSignal: of type object', { signal: {} }],
    ['workingDirectory is not a text: 1', { workingDirectory: 1 }],
    ['the argument is not an object: null', null],
  ];
  test.each(preparations)('init: %s', async (text, request) => {
    const init = createBootstrap({ ports: initWorld() }).init(request as InitPreparation);
    await expect(init).rejects.toThrow(new TypeError(`Cannot init as ${text}`));
  });

  const options: readonly (readonly [string, unknown])[] = [
    ['the argument is not an object: undefined', undefined],
    ['ports is not an object: undefined', {}],
    ['ports.clock is not an object: undefined', { ports: { ...memoryPorts(), clock: undefined } }],
    ['ports.runtime is not an object: a text', { ports: { ...memoryPorts(), runtime: 'unix:///run/x.sock' } }],
    ['actor is not a text: 1', { ports: memoryPorts(), actor: 1 }],
  ];
  test.each(options)('createBootstrap: %s', (text, given) => {
    expect(() => createBootstrap(given as BootstrapOptions)).toThrow(
      new TypeError(`Cannot bootstrap a machine as ${text}`),
    );
  });

  test.each(['plan', 'predict', 'verify', 'run'] as const)('%s', async (method) => {
    const init = await createBootstrap({ ports: initWorld() }).init({ configuration: cluster });
    const wrong = (given: unknown) => init[method](given as never);
    await expect(wrong({ selection: { only: 'certs' } })).rejects.toThrow(
      new TypeError(`Cannot ${method} as selection.only is not a list of names: a text`),
    );
    await expect(wrong(null)).rejects.toThrow(new TypeError(`Cannot ${method} as the argument is not an object: null`));
    await expect(wrong({ report: 'x' })).rejects.toThrow(
      new TypeError(`Cannot ${method} as report is not a function: a text`),
    );
  });
});

test('what the listener of a preparation throws ends it as that of a run does', async () => {
  const boom = new Error('boom');
  const ports = { ...joinWorld(), fetch: async () => ({ status: 503, text: 'later' }) };
  const progress = () => {
    throw boom;
  };
  const joining = createBootstrap({ ports }).join({ configuration: discovering, progress });
  await expect(joining).rejects.toMatchObject({ code: 'PHASES_INTERNAL', cause: boom });
});
