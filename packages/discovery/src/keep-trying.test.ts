import { describe, expect, it } from 'vitest';
import { fakeClock } from '../test/fake-clock.ts';
import { type DiscoveryErrorCode, discoveryError } from './error-codes.ts';
import { type DiscoveryProgress, keepTrying } from './keep-trying.ts';

const waitingFor = 'cluster-info of 192.0.2.10:6443';
const fault = (code: DiscoveryErrorCode) => discoveryError(code, `Cannot go on as ${code}`, { hint: 'do something' });

/** Fails with these codes, one after the other and the last for ever; `undefined` is success. */
function failing(...codes: readonly (DiscoveryErrorCode | undefined)[]) {
  let calls = 0;
  const attempt = async () => {
    const code = codes[Math.min(calls, codes.length - 1)];
    calls += 1;
    if (code !== undefined) throw fault(code);
    return calls;
  };
  return attempt;
}

describe('keepTrying', () => {
  it('what succeeds at once waits for nothing', async () => {
    const clock = fakeClock();
    expect(await keepTrying(failing(undefined), { waitingFor, clock, timeoutMs: 300_000 })).toBe(1);
    expect(clock.pauses).toEqual([]);
  });

  it('waits for a cluster that is being made, and tells each time why', async () => {
    const clock = fakeClock();
    const progress: DiscoveryProgress[] = [];
    const attempt = failing('DISCOVERY_UNREACHABLE', 'DISCOVERY_REFUSED', 'DISCOVERY_UNSIGNED', undefined);
    const onProgress = (one: DiscoveryProgress) => void progress.push(one);
    expect(await keepTrying(attempt, { waitingFor, clock, timeoutMs: 300_000, onProgress })).toBe(4);
    expect(progress).toMatchObject([
      { waitingFor, code: 'DISCOVERY_UNREACHABLE', reason: 'Cannot go on as DISCOVERY_UNREACHABLE', attempts: 1 },
      { code: 'DISCOVERY_REFUSED', attempts: 2 },
      { code: 'DISCOVERY_UNSIGNED', attempts: 3 },
    ]);
    expect(progress.map(({ pauseMs }) => pauseMs)).toEqual(clock.pauses);
  });

  it('an attempt that had to end with the time does not hide the reason of the one before', async () => {
    const clock = fakeClock();
    let calls = 0;
    const attempt = async ({ timeoutMs }: { readonly timeoutMs: number }) => {
      calls += 1;
      if (calls === 1) throw discoveryError('DISCOVERY_UNREACHABLE', 'Cannot connect as there is no route');
      await clock.sleep(timeoutMs);
      throw discoveryError('DISCOVERY_UNREACHABLE', 'Cannot go on as no complete answer came');
    };
    await expect(keepTrying(attempt, { waitingFor, clock, timeoutMs: 6000 })).rejects.toThrow(
      /^Cannot connect as there is no route \(2 attempts in 6 s\)$/,
    );
  });

  it('pauses grow from a quarter of a second to three seconds, each by a random quarter shorter or longer', async () => {
    const clock = fakeClock();
    await keepTrying(failing('DISCOVERY_UNSIGNED'), { waitingFor, clock, timeoutMs: 300_000 }).catch(() => {});
    const wanted = clock.pauses.map((_, index) => Math.min(250 * 1.6 ** index, 3000));
    // The last one ends with the time.
    const inside = clock.pauses.slice(0, -1);
    expect(
      inside.every((pause, index) => pause >= 0.75 * (wanted[index] ?? 0) && pause <= 1.25 * (wanted[index] ?? 0)),
    ).toBe(true);
    expect(new Set(inside.slice(8)).size).toBeGreaterThan(10);
  });

  it('ends with the time and with the last reason', async () => {
    const clock = fakeClock();
    const tried = keepTrying(failing('DISCOVERY_UNREACHABLE', 'DISCOVERY_UNSIGNED'), {
      waitingFor,
      clock,
      timeoutMs: 300_000,
    });
    await expect(tried).rejects.toMatchObject({
      code: 'DISCOVERY_UNSIGNED',
      kind: 'timeout',
      hint: 'do something',
      message: expect.stringMatching(/^Cannot go on as DISCOVERY_UNSIGNED \(\d+ attempts in 300 s\)$/),
    });
    expect(clock.monotonicMs()).toBe(300_000);
  });

  it.each<[DiscoveryErrorCode, number]>([
    ['DISCOVERY_PIN_MISMATCH', 1],
    ['DISCOVERY_CREDENTIALS_INSIDE', 1],
    ['DISCOVERY_REDIRECTED', 1],
    ['DISCOVERY_CLUSTER_INFO_INVALID', 1],
    ['DISCOVERY_SIGNATURE_INVALID', 5],
    ['DISCOVERY_UNTRUSTED', 5],
    ['DISCOVERY_ANSWER_INVALID', 5],
    ['DISCOVERY_CLUSTER_INFO_CHANGED', 5],
    ['DISCOVERY_FILE_INVALID', 1],
    ['DISCOVERY_CREDENTIALS_FAILED', 5],
  ])('%s ends it after %i attempts, long before the time is over', async (code, attempts) => {
    const clock = fakeClock();
    const tried = keepTrying(failing(code), { waitingFor, clock, timeoutMs: 300_000 });
    await expect(tried).rejects.toMatchObject({ code });
    expect(clock.pauses).toHaveLength(attempts - 1);
    expect(clock.monotonicMs()).toBeLessThan(4000);
  });

  it.each([
    ...[401, 101, 204, 206, 400, 405, 410, 418, 501, 505].map((status) => [status, 5] as const),
    ...[403, 404, 408, 429, 500, 502, 503, 504].map((status) => [status, undefined] as const),
  ])('HTTP status %i ends it after %s attempts', async (status, attempts) => {
    const clock = fakeClock();
    const attempt = () => Promise.reject(discoveryError('DISCOVERY_REFUSED', 'Cannot go on', { details: { status } }));
    await expect(keepTrying(attempt, { waitingFor, clock, timeoutMs: 300_000 })).rejects.toMatchObject({
      code: 'DISCOVERY_REFUSED',
    });
    if (attempts === undefined) expect(clock.monotonicMs()).toBe(300_000);
    else expect(clock.pauses).toHaveLength(attempts - 1);
  });

  describe('credentials that a server does not know', () => {
    const unknown = 'DISCOVERY_UNAUTHORIZED';
    const options = { waitingFor, timeoutMs: 300_000 };
    const unknownAfter = (first: DiscoveryErrorCode) =>
      failing(first, unknown, unknown, unknown, unknown, unknown, unknown, undefined);

    it('are given up after a few attempts', async () => {
      const tried = keepTrying(unknownAfter(unknown), { ...options, clock: fakeClock() });
      await expect(tried).rejects.toMatchObject({ code: unknown });
    });

    it('are given the whole time if it has just started', async () => {
      expect(await keepTrying(unknownAfter('DISCOVERY_UNREACHABLE'), { ...options, clock: fakeClock() })).toBe(8);
    });

    it('are given the whole time if it started during an attempt', async () => {
      let calls = 0;
      const attempt = async () => {
        calls += 1;
        const details = calls === 1 ? { requests: 14 } : { requests: 1 };
        if (calls < 8) throw discoveryError(unknown, 'Cannot go on', { details });
        return calls;
      };
      expect(await keepTrying(attempt, { ...options, clock: fakeClock() })).toBe(8);
    });

    it('are given the whole time if they are a bootstrap token, which a cluster gets late', async () => {
      const tried = keepTrying(unknownAfter(unknown), { ...options, clock: fakeClock(), byBootstrapToken: true });
      expect(await tried).toBe(8);
    });
  });

  it('a wrong signature that is mended in time does no harm', async () => {
    const wrong = 'DISCOVERY_SIGNATURE_INVALID';
    const attempt = failing(wrong, wrong, wrong, wrong, undefined);
    expect(await keepTrying(attempt, { waitingFor, clock: fakeClock(), timeoutMs: 300_000 })).toBe(5);
  });

  it('gives each request ten seconds, and the last at least one', async () => {
    const clock = fakeClock();
    const limits: number[] = [];
    const attempt = async ({ timeoutMs }: { readonly timeoutMs: number }) => {
      limits.push(timeoutMs);
      clock.pass(timeoutMs);
      throw fault('DISCOVERY_UNREACHABLE');
    };
    await keepTrying(attempt, { waitingFor, clock, timeoutMs: 25_000 }).catch(() => {});
    expect(limits[0]).toBe(10_000);
    expect(limits.at(-1)).toBeGreaterThanOrEqual(1000);
    expect(limits).toHaveLength(3);
  });

  it('makes one attempt even without any time', async () => {
    expect(await keepTrying(failing(undefined), { waitingFor, clock: fakeClock(), timeoutMs: 0 })).toBe(1);
  });

  it('ends when it is told to', async () => {
    const abort = new AbortController();
    const clock = fakeClock();
    const tried = keepTrying(failing('DISCOVERY_UNSIGNED'), {
      waitingFor,
      clock,
      timeoutMs: 300_000,
      signal: abort.signal,
      onProgress: () => abort.abort(new Error('told to')),
    });
    await expect(tried).rejects.toThrow('told to');
  });

  it('does not go on after a mistake of our own', async () => {
    const attempt = async () => {
      throw new TypeError('a mistake');
    };
    await expect(keepTrying(attempt, { waitingFor, clock: fakeClock(), timeoutMs: 300_000 })).rejects.toThrow(
      TypeError,
    );
  });
});
