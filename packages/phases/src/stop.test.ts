import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { derive, textFile, textObject, tiny, tinyConfig, workflowOf } from '../test/tiny-workflow.ts';
import {
  planWorkflow,
  predictWorkflow,
  runWorkflow,
  type SuppliedPorts,
  statusOfWorkflow,
  verifyWorkflow,
} from './index.ts';
import { fakeSigner, memoryPorts } from './testing/index.ts';

const a = textFile('a');
const b = textFile('b');
const admin = textFile('admin');
const stored = textObject('stored', { policy: 'converge' });

const acting = tiny.defineEffect({
  name: 'acting',
  summary: 'Act on everything',
  reads: { admin },
  writes: { stored },
  connect: { kubeconfig: admin, endpoint: 'local' },
  uses: ['host', 'cluster', 'runtime'],
  run: async ({ ports: { host, cluster, runtime } }) => {
    await runtime.version();
    await host.services.restart('kubelet');
    await host.probe('http://127.0.0.1/', { timeoutMs: 1 });
    await cluster.apply({ apiVersion: 'v1', kind: 'Text', metadata: { name: 'stored' } });
  },
  verify: async ({ ports: { host, runtime } }) => {
    const { active } = await host.services.status('kubelet');
    await host.facts.hostName();
    await host.probe('http://127.0.0.1/', { timeoutMs: 1 });
    await runtime.version();
    return active ? [] : [{ code: 'TINY_WRONG', severity: 'error', artifact: 'kubelet', message: 'not active' }];
  },
});
const workflow = workflowOf(derive('a', { writes: { a } }), derive('admin', { writes: { admin } }), acting);

type Ways = Readonly<Record<string, (ports: SuppliedPorts, signal: AbortSignal) => Promise<unknown>>>;
const looks: Ways = {
  plan: (ports, signal) => planWorkflow({ workflow, config: tinyConfig, ports, signal }),
  predict: (ports, signal) => predictWorkflow({ workflow, config: tinyConfig, ports, signal, signer: fakeSigner(1) }),
  verify: (ports, signal) => verifyWorkflow({ workflow, config: tinyConfig, ports, signal }),
  status: (ports, signal) => statusOfWorkflow({ workflow, config: tinyConfig, ports, signal }),
};
const ways: Ways = {
  ...looks,
  run: (ports, signal) => runWorkflow({ workflow, config: tinyConfig, ports, signal, actor: 'test' }),
};

/** The ports with one method that is something else, by its path: `host.files.read`. */
function withMethod<P extends object>(ports: P, path: string, method: (real: () => unknown) => unknown): P {
  const [name = '', ...rest] = path.split('.');
  const member = (ports as Record<string, unknown>)[name];
  const replaced =
    rest.length > 0
      ? withMethod(member as object, rest.join('.'), method)
      : (...args: readonly unknown[]) => method(() => (member as (...all: readonly unknown[]) => unknown)(...args));
  return { ...ports, [name]: replaced };
}

const made = async () => {
  const ports = memoryPorts();
  await runWorkflow({ workflow, config: tinyConfig, ports, actor: 'test' });
  return ports;
};

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

