import type { ExtendWorkflow } from '@groundplane/bootstrap';
import type { JournalEntry } from '@groundplane/phases';
import { expect, test } from 'vitest';
import { orphanWarnings } from './orphan-warnings.ts';

const asItIs: ExtendWorkflow = async (workflow) => workflow;
const entry = (
  workflow: string,
  phase: string,
  location: string,
  action: JournalEntry['action'] = 'created',
): JournalEntry => ({
  time: '2026-01-01T00:00:00Z',
  actor: 'groundplane',
  workflow,
  phase,
  artifact: 'x',
  location,
  action,
});

test('what was made by phases that are not there is told, once, unless it was removed', async () => {
  const entries = [
    entry('init', 'certs/ca', '/etc/kubernetes/pki/ca.crt'),
    entry('init', 'inventory', '/etc/kubernetes/inventory.yaml'),
    entry('init', 'inventory', '/etc/kubernetes/inventory.yaml', 'replaced'),
    entry('init', 'other', '/etc/kubernetes/other'),
    entry('init', 'other', '/etc/kubernetes/other', 'removed'),
    entry('token', 'create', 'Secret kube-system/bootstrap-token-abcdef'),
  ];
  const warnings = await orphanWarnings({ entries, damagedLines: 0, isCut: false }, asItIs);
  expect(warnings).toMatchObject([
    {
      code: 'CLI_PHASE_GONE',
      severity: 'warning',
      artifact: '/etc/kubernetes/inventory.yaml',
      message: expect.stringContaining("'inventory' of init"),
    },
  ]);
  expect(await orphanWarnings(undefined, asItIs)).toEqual([]);
});
