import { describe, expect, test } from 'vitest';
import { derive, run, textFile, workflowOf } from '../test/tiny-workflow.ts';
import { parseJournal } from './index.ts';
import { memoryPorts } from './testing/index.ts';

const a = textFile('a');
const b = textFile('b');

describe('the journal', () => {
  const journal = '/var/log/journal.jsonl';

  test('says who made what, when, with which digest', async () => {
    const ports = memoryPorts({ files: { '/etc/tiny/a': 'made from nothing' } });
    await run(workflowOf(derive('one', { writes: { a } }), derive('two', { writes: { b } })), ports, { journal });
    expect(parseJournal(ports.memory.text(journal) ?? '')).toEqual([
      {
        time: '2026-01-01T00:00:00.000Z',
        actor: 'test',
        workflow: 'tiny',
        phase: 'two',
        artifact: 'b',
        location: '/etc/tiny/b',
        action: 'created',
        // printf 'made from nothing' | sha256sum
        digest: 'sha256:304dab8e762e9bc2b5f83d6b0f77160760cc26f5046e2adcf90a668513b5c9c5',
      },
    ]);
    expect(ports.memory.mode(journal)).toBe(0o600);
  });

  test('that cannot be written does not stop the run', async () => {
    const ports = memoryPorts({ files: { '/var/log': 'in the way' } });
    const { error, events } = await run(workflowOf(derive('one', { writes: { a, b } })), ports, { journal });
    expect(error).toBeUndefined();
    const found = events.flatMap((event) => (event.type === 'finding' ? [event.finding] : []));
    expect(found).toMatchObject([{ code: 'PHASES_JOURNAL_UNWRITABLE', severity: 'warning', artifact: journal }]);
  });

  test('leaves out a line that a crash cut short', () => {
    expect(parseJournal('{"phase":"one"}\n{"pha')).toEqual([{ phase: 'one' }]);
  });
});
