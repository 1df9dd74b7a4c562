import { describe, expect, test } from 'vitest';
import { sampleConfig, sampleWorkflow, sampleWorld } from '../test/sample-workflow.ts';
import { planWorkflow, runWorkflow, verifyWorkflow } from './index.ts';

const workflow = sampleWorkflow();
const journal = '/var/log/journal.jsonl';
const run = (ports: ReturnType<typeof sampleWorld>) =>
  runWorkflow({ workflow, config: sampleConfig, ports, actor: 'test', journal });

describe('a run that is killed', () => {
  test.each(['before', 'after'] as const)(
    '%s any of its changes is completed by the next, with the keys that were there',
    async (when) => {
      let killed = 0;
      for (let nth = 1; ; nth++) {
        const ports = sampleWorld();
        const { memory } = ports;
        memory.failAt(nth, { when, how: 'kill' });
        const outcome = await run(ports).then(
          () => 'completed',
          () => 'killed',
        );
        if (outcome === 'completed') break;
        killed += 1;
        memory.revive();
        const before = new Map(
          memory
            .paths()
            .filter((path) => /\.(key|crt)$/.test(path))
            .map((path) => [path, memory.text(path)]),
        );
        await run(ports);
        for (const [path, content] of before) expect(memory.text(path)).toBe(content);
        const verdicts = await verifyWorkflow({ workflow, config: sampleConfig, ports });
        expect(verdicts.flatMap(({ findings }) => findings)).toEqual([]);
        const { phases } = await planWorkflow({ workflow, config: sampleConfig, ports });
        expect(new Set(phases.map(({ decision }) => decision))).toEqual(new Set(['keep']));
      }
      expect(killed).toBe(16);
    },
  );
});
