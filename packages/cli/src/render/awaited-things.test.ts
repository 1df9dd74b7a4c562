import type { Event } from '@groundplane/phases';
import { describe, expect, it } from 'vitest';
import { awaitedThings } from './awaited-things.ts';
import { liveLine } from './live-line.ts';

type Waiting = Extract<Event, { type: 'waiting' }>;

const phase = 'wait-control-plane';
const waiting = (subject: string, reason: string, elapsedMs = 12_000): Waiting => ({
  type: 'waiting',
  phase,
  subject,
  reason,
  elapsedMs,
  timeoutMs: 240_000,
});
const apiServer = (reason: string) => waiting('kube-apiserver at https://192.0.2.1:6443/livez', reason);
const manager = (reason: string) => waiting('kube-controller-manager at https://127.0.0.1:10257/healthz', reason);
const scheduler = (reason: string) => waiting('kube-scheduler at https://127.0.0.1:10259/livez', reason);
const healthy = (name: string): Event => ({ type: 'progress', phase, message: `${name} is healthy after 3.0 s` });

/** What a terminal of that width shows after these events. */
function shown(columns: number, events: readonly Event[]): string {
  const written: string[] = [];
  const live = liveLine({ stdout: (text) => void written.push(text), stderr: () => {}, columns });
  const awaited = awaitedThings();
  for (const event of events) {
    awaited.note(event);
    if (event.type === 'waiting') live.show(awaited.forms(event));
  }
  return written.join('').split('\r\u001b[K').at(-1) ?? '';
}

describe('the live line of a wait', () => {
  it.each<readonly [string, number, readonly Event[], string]>([
    [
      'one thing, 80 columns',
      80,
      [apiServer('connection refused')],
      'waiting for kube-apiserver: connection refused (12.0 s of 4 min 00 s)',
    ],
    [
      'three things, wide',
      200,
      [apiServer('connection refused'), manager('it answers 500'), scheduler('no container yet')],
      'waiting for kube-apiserver, kube-controller-manager, kube-scheduler: kube-scheduler: no container yet (12.0 s of 4 min 00 s)',
    ],
    [
      'three things, 100 columns',
      100,
      [apiServer('connection refused'), manager('connection refused'), scheduler('connection refused')],
      'kube-apiserver, kube-controller-manager, kube-scheduler: connection refused (12.0 s of 4 min 00 s)',
    ],
    [
      'three things, 80 columns: all names and the reason',
      80,
      [apiServer('connection refused'), manager('connection refused'), scheduler('connection refused')],
      'apiserver, controller-manager, scheduler: connection refused (12.0 s of 4 min …',
    ],
    [
      'a reason that is only repeated does not replace a new one',
      200,
      [apiServer('connection refused'), scheduler('it answers 500'), apiServer('connection refused')],
      'waiting for kube-apiserver, kube-scheduler: kube-scheduler: it answers 500 (12.0 s of 4 min 00 s)',
    ],
    [
      'what is there is awaited no longer',
      100,
      [apiServer('connection refused'), scheduler('it answers 500'), healthy('kube-scheduler'), apiServer('x')],
      'waiting for kube-apiserver: x (12.0 s of 4 min 00 s)',
    ],
    [
      'another phase awaits something else',
      100,
      [apiServer('x'), { type: 'phase-started', phase: 'next', summary: 's' }, waiting('the Node', 'not found')],
      'waiting for the Node: not found (12.0 s of 4 min 00 s)',
    ],
    [
      'a reason with a URL and several lines',
      100,
      [apiServer('cannot connect to https://192.0.2.1:6443/livez?timeout=10s:\n refused')],
      'waiting for kube-apiserver: cannot connect: refused (12.0 s of 4 min 00 s)',
    ],
  ])('%s', (_, columns, events, text) => {
    expect(shown(columns, events)).toBe(text);
  });
});
