import type { ServiceStatus } from '@groundplane/phases';

/** States of a unit file for which `systemctl is-enabled` exits 0 (systemctl(1)). */
const enabledStates: ReadonlySet<string> = new Set([
  'enabled',
  'enabled-runtime',
  'static',
  'indirect',
  'alias',
  'generated',
  'transient',
]);

/** A kubelet that crashes and is started again is `activating`; kubeadm counts it as active. */
const activeStates: ReadonlySet<string> = new Set(['active', 'activating', 'reloading', 'refreshing']);

/**
 * Reads what `systemctl show` prints. The start is taken from the wall clock as systemd recorded it, which can be compared
 * with the times of files; where it has no microseconds, from the monotonic clock.
 *
 * @param now both clocks at one moment
 */
export function parseSystemdStatus(
  text: string,
  now: { readonly nowMs: number; readonly monotonicUs: number },
): ServiceStatus {
  const property = new Map<string, string>();
  for (const line of text.split('\n')) {
    const equals = line.indexOf('=');
    if (equals > 0) property.set(line.slice(0, equals), line.slice(equals + 1));
  }
  const running = Number(property.get('MainPID') ?? 0) > 0;
  const startedMs = running ? startOf(property, now) : undefined;
  return {
    exists: (property.get('LoadState') ?? 'not-found') !== 'not-found',
    enabled: enabledStates.has(property.get('UnitFileState') ?? ''),
    active: activeStates.has(property.get('ActiveState') ?? ''),
    initSystem: 'systemd',
    ...(startedMs === undefined ? {} : { startedMs }),
  };
}

function startOf(
  property: ReadonlyMap<string, string>,
  now: { readonly nowMs: number; readonly monotonicUs: number },
): number | undefined {
  const wall = parseUtcTimestamp(property.get('ExecMainStartTimestamp') ?? '');
  if (wall !== undefined) return wall;
  const monotonic = Number(property.get('ExecMainStartTimestampMonotonic') ?? 0);
  return monotonic > 0 ? now.nowMs - (now.monotonicUs - monotonic) / 1000 : undefined;
}

/** `Thu 2026-07-30 10:12:13.123456 UTC` → milliseconds since the epoch with fractions. */
export function parseUtcTimestamp(text: string): number | undefined {
  const match = /(\d{4}-\d{2}-\d{2}) (\d{2}:\d{2}:\d{2})\.(\d{6}) UTC$/.exec(text);
  if (match === null) return undefined;
  return Date.parse(`${match[1]}T${match[2]}Z`) + Number(match[3]) / 1000;
}
