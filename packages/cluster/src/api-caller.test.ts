import type { Clock } from '@groundplane/phases';
import { describe, expect, it } from 'vitest';
import { apiCaller } from './api-caller.ts';
import type { ApiAnswer, ApiRequest, Connection } from './connection.ts';
import { noAnswer } from './no-answer.ts';

type Reply = ApiAnswer | Error;

const refused = Object.assign(new Error('connect ECONNREFUSED 192.0.2.1:6443'), { code: 'ECONNREFUSED' });
const ok: ApiAnswer = { status: 200, text: '{}' };
const silence = new Error('silence');
const status = (code: number, message: string): ApiAnswer => ({
  status: code,
  text: JSON.stringify({ kind: 'Status', message }),
});

/** A caller whose server gives these replies one after another, the last one for ever, and whose clock only moves when it sleeps. */
function scripted(
  replies: readonly Reply[],
  options: { timeoutMs?: number; retryForbidden?: boolean; ready?: readonly boolean[] } = {},
) {
  const requests: ApiRequest[] = [];
  const sleeps: number[] = [];
  const left = [...replies];
  const readiness = [...(options.ready ?? [true])];
  let now = 0;
  const next = <T>(queue: T[]): T => (queue.length > 1 ? queue.shift() : queue[0]) as T;
  const connection: Connection = {
    server: 'https://192.0.2.1:6443',
    async request(request) {
      if (request.path === '/readyz') return { status: next(readiness) ? 200 : 500, text: '' };
      requests.push(request);
      const reply = next(left);
      if (reply === silence) {
        now += request.timeoutMs;
        throw noAnswer(request.timeoutMs);
      }
      if (reply instanceof Error) throw reply;
      return reply;
    },
    stream: () => Promise.reject(new Error('no streams here')),
  };
  const clock: Clock = {
    now: () => new Date(now),
    monotonicMs: () => now,
    sleep: async (ms) => {
      sleeps.push(ms);
      now += ms;
    },
  };
  const { timeoutMs = 60_000, retryForbidden = false } = options;
  const caller = apiCaller(connection, { clock, timeoutMs, retryForbidden });
  return { call: () => caller.call({ method: 'GET', path: '/x' }, { what: 'get the thing' }), requests, sleeps };
}

describe('a call', () => {
  it.each([
    { name: 'no connection', reply: refused },
    { name: '429', reply: status(429, 'slow down') },
    { name: '500', reply: status(500, 'etcdserver: leader changed') },
    { name: '503 from a load balancer', reply: { status: 503, text: '<html>' } },
  ])('goes on after $name', async ({ reply }) => {
    const { call, requests } = scripted([reply, reply, ok]);
    expect(await call()).toEqual(ok);
    expect(requests).toHaveLength(3);
  });

  it.each([
    { name: '401', reply: status(401, 'Unauthorized'), code: 'CLUSTER_UNAUTHORIZED' },
    { name: '403 of a ready server', reply: status(403, 'forbidden'), code: 'CLUSTER_FORBIDDEN' },
    { name: '409', reply: status(409, 'changed'), code: 'CLUSTER_CONFLICT' },
    { name: '422', reply: status(422, 'invalid'), code: 'CLUSTER_INVALID' },
  ])('ends at once after $name', async ({ reply, code }) => {
    const { call, requests } = scripted([reply, ok]);
    await expect(call()).rejects.toMatchObject({ code, details: { attempts: 1 } });
    expect(requests).toHaveLength(1);
  });

  it('goes on after 403 until the server is ready', async () => {
    const { call, requests } = scripted([status(403, 'forbidden')], { ready: [false, false, true] });
    await expect(call()).rejects.toMatchObject({ code: 'CLUSTER_FORBIDDEN' });
    expect(requests).toHaveLength(3);
  });

  it('goes on after 403 of a ready server when told to', async () => {
    const { call } = scripted([status(403, 'forbidden'), ok], { retryForbidden: true });
    expect(await call()).toEqual(ok);
  });

  it('waits as long as Retry-After says, but not beyond the deadline', async () => {
    const { call, sleeps } = scripted([{ ...status(429, 'slow down'), retryAfter: 3 }, ok]);
    await call();
    expect(sleeps).toEqual([3000]);
    const late = scripted([{ ...status(429, 'slow down'), retryAfter: 3 }, ok], { timeoutMs: 1000 });
    await late.call();
    expect(late.sleeps).toEqual([1000]);
  });

  it('gives each request ten seconds, or what is left', async () => {
    const { call, requests } = scripted([refused], { timeoutMs: 10_500 });
    await expect(call()).rejects.toThrow();
    expect(requests[0]?.timeoutMs).toBe(10_000);
    expect(requests.at(-1)?.timeoutMs).toBeLessThan(1000);
    expect(requests.at(-1)?.timeoutMs).toBeGreaterThanOrEqual(250);
  });

  it.each([
    ['by the whole time', [silence], 2000, 'cannot be reached: no answer within 2 s'],
    [
      'by the whole time after other faults',
      [refused, silence],
      2000,
      /cannot be reached: connect ECONNREFUSED 192\.0\.2\.1:6443 \(2 attempts in 2\.0 s\)$/,
    ],
    ['by its own', [silence], 60_000, /cannot be reached: no answer within 10 s \(\d+ attempts in \d+\.0 s\)$/],
  ] as const)('says of an attempt that is cut short %s what was waited for', async (_, replies, timeoutMs, message) => {
    const { call } = scripted(replies, { timeoutMs });
    await expect(call()).rejects.toMatchObject({
      code: 'CLUSTER_UNAVAILABLE',
      message: expect.stringMatching(message),
    });
  });

  it('tells the last fault, the server, and how often and long it tried', async () => {
    const { call } = scripted([refused, status(503, 'apiserver is shutting down')], { timeoutMs: 2000 });
    await expect(call()).rejects.toMatchObject({
      code: 'CLUSTER_UNAVAILABLE',
      message: expect.stringMatching(
        /^Cannot get the thing as the API server https:\/\/192\.0\.2\.1:6443 answers 503: apiserver is shutting down \(\d+ attempts in [12]\.\d s\)$/,
      ),
      hint: expect.stringContaining('kube-apiserver'),
    });
  });
});
