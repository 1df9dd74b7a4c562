import { describe, expect, test } from 'vitest';
import { derive, textFile, textObject, tiny, tinyConfig, workflowOf } from '../test/tiny-workflow.ts';
import { type AnyPhase, verifyWorkflow } from './index.ts';
import { type MemoryPortsOptions, memoryPorts } from './testing/index.ts';

const ca = textFile('ca');
const settings = textFile('settings', { policy: 'converge', secret: true, mode: 0o600 });
const access = textFile('access', { external: true });
const stored = textObject('stored', { policy: 'converge' });
const member = textFile('member', { policy: 'observe' });
const ticket = textFile('ticket', { policy: 'ephemeral', until: member });
const plainTicket = textFile('ticket', { policy: 'ephemeral' });

async function verdict(phase: AnyPhase<typeof tinyConfig>, options: MemoryPortsOptions) {
  const ports = memoryPorts(options);
  const verdicts = await verifyWorkflow({ workflow: workflowOf(phase), config: tinyConfig, ports });
  expect(ports.memory.writes).toEqual([]);
  return verdicts.flatMap(({ verdict: word, findings, unseen }) => [
    word,
    ...findings.map(({ severity, code, artifact }) => `${severity} ${code} ${artifact}`),
    ...unseen.map(({ location, reason }) => `unseen ${location}: ${reason}`),
  ]);
}

const upload = derive('upload', { writes: { stored }, connect: { kubeconfig: access, endpoint: 'as-written' } });

describe('verifyWorkflow', () => {
  test.each([
    {
      what: 'finds nothing wrong',
      phase: derive('ca', { writes: { ca } }),
      files: { '/etc/tiny/ca': 'made from nothing' },
      expected: ['valid'],
    },
    {
      what: 'misses an output',
      phase: derive('ca', { writes: { ca } }),
      files: {},
      expected: ['invalid', 'error PHASES_ARTIFACT_MISSING /etc/tiny/ca'],
    },
    {
      what: 'asks the phase',
      phase: derive('ca', { writes: { ca } }),
      files: { '/etc/tiny/ca': 'made up' },
      expected: ['invalid', 'error TINY_WRONG ca'],
    },
    {
      what: 'sees an open secret that a run would close',
      phase: derive('settings', { writes: { settings } }),
      files: { '/etc/tiny/settings': 'wanted' },
      expected: ['valid', 'warning PHASES_SECRET_EXPOSED /etc/tiny/settings'],
    },
    {
      what: 'does not miss what is over',
      phase: derive('ticket', { writes: { ticket } }),
      files: { '/etc/tiny/member': 'me' },
      expected: ['valid'],
    },
    {
      what: 'only remarks on something with a lifetime that is gone',
      phase: derive('ticket', { writes: { plainTicket } }),
      files: {},
      expected: ['valid', 'warning PHASES_ARTIFACT_MISSING /etc/tiny/ticket'],
    },
    {
      what: 'says that the cluster does not answer',
      phase: upload,
      files: { '/etc/tiny/access': 'x' },
      apiRefusal: () => 'nobody listens',
      expected: ['unknown', 'unseen Text stored: the API server does not answer: nobody listens'],
    },
    {
      what: 'says that an effect could not be asked',
      phase: tiny.defineEffect({
        name: 'silent',
        summary: 'Ask',
        uses: [],
        run: async () => {},
        verify: () => Promise.reject(new Error('ECONNREFUSED')),
      }),
      files: {},
      expected: ['unknown', 'unseen silent: ECONNREFUSED'],
    },
    {
      what: 'asks an effect what is known to those who only look',
      phase: tiny.defineEffect({
        name: 'guarded',
        summary: 'Ask',
        uses: [],
        run: async () => {},
        verify: () => [{ code: 'TINY_WRONG', severity: 'error', artifact: 'user', message: 'not root' }],
        survey: () => ({
          findings: [{ code: 'TINY_WRONG', severity: 'warning', artifact: 'cpu', message: 'slow' }],
          unseen: [{ artifact: 'guarded', location: 'user', reason: 'not root' }],
        }),
      }),
      files: {},
      expected: ['unknown', 'warning TINY_WRONG cpu', 'unseen user: not root'],
    },
    {
      what: 'says nothing of what the configuration does not ask for',
      phase: { ...derive('ca', { writes: { ca } }), inapplicable: () => 'elsewhere' },
      files: {},
      expected: ['inapplicable'],
    },
  ])('$what', async ({ phase, expected, ...options }) => {
    const { files, apiRefusal } = options as MemoryPortsOptions & { what: string };
    expect(await verdict(phase, { ...(files && { files }), ...(apiRefusal && { apiRefusal }) })).toEqual(expected);
  });

  test('shows an amending phase the whole', async () => {
    const target = textFile('ca');
    const amend = tiny.definePhase({
      name: 'amend',
      summary: 'Amend',
      amends: { target },
      render: ({ outputs }) => outputs({ target: 'sealed' }),
      verify: ({ outputs }) =>
        outputs.target === 'sealed'
          ? []
          : [{ code: 'TINY_UNSEALED', severity: 'error', artifact: 'ca', message: 'no' }],
    });
    const workflow = workflowOf(derive('ca', { writes: { target } }), amend);
    const ports = memoryPorts({ files: { '/etc/tiny/ca': 'made from nothing' } });
    const verdicts = await verifyWorkflow({ workflow, config: tinyConfig, ports });
    expect(verdicts.map(({ phase, findings }) => [phase, findings.map(({ code }) => code)])).toEqual([
      ['ca', []],
      ['amend', ['TINY_UNSEALED']],
    ]);
  });
});
