import { describe, expect, it } from 'vitest';
import { parseSystemdStatus, parseUtcTimestamp } from './systemd-status.ts';

const now = { nowMs: 1_700_000_000_000, monotonicUs: 50_000_000 };
const running = {
  MainPID: '812',
  LoadState: 'loaded',
  ActiveState: 'active',
  UnitFileState: 'enabled',
  ExecMainStartTimestamp: 'Tue 2023-11-14 22:13:10.123456 UTC',
  ExecMainStartTimestampMonotonic: '40000000',
};

const show = (properties: Record<string, string>): string =>
  Object.entries({ ...running, ...properties })
    .map(([name, value]) => `${name}=${value}\n`)
    .join('');

describe('parseSystemdStatus', () => {
  it.each([
    {
      name: 'running',
      properties: {},
      expected: { exists: true, enabled: true, active: true, startedMs: 1_699_999_990_123.456 },
    },
    {
      name: 'running, times without microseconds',
      properties: { ExecMainStartTimestamp: 'Tue 2023-11-14 22:13:10 UTC' },
      expected: { exists: true, enabled: true, active: true, startedMs: 1_699_999_990_000 },
    },
    {
      name: 'crashed and waiting for its restart',
      properties: { MainPID: '0', ActiveState: 'activating' },
      expected: { exists: true, enabled: true, active: true },
    },
    {
      name: 'stopped',
      properties: { MainPID: '0', ActiveState: 'inactive', UnitFileState: 'disabled' },
      expected: { exists: true, enabled: false, active: false },
    },
    {
      name: 'static',
      properties: { UnitFileState: 'static' },
      expected: { exists: true, enabled: true, active: true, startedMs: 1_699_999_990_123.456 },
    },
    {
      name: 'masked',
      properties: { MainPID: '0', LoadState: 'masked', ActiveState: 'inactive', UnitFileState: 'masked' },
      expected: { exists: true, enabled: false, active: false },
    },
    {
      name: 'unknown',
      properties: {
        MainPID: '0',
        LoadState: 'not-found',
        ActiveState: 'inactive',
        UnitFileState: '',
        ExecMainStartTimestamp: '',
      },
      expected: { exists: false, enabled: false, active: false },
    },
  ])('$name', ({ properties, expected }) => {
    expect(parseSystemdStatus(show(properties), now)).toEqual({ ...expected, initSystem: 'systemd' });
  });

  it('says that there is no unit when there is no output', () => {
    expect(parseSystemdStatus('', now)).toEqual({
      exists: false,
      enabled: false,
      active: false,
      initSystem: 'systemd',
    });
  });
});

describe('parseUtcTimestamp', () => {
  it.each([
    ['Thu 2026-07-30 10:12:13.000001 UTC', Date.UTC(2026, 6, 30, 10, 12, 13) + 0.001],
    ['n/a', undefined],
    ['', undefined],
    ['Thu 2026-07-30 10:12:13 CEST', undefined],
  ])('%j', (text, expected) => {
    expect(parseUtcTimestamp(text)).toBe(expected);
  });
});
