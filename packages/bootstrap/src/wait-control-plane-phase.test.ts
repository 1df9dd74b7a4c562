import type { Pod } from '@groundplane/manifest';
import { type Event, runWorkflow } from '@groundplane/phases';
import { describe, expect, test } from 'vitest';
import { plan, run } from '../test/init-run.ts';
import { type InitWorldOptions, initContext, initWorld } from '../test/init-world.ts';
import { componentHealthChecks, flagOf, kubeletHealthCheck, lookAtHealth } from './health-checks.ts';
import { initWorkflow } from './init-workflow.ts';

/** A machine on which everything up to the start of the kubelet is done, and time goes by only while somebody waits. */
async function startedWorld(options: InitWorldOptions = {}) {
  const ports = initWorld(options);
  const config = await initContext();
  const { error } = await run(ports, config, {
    only: ['certs', 'kubeconfig', 'etcd', 'control-plane', 'kubelet-start'],
  });
  expect(error).toBeUndefined();
  return { ports, config, wait: () => run(ports, config, { only: ['wait-control-plane'] }) };
}

/** Nothing answers before the clock has moved that far. */
function healthyAfter(milliseconds: number): NonNullable<InitWorldOptions['probe']> {
  return (_, memory) =>
    memory.now().getTime() < Date.UTC(2026, 0, 1) + milliseconds
      ? { text: 'connect ECONNREFUSED' }
      : { status: 200, text: 'ok' };
}

function waitingReasons(events: readonly Event[]): readonly string[] {
  const reasons = events.flatMap((event) => (event.type === 'waiting' ? [`${event.subject}: ${event.reason}`] : []));
  return [...new Set(reasons)];
}