describe('a signal', () => {
  test.each(Object.entries(ways))('that has aborted ends %s before anything is asked', async (_, way) => {
    const read = vi.fn(() => undefined);
    const ports = withMethod(memoryPorts(), 'host.files.read', read);
    const reason = new Error('enough');
    await expect(way(ports, AbortSignal.abort(reason))).rejects.toMatchObject({
      code: 'PHASES_ABORTED',
      cause: reason,
      message: expect.stringContaining('nothing was changed'),
    });
    expect(read).not.toHaveBeenCalled();
  });

  test.each(Object.entries(ways))('that aborts midway ends %s, and nothing is asked any more', async (_, way) => {
    const controller = new AbortController();
    const asked = vi.fn();
    const ports = withMethod(await made(), 'host.files.read', (real) => {
      asked();
      controller.abort();
      return real();
    });
    await expect(way(ports, controller.signal)).rejects.toMatchObject({ code: 'PHASES_ABORTED' });
    await vi.runAllTimersAsync();
    expect(asked).toHaveBeenCalledOnce();
  });

  const questions = [
    'host.files.read',
    'host.files.status',
    'host.services.status',
    'host.facts.hostName',
    'host.probe',
    'runtime.version',
    'clusters.connect',
  ];
  const cases = Object.entries(ways).flatMap(([name, way]) => questions.map((question) => ({ name, question, way })));
  test.each(cases)('ends $name while $question hangs', async ({ question, way }) => {
    const controller = new AbortController();
    const hangs = vi.fn();
    const world = await made();
    // Of what is not there the directories are looked at.
    world.memory.remove('/etc/tiny/a');
    const ports = withMethod(world, question, () => {
      hangs();
      queueMicrotask(() => controller.abort());
      return new Promise(() => {});
    });
    const ended = expect(way(ports, controller.signal)).rejects.toMatchObject({ code: 'PHASES_ABORTED' });
    await vi.advanceTimersByTimeAsync(500);
    await ended;
    expect(hangs).toHaveBeenCalledOnce();
  });
});

describe('a run that is told to stop', () => {
  const runs = (ports: SuppliedPorts, signal: AbortSignal, phases = workflow) =>
    runWorkflow({ workflow: phases, config: tinyConfig, ports, signal, actor: 'test' });

  test.each([
    ['host.files.write', 'host.files.write /etc/tiny/a'],
    ['host.services.restart', 'host.services.restart kubelet'],
  ])('while %s hangs ends after a while, and says that nobody knows what came of it', async (method, subject) => {
    const controller = new AbortController();
    const ports = withMethod(memoryPorts(), method, () => {
      queueMicrotask(() => controller.abort());
      return new Promise(() => {});
    });
    let settled = false;
    const ended = runs(ports, controller.signal).catch((error: unknown) => {
      settled = true;
      return error;
    });
    await vi.advanceTimersByTimeAsync(4_000);
    expect(settled).toBe(false);
    await vi.advanceTimersByTimeAsync(1_500);
    expect(await ended).toMatchObject({
      code: 'PHASES_ABORTED',
      message: expect.stringContaining(`${subject} has not ended, and whether it will is not known`),
    });
  });

  test('a question that hangs in a phase ends it soon', async () => {
    const controller = new AbortController();
    const ports = withMethod(memoryPorts(), 'host.probe', () => {
      queueMicrotask(() => controller.abort());
      return new Promise(() => {});
    });
    const ended = expect(runs(ports, controller.signal)).rejects.toMatchObject({
      code: 'PHASES_ABORTED',
      message: expect.stringContaining('host.probe'),
    });
    await vi.advanceTimersByTimeAsync(500);
    await ended;
  });

  test('brings a phase to its end whose ports answer', async () => {
    const controller = new AbortController();
    const ports = withMethod(memoryPorts(), 'host.files.write', (real) => {
      controller.abort();
      return real();
    });
    const both = workflowOf(derive('two', { writes: { a, b } }), derive('admin', { writes: { admin } }));
    await expect(runs(ports, controller.signal, both)).rejects.toMatchObject({
      code: 'PHASES_ABORTED',
      message: 'Cannot run admin as the run was told to stop',
    });
    expect(ports.memory.paths()).toEqual(['/etc/tiny/a', '/etc/tiny/b']);
  });

  test('a phase that makes nothing of it does not hide that something was left', async () => {
    const controller = new AbortController();
    const ports = withMethod(memoryPorts(), 'host.services.status', () => {
      queueMicrotask(() => controller.abort());
      return new Promise(() => {});
    });
    const careless = tiny.defineEffect({
      name: 'careless',
      summary: 'Ask without care',
      uses: ['host'],
      run: async ({ ports: { host } }) => void (await host.services.status('kubelet').catch(() => {})),
      verify: () => [],
      everyTime: () => true,
    });
    const ended = expect(runs(ports, controller.signal, workflowOf(careless))).rejects.toMatchObject({
      code: 'PHASES_ABORTED',
    });
    await vi.advanceTimersByTimeAsync(500);
    await ended;
  });
});
