import type { Clock, Cluster, Host, Look, Runtime, WaitOptions } from '@groundplane/phases';
import { type HealthCheck, lookAtHealth } from './health-checks.ts';
import { explainHealth, withReasons } from './health-explanation.ts';

/** How often health is asked for, in milliseconds. */
const intervalMs = 100;
/** A component that waits long for the API server may give up and start anew: health of longer ago is asked for again. */
const freshMs = 1_000;

interface Checks {
  /** Nothing if it has no endpoint. */
  readonly kubelet: HealthCheck | undefined;
  /** Whatever others wait for comes before them. */
  readonly components: readonly HealthCheck[];
}

interface Means {
  readonly ports: { readonly host: Host; readonly cluster: Cluster; readonly runtime: Runtime; readonly clock: Clock };
  wait(options: WaitOptions, look: () => Promise<Look>): Promise<void>;
  progress(message: string): void;
}

/** When a component was seen healthy. */
interface Seen {
  readonly check: HealthCheck;
  readonly at: number;
}

/**
 * Waits for the kubelet, and then until all components have been healthy within one second. Each has its time from the same moment on.
 *
 * @throws GroundplaneError PHASES_WAIT_TIMEOUT of the first component that is not healthy when the time is over, whichever was found out
 *   first and even if it had been healthy before: the others wait for it, and are named in the hint
 */
export async function waitForHealth(
  { kubelet, components }: Checks,
  { ports: { host, cluster, runtime, clock }, wait, progress }: Means,
): Promise<void> {
  let broken: { readonly thrown: unknown } | undefined;
  // What cannot be asked at all ends the wait for all.
  const lookAt = async (check: HealthCheck): Promise<Look> => {
    if (broken !== undefined) throw broken.thrown;
    try {
      return await lookAtHealth(check, host, cluster);
    } catch (thrown) {
      broken = { thrown };
      throw thrown;
    }
  };

  async function illBeside(named: HealthCheck): Promise<readonly string[]> {
    const others = [...(kubelet === undefined ? [] : [kubelet]), ...components].filter((check) => check !== named);
    const lines = others.map(async (check) => {
      const look = await lookAtHealth(check, host, cluster);
      return look.done ? [] : [`${check.name} is not healthy either: ${look.reason}`];
    });
    return (await Promise.all(lines)).flat();
  }

  async function waitFor(check: HealthCheck, begunMs: number): Promise<Seen> {
    const since = clock.monotonicMs();
    const explain = async () => {
      const own = explainHealth(check, { runtime, host }).catch(() => []);
      const others = check === kubelet ? [] : illBeside(check).catch(() => []);
      return (await Promise.all([own, others])).flat();
    };
    const look = withReasons(check, { runtime, host, clock }, () => lookAt(check));
    const subject = `${check.name} at ${check.url}`;
    await wait({ subject, timeoutMs: check.timeoutMs, begunMs, intervalMs, explain }, look);
    progress(`${check.name} is healthy after ${((clock.monotonicMs() - since) / 1000).toFixed(1)} s`);
    return { check, at: clock.monotonicMs() };
  }

  if (kubelet !== undefined) await waitFor(kubelet, clock.monotonicMs());
  const begunMs = clock.monotonicMs();
  const again = async (check: HealthCheck): Promise<Seen> =>
    (await lookAt(check)).done ? { check, at: clock.monotonicMs() } : waitFor(check, begunMs);

  async function allOf(waits: readonly Promise<Seen>[]): Promise<readonly Seen[]> {
    const outcomes = await Promise.allSettled(waits);
    const first = outcomes.findIndex(({ status }) => status === 'rejected');
    // Those before it had been healthy, and may not be any more.
    if (first !== -1) for (const check of components.slice(0, first)) await again(check);
    // The others have been settled: the error is that of the first of them.
    return Promise.all(waits);
  }

  let healthy = await allOf(components.map((check) => waitFor(check, begunMs)));
  for (;;) {
    const oldest = clock.monotonicMs() - freshMs;
    if (healthy.every(({ at }) => at >= oldest)) return;
    healthy = await allOf(healthy.map(async (known) => (known.at >= oldest ? known : again(known.check))));
  }
}
