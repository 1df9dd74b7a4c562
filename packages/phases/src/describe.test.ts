import { expect, test } from 'vitest';
import { derive, textFile, tiny, workflowOf } from '../test/tiny-workflow.ts';
import { describeWorkflow, optional, whereApplicable } from './index.ts';

const key = textFile('key', { secret: true, mode: 0o600, maxMode: 0o640 });
const ca = textFile('ca');
const leaf = textFile('leaf');
const outside = textFile('outside', { external: true });
const workflow = workflowOf(
  tiny.definePhase({
    name: 'certs/ca',
    summary: 'Make the CA',
    configuration: ['text'],
    writes: { key: optional(key), ca },
    inapplicable: ({ text }) => (text === 'without CA' ? 'it is elsewhere' : undefined),
    demands: ({ text }) => ({ ca: [{ text: `It says ${text}`, code: 'TINY_WRONG', severity: 'error' }] }),
    render: ({ outputs }) => outputs({ key: 'k', ca: 'c' }),
    verify: () => [],
  }),
  derive('leaf', { reads: { ca: whereApplicable(ca), outside }, writes: { leaf }, hidden: true }),
  tiny.defineEffect({
    name: 'seal',
    summary: 'Seal it',
    reads: { again: optional(ca) },
    amends: { leaf },
    removes: [outside],
    connect: { kubeconfig: outside, endpoint: 'local' },
    uses: ['host'],
    conditions: () => [{ text: 'The lid is closed', code: 'TINY_OPEN', severity: 'warning' }],
    verify: () => [],
    run: async () => {},
  }),
);

async function described(text = 'a') {
  const config = { text };
  const { phases } = await describeWorkflow(workflow, { layout: workflow.layout(config), config });
  return Object.fromEntries(phases.map((phase) => [phase.phase, phase]));
}

const tinyConfig = { text: 'a' };

test('a phase is told with its command, its artifacts and what is demanded of them', async () => {
  const { 'certs/ca': phase } = await described();
  expect(phase).toMatchObject({ command: 'tiny phase certs ca', kind: 'pure', hidden: false, configuration: ['text'] });
  expect(
    phase?.writes.map(({ id, mode, maxMode, owner, secret, optional: absent }) => [
      id,
      mode,
      maxMode,
      owner,
      secret,
      absent,
    ]),
  ).toEqual([
    ['key', '0600', '0640', 'root:root', true, true],
    ['ca', '0644', undefined, 'root:root', false, false],
  ]);
  expect(phase?.writes[1]?.directoryMode).toBe('0755');
  expect(phase?.writes[1]?.demands).toEqual([
    { text: 'It is there', code: 'PHASES_ARTIFACT_MISSING', severity: 'error' },
    { text: expect.stringContaining('It can be read'), code: 'PHASES_ARTIFACT_MALFORMED', severity: 'error' },
    { text: 'It belongs to root, or to who looks', code: 'PHASES_OWNER_FOREIGN', severity: 'warning' },
    { text: 'It says a', code: 'TINY_WRONG', severity: 'error' },
  ]);
  expect(phase?.writes[0]?.demands.map(({ code }) => code)).toEqual([
    'PHASES_ARTIFACT_MALFORMED',
    'PHASES_SECRET_EXPOSED',
    'PHASES_OWNER_FOREIGN',
  ]);
  expect(phase?.writes[1]?.usedBy).toEqual(['leaf', 'seal']);
});

test('a hidden phase has no command; a read says who makes it', async () => {
  const { leaf: phase } = await described();
  expect(phase).not.toHaveProperty('command');
  expect(phase?.reads.map(({ id, madeBy, external }) => [id, madeBy, external])).toEqual([
    ['ca', 'certs/ca', false],
    ['outside', undefined, true],
  ]);
});

test('what is read where applicable may be absent only where its maker is not asked for', async () => {
  const mayBeAbsent = async (text: string) => (await described(text)).leaf?.reads[0]?.optional;
  expect(await mayBeAbsent('a')).toBe(false);
  expect(await mayBeAbsent('without CA')).toBe(true);
});

test('nothing is demanded where the configuration does not ask for the phase', async () => {
  const { 'certs/ca': phase } = await described('without CA');
  expect(phase?.inapplicable).toBe('it is elsewhere');
  expect(phase?.writes.flatMap(({ demands }) => demands)).toEqual([]);
});

test('an effect says how it connects, what it acts through, removes and asks of the world', async () => {
  const { seal } = await described();
  expect(seal).toMatchObject({
    kind: 'effect',
    connect: { kubeconfig: 'outside', endpoint: 'local' },
    uses: ['host'],
    conditions: [{ text: 'The lid is closed' }],
  });
  expect(seal?.reads.map(({ id }) => id)).toEqual(['ca', 'outside']);
  expect(seal?.amends.map(({ id, madeBy }) => [id, madeBy])).toEqual([['leaf', 'leaf']]);
  expect(seal?.removes.map(({ id, demands }) => [id, demands[0]?.code])).toEqual([['outside', 'PHASES_LEFTOVER']]);
});

test('without a configuration nothing is said about what depends on it', async () => {
  const { phases } = await describeWorkflow(workflow, { layout: workflow.layout(tinyConfig) });
  expect(phases[0]?.writes[1]?.demands.map(({ code }) => code)).not.toContain('TINY_WRONG');
});

test('a demand on what the phase does not declare is a mistake', async () => {
  const demands = () => ({ ...({ elsewhere: [] } as object) });
  const mistaken = workflowOf(
    tiny.definePhase({
      name: 'ca',
      summary: 'Make the CA',
      writes: { ca },
      demands,
      render: ({ outputs }) => outputs({ ca: 'c' }),
      verify: () => [],
    }),
  );
  const description = describeWorkflow(mistaken, { layout: mistaken.layout(tinyConfig), config: tinyConfig });
  await expect(description).rejects.toThrow(/does not declare: elsewhere/);
});