describe('waiting', () => {
  test('ends as soon as all are healthy, and says how long it took', async () => {
    const { wait } = await startedWorld({ probe: healthyAfter(300) });
    const { error, events } = await wait();
    expect(error).toBeUndefined();
    expect(events.flatMap((event) => (event.type === 'progress' ? [event.message] : []))).toEqual([
      'kubelet is healthy after 0.3 s',
      'kube-apiserver is healthy after 0.0 s',
      'kube-controller-manager is healthy after 0.0 s',
      'kube-scheduler is healthy after 0.0 s',
    ]);
  });

  test('asks the kubelet first, and the components only when it is there', async () => {
    const asked: string[] = [];
    const answer = healthyAfter(300);
    const { wait } = await startedWorld({
      probe: (url, memory) => {
        asked.push(new URL(url).port);
        return answer(url, memory);
      },
    });
    expect((await wait()).error).toBeUndefined();
    const [kubelet, controllerManager, scheduler] = ['10248', '10257', '10259'];
    // The verify of the plan and that at its turn, the wait for the kubelet, the components, the verify of what was done.
    expect(asked).toEqual([
      ...[kubelet, controllerManager, scheduler],
      ...[kubelet, controllerManager, scheduler],
      ...[kubelet, kubelet, kubelet, kubelet],
      ...[controllerManager, scheduler],
      ...[kubelet, controllerManager, scheduler],
    ]);
  });

  test('gives the components their own time, however long the kubelet took', async () => {
    const begin = Date.UTC(2026, 0, 1);
    const { wait } = await startedWorld({
      probe: (url, memory) => {
        // The kubelet takes nearly its four minutes, the components half a minute more.
        const seconds = new URL(url).port === '10248' ? 230 : 260;
        return memory.now().getTime() < begin + seconds * 1000
          ? { text: 'connect ECONNREFUSED' }
          : { status: 200, text: 'ok' };
      },
    });
    expect((await wait()).error).toBeUndefined();
  });

  test('waits again for what became ill while the others were awaited', async () => {
    const begin = Date.UTC(2026, 0, 1);
    const { wait } = await startedWorld({
      probe: (url, memory) => {
        const passed = memory.now().getTime() - begin;
        const { port } = new URL(url);
        // The controller manager is healthy, gives up, and comes back; the scheduler takes four seconds.
        const ill = port === '10257' ? passed >= 2_000 && passed < 6_000 : port === '10259' ? passed < 4_000 : false;
        return ill ? { text: 'connect ECONNREFUSED' } : { status: 200, text: 'ok' };
      },
    });
    const { error, events } = await wait();
    expect(error).toBeUndefined();
    const told = events.flatMap((event) => (event.type === 'progress' ? [event.message] : []));
    const ofControllerManager = told.filter((message) => message.startsWith('kube-controller-manager is healthy'));
    expect(ofControllerManager).toHaveLength(2);
    expect(ofControllerManager[1]).toMatch(/after [12]\.\d s$/);
  });

  test('says why something is not there, with what the runtime knows once it takes long', async () => {
    const { wait } = await startedWorld({
      probe: (url) =>
        url.includes(':10259/')
          ? { status: 500, text: '[+]ping ok\n[-]leaderElection failed: reason withheld\nlivez check failed' }
          : { status: 200, text: 'ok' },
      runtime: {
        containers: async () => [
          { id: 's', name: 'kube-scheduler', pod: 'kube-scheduler-node-a', state: 'exited', exitCode: 1, attempt: 2 },
        ],
        log: async () => ['first line', 'panic: no config'],
      },
    });
    const { error, events } = await wait();
    const subject = 'kube-scheduler at https://127.0.0.1:10259/livez';
    const answer = 'it answers 500: [-]leaderElection failed: reason withheld';
    expect(waitingReasons(events)).toEqual([
      `${subject}: ${answer}`,
      `${subject}: ${answer}; its container is exited with code 1 (attempt 3)`,
    ]);
    expect(error).toMatchObject({
      code: 'PHASES_WAIT_TIMEOUT',
      kind: 'timeout',
      message: expect.stringContaining(`${subject} was not there within 240 s: ${answer}`),
      hint: 'kube-scheduler: its container is exited with code 1 (attempt 3); its last lines:\n  first line\n  panic: no config',
    });
  });

  test('names the API server where all are missing, whichever is found out first', async () => {
    const { wait } = await startedWorld({
      clusterProbe: () => ({ text: 'connect ECONNREFUSED 192.0.2.10:6443' }),
      probe: (url) => (url.includes(':10248/') ? { status: 200, text: 'ok' } : { text: 'no answer within 2 s' }),
      runtime: {
        containers: async () => [
          { id: 'a', name: 'kube-apiserver', pod: 'kube-apiserver-node-a', state: 'exited', exitCode: 1, attempt: 0 },
        ],
        // What is known of it comes last.
        log: () => new Promise((resolve) => setTimeout(resolve, 50, ['dial tcp 127.0.0.1:2379: connection refused'])),
      },
    });
    const { error } = await wait();
    expect(error?.message).toMatch(/^Cannot go on as kube-apiserver at \S+ was not there within 240 s: /);
    expect(error?.hint).toContain('dial tcp 127.0.0.1:2379');
  });

  test('names the API server that had been healthy, and the others that are not', async () => {
    const begin = Date.UTC(2026, 0, 1);
    const { ports, wait } = await startedWorld({
      // It answers as long as etcd has room.
      clusterProbe: () =>
        ports.clock.now().getTime() < begin + 3_000
          ? { status: 200, text: 'ok' }
          : { status: 500, text: '[-]etcd failed: reason withheld' },
      probe: (url) => (url.includes(':10259/') ? { text: 'no answer within 2 s' } : { status: 200, text: 'ok' }),
    });
    const { error } = await wait();
    expect(error?.message).toMatch(
      /^Cannot go on as kube-apiserver at \S+ was not there within 240 s: it answers 500: \[-\]etcd failed/,
    );
    expect(error?.hint?.split('\n')).toEqual([
      'kube-apiserver: its container is running; its last lines:',
      'etcd: its container is running; its last lines:',
      'kube-scheduler is not healthy either: no answer within 2 s',
    ]);
  });

  test('ends at once where it is not the time that is over', async () => {
    const { ports, config } = await startedWorld({ clusterProbe: () => ({ text: 'connect ECONNREFUSED' }) });
    const since = ports.clock.monotonicMs();
    const probe: typeof ports.host.probe = async (url, options) => {
      if (url.includes(':10259/') && ports.clock.monotonicMs() - since > 500) throw new TypeError('no such probe');
      return url.includes(':10259/') ? { text: 'connect ECONNREFUSED' } : ports.host.probe(url, options);
    };
    const { error } = await run({ ...ports, host: { ...ports.host, probe } }, config, { only: ['wait-control-plane'] });
    expect(error?.message).toContain('no such probe');
    expect(ports.clock.monotonicMs() - since).toBeLessThan(2_000);
  });

  test('for the API server also shows the last lines of etcd, on which it waits', async () => {
    const { wait } = await startedWorld({
      clusterProbe: () => ({ text: 'connect ECONNREFUSED 192.0.2.10:6443' }),
      runtime: {
        containers: async () => [
          { id: 'e', name: 'etcd', pod: 'etcd-node-a', state: 'exited', exitCode: 2, attempt: 0 },
        ],
        log: async () => ['disk is full'],
      },
    });
    const { error } = await wait();
    expect(error?.hint?.split('\n')).toEqual([
      'kube-apiserver: the runtime has no container of it; see journalctl -xeu kubelet',
      'etcd: its container is exited with code 2; its last lines:',
      '  disk is full',
    ]);
  });

  test('for the kubelet shows the last lines of its unit', async () => {
    const { ports, config } = await startedWorld({ probe: () => ({ text: 'connect ECONNREFUSED 127.0.0.1:10248' }) });
    const services = { ...ports.host.services, log: async () => ['failed to load kubelet config file'] };
    const error = await runWorkflow({
      workflow: initWorkflow,
      config,
      ports: { ...ports, host: { ...ports.host, services } },
      selection: { only: ['wait-control-plane'] },
      actor: 'test',
    }).catch((thrown: unknown) => thrown);
    expect(error).toMatchObject({
      message: expect.stringContaining('kubelet at http://127.0.0.1:10248/healthz was not there within 240 s'),
      hint: expect.stringContaining('failed to load kubelet config file'),
    });
  });
});

