import type { Event } from '@groundplane/phases';
import { describe, expect, it } from 'vitest';
import { durationText } from './duration-text.ts';
import { peopleLines } from './people-lines.ts';
import { waitingFilter } from './waiting-filter.ts';

const waiting = (elapsedMs: number, reason: string, subject = 'kubelet'): Extract<Event, { type: 'waiting' }> => ({
  type: 'waiting',
  phase: 'wait-control-plane',
  subject,
  reason,
  elapsedMs,
  timeoutMs: 240_000,
});

describe('peopleLines', () => {
  it.each<readonly [string, Event, readonly string[]]>([
    [
      'a phase that made something',
      { type: 'phase-finished', phase: 'certs/ca', decision: 'create', durationMs: 210 },
      ['  certs/ca    created        0.21 s'],
    ],
    [
      'a phase that kept everything',
      { type: 'phase-finished', phase: 'certs/ca', decision: 'keep', durationMs: 1 },
      ['  certs/ca    kept           0.00 s'],
    ],
    [
      'a phase that failed',
      { type: 'phase-failed', phase: 'etcd/local', code: 'X', message: 'x', durationMs: 61_000 },
      ['  etcd/local  failed         1 min 01 s'],
    ],
    [
      'what is awaited and why',
      waiting(12_000, 'connection refused'),
      ['  wait-control-plane: waiting for kubelet (12.0 s of 4 min 00 s): connection refused'],
    ],
    ['the beginning of a phase', { type: 'phase-started', phase: 'certs/ca', summary: 'x' }, []],
    [
      'a warning with its hint',
      {
        type: 'finding',
        phase: 'preflight',
        finding: {
          code: 'PREFLIGHT_SWAP',
          severity: 'warning',
          artifact: 'Swap',
          message: 'swap is on',
          hint: 'swapoff -a',
        },
      },
      ['[WARNING Swap]: swap is on', '  swapoff -a'],
    ],
    [
      'an error that will be told at the end',
      { type: 'finding', phase: 'x', finding: { code: 'X', severity: 'error', artifact: 'a', message: 'm' } },
      [],
    ],
  ])('%s', (_, event, lines) => {
    expect(peopleLines(event, { nameWidth: 10 }).map(({ text }) => text)).toEqual(lines);
  });

  it.each([
    [0, '0.00 s'],
    [999, '1.00 s'],
    [1000, '1.0 s'],
    [59_940, '59.9 s'],
    [60_000, '1 min 00 s'],
    [3_725_000, '62 min 05 s'],
  ])('%i ms is %s', (milliseconds, text) => {
    expect(durationText(milliseconds)).toBe(text);
  });
});

describe('waitingFilter', () => {
  it('says the first reason, new reasons that last, and the same one from time to time', () => {
    const say = waitingFilter();
    const events: readonly (readonly [number, string, boolean])[] = [
      [0, 'a', true],
      [500, 'b', false],
      [3000, 'b', true],
      [8000, 'b', false],
      [18_000, 'b', true],
    ];
    for (const [elapsedMs, reason, said] of events) expect(say(waiting(elapsedMs, reason))).toBe(said);
    expect(say(waiting(100, 'b', 'kube-apiserver'))).toBe(true);
  });
});
