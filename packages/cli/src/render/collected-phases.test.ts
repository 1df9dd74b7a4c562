import { expect, it } from 'vitest';
import { collectedPhases } from './collected-phases.ts';

it('tells of each phase what it did, how it ended, and whether it was taken back', () => {
  const collected = collectedPhases();
  const written = { artifact: 'pki/ca.crt', location: '/p/ca.crt', action: 'created' } as const;
  collected.note({ type: 'phase-started', phase: 'certs/ca', summary: 's' });
  collected.note({ type: 'artifact', phase: 'certs/ca', ...written });
  expect(collected.phases()).toEqual([]);
  collected.note({ type: 'phase-finished', phase: 'certs/ca', decision: 'create', durationMs: 5 });
  collected.note({ type: 'phase-undone', phase: 'drain' });
  collected.note({ type: 'phase-failed', phase: 'drain', code: 'X', message: 'x', durationMs: 7 });
  expect(collected.phases()).toEqual([
    { phase: 'certs/ca', decision: 'create', durationMs: 5, artifacts: [written] },
    { phase: 'drain', code: 'X', message: 'x', durationMs: 7, artifacts: [], undone: true },
  ]);
});