describe('a finished control plane', () => {
  test('is kept', async () => {
    const { ports, config } = await startedWorld();
    const { phases } = await plan(ports, config, { only: ['wait-control-plane'] });
    expect(phases).toMatchObject([{ phase: 'wait-control-plane', decision: 'keep' }]);
  });

  test('of which something is ill is waited for again', async () => {
    const { ports, config } = await startedWorld({
      probe: (url) => (url.includes(':10257/') ? { status: 503, text: 'no' } : { status: 200, text: 'ok' }),
    });
    const { phases } = await plan(ports, config, { only: ['wait-control-plane'] });
    expect(phases).toMatchObject([{ decision: 'act' }]);
  });
});

describe('where health is asked for', () => {
  const pod = (name: string, ...command: string[]) =>
    ({
      apiVersion: 'v1',
      kind: 'Pod',
      metadata: { name },
      spec: { containers: [{ name, command }] },
    }) as unknown as Pod;

  test('comes from the flags of the manifests, the last one of a name', async () => {
    const config = await initContext();
    const urls = componentHealthChecks(config, {
      apiserver: pod('kube-apiserver', '--advertise-address=2001:db8::1', '--secure-port=6443', '--secure-port=8443'),
      controllerManager: pod('kube-controller-manager', '--bind-address=0.0.0.0'),
      scheduler: pod('kube-scheduler', '--bind-address=::', '--secure-port=11259'),
    }).map(({ url }) => url);
    expect(urls).toEqual([
      'https://[2001:db8::1]:8443/livez',
      'https://127.0.0.1:10257/healthz',
      'https://[::1]:11259/livez',
    ]);
  });

  test('is a flag only by its whole name', () => {
    expect(flagOf(pod('x', '--bind-address-extra=1'), 'bind-address')).toBeUndefined();
    expect(flagOf(pod('x', '--bind-address='), 'bind-address')).toBe('');
  });

  test('of the kubelet comes from its configuration', async () => {
    const kubelet = (lines: string) =>
      initContext({
        documents: `---\napiVersion: kubelet.config.k8s.io/v1beta1\nkind: KubeletConfiguration\n${lines}`,
      });
    expect(kubeletHealthCheck(await initContext())?.url).toBe('http://127.0.0.1:10248/healthz');
    expect(kubeletHealthCheck(await kubelet('healthzBindAddress: "::1"\nhealthzPort: 20248\n'))?.url).toBe(
      'http://[::1]:20248/healthz',
    );
    expect(kubeletHealthCheck(await kubelet('healthzPort: 0\n'))).toBeUndefined();
  });

  test.each([
    ['a connection error', { text: 'connect ETIMEDOUT' }, 'connect ETIMEDOUT'],
    [
      'a refusal',
      { status: 403, text: '{"kind":"Status","message":"forbidden: no rights","code":403}' },
      'it answers 403: forbidden: no rights',
    ],
    [
      'failed checks',
      { status: 500, text: '[+]ping ok\n[-]etcd failed: reason withheld\n' },
      'it answers 500: [-]etcd failed: reason withheld',
    ],
    ['something else', { status: 502, text: 'Bad Gateway\nnginx' }, 'it answers 502: Bad Gateway'],
  ])('of an API server with %s is told in one line', async (_, answer, reason) => {
    const check = { name: 'kube-apiserver', url: 'https://192.0.2.10:6443/livez', timeoutMs: 1 };
    const cluster = { probe: async () => answer } as never;
    expect(await lookAtHealth(check, initWorld().host, cluster)).toEqual({ done: false, reason });
  });
});
