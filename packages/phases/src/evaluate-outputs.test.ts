import { describe, expect, test } from 'vitest';
import { decisions, derive, plan, run, textFile, tiny, type tinyConfig, workflowOf } from '../test/tiny-workflow.ts';
import type { AnyPhase, SigningRequest } from './index.ts';
import { type MemoryPorts, memoryPorts } from './testing/index.ts';

const ca = textFile('ca');
const leaf = textFile('leaf');
const settings = textFile('settings', { policy: 'converge' });
const ticket = textFile('ticket', { policy: 'ephemeral', until: textFile('member', { policy: 'observe' }) });

const settingsPhase = derive('settings', { writes: { settings } });

function files(content: Readonly<Record<string, string | { content: string; mode: number }>>): MemoryPorts {
  return memoryPorts({
    files: Object.fromEntries(Object.entries(content).map(([name, text]) => [`/etc/tiny/${name}`, text])),
  });
}

const goodCa = 'made from nothing';

describe('modes', () => {
  const secret = textFile('secret', { secret: true, mode: 0o600, maxMode: 0o640 });
  const closed = workflowOf(derive('secret', { writes: { secret } }));

  test.each([
    { mode: 0o600, decision: 'keep', code: undefined },
    { mode: 0o640, decision: 'keep', code: undefined },
    { mode: 0o644, decision: 'keep', code: 'PHASES_SECRET_EXPOSED' },
    { mode: 0o660, decision: 'keep', code: 'PHASES_SECRET_EXPOSED' },
  ])('a preserved secret with mode $mode: $decision', async ({ mode, decision, code }) => {
    const { phases } = await plan(closed, files({ secret: { content: 'made from nothing', mode } }));
    expect([phases[0]?.decision, phases[0]?.findings[0]?.code]).toEqual([decision, code]);
  });

  test('a secret that says nothing of its greatest mode is closed to all others', async () => {
    const silent = workflowOf(
      derive('silent', { writes: { silent: textFile('secret', { secret: true, mode: 0o600 }) } }),
    );
    const there = files({ secret: { content: 'made from nothing', mode: 0o604 } });
    expect((await plan(silent, there)).phases[0]).toMatchObject({
      decision: 'keep',
      findings: [{ code: 'PHASES_SECRET_EXPOSED', severity: 'warning' }],
    });
  });

  test('a public file that is open too far is a warning', async () => {
    const guarded = workflowOf(derive('ca', { writes: { ca: textFile('ca', { maxMode: 0o644 }) } }));
    const { phases } = await plan(guarded, files({ ca: { content: goodCa, mode: 0o666 } }));
    expect(phases[0]).toMatchObject({
      decision: 'keep',
      findings: [{ code: 'PHASES_MODE_TOO_OPEN', severity: 'warning' }],
    });
  });

  test('a converging file that is open too far is written anew, with its mode', async () => {
    const convergingSecret = textFile('settings', { policy: 'converge', secret: true, mode: 0o600 });
    const workflow = workflowOf(derive('settings', { writes: { convergingSecret } }));
    const there = files({ settings: { content: 'wanted', mode: 0o644 } });
    expect(await decisions(workflow, there)).toEqual({ settings: 'replace' });
    await run(workflow, there);
    expect(there.memory.mode('/etc/tiny/settings')).toBe(0o600);
  });

  test('the reason of a foreign parser is not shown for a secret', async () => {
    const { phases } = await plan(closed, files({ secret: { content: 'broken c2VjcmV0', mode: 0o600 } }));
    expect(phases[0]?.decision).toBe('conflict');
    expect(JSON.stringify(phases)).not.toContain('c2VjcmV0');
  });
});

describe('ephemeral artifacts', () => {
  const workflow = workflowOf(derive('ticket', { writes: { ticket } }));

  test.each([
    { there: {}, decision: 'create' },
    { there: { ticket: goodCa }, decision: 'keep' },
    { there: { member: 'me' }, decision: 'keep' },
  ])('with $there: $decision', async ({ there, decision }) => {
    expect(await decisions(workflow, files(there))).toEqual({ ticket: decision });
  });

  test('one whose lifetime is over is not requested from the signer', async () => {
    const issuing = tiny.definePhase({
      name: 'ticket',
      summary: 'Have a ticket issued',
      writes: { ticket },
      render: ({ issue, outputs }) =>
        issue({ name: 'ticket', algorithm: 'RSA-2048' }, ({ key }) => outputs({ ticket: key })),
      verify: () => [],
    });
    expect(await decisions(workflowOf(issuing), files({ member: 'me' }))).toEqual({ ticket: 'keep' });
  });
});

describe('amendments', () => {
  const amend = (policy: 'preserve' | 'observe') => {
    const target = textFile('ca', { policy });
    return tiny.definePhase({
      name: 'amend',
      summary: 'Amend the CA',
      amends: { target },
      render: ({ existing, outputs }) =>
        outputs({ target: existing.target?.endsWith('!') ? existing.target : `${existing.target}!` }),
      verify: ({ outputs }) =>
        outputs.target.endsWith('!')
          ? []
          : [{ code: 'TINY_WRONG', severity: 'error', artifact: 'ca', message: 'no !' }],
    });
  };
  const target = (phase: ReturnType<typeof amend>) => Object.values(phase.amends)[0] as typeof ca;
  const creator = (artifact: typeof ca): AnyPhase<typeof tinyConfig> => ({
    ...derive('ca', { writes: { artifact } }),
    verify: async () => [],
  });

  test('wait for what an earlier phase is going to create', async () => {
    const phase = amend('preserve');
    expect(await decisions(workflowOf(creator(target(phase)), phase), memoryPorts())).toEqual({
      ca: 'create',
      amend: 'deferred',
    });
  });

  test('change a preserved artifact, once', async () => {
    const phase = amend('preserve');
    const workflow = workflowOf(creator(target(phase)), phase);
    const ports = memoryPorts();
    expect((await run(workflow, ports)).error).toBeUndefined();
    expect(ports.memory.text('/etc/tiny/ca')).toBe('made from nothing!');
    expect(await decisions(workflow, ports)).toEqual({ ca: 'keep', amend: 'keep' });
  });

  test('of something that is not there are a conflict', async () => {
    const phase = amend('preserve');
    const workflow = workflowOf(creator(target(phase)), phase);
    expect(await decisions(workflow, memoryPorts(), { skip: ['ca'] })).toEqual({ amend: 'conflict' });
  });
});

describe('an external CA', () => {
  const request: SigningRequest = {
    name: 'leaf',
    algorithm: 'RSA-2048',
    certificate: {
      commonName: 'leaf',
      organizations: ['o'],
      dnsNames: ['leaf.example'],
      ipAddresses: ['192.0.2.1'],
      usages: ['serverAuth'],
      isCA: false,
      notBefore: new Date(0),
      notAfter: new Date(1),
      issuer: { certificate: '{"subject":"ca","key":"k"}' },
    },
  };
  const issuing = tiny.definePhase({
    name: 'leaf',
    summary: 'Have a leaf issued',
    writes: { leaf },
    render: ({ issue, outputs }) => issue(request, ({ certificate = '' }) => outputs({ leaf: certificate })),
    verify: () => [],
  });

  test('what is missing is listed as a request, and nothing is written', async () => {
    const ports = memoryPorts();
    const { error } = await run(workflowOf(issuing, settingsPhase), ports);
    expect(error).toMatchObject({
      code: 'PHASES_EXTERNAL',
      findings: [
        {
          code: 'PHASES_EXTERNAL_REQUEST',
          message: expect.stringContaining('CN=leaf; O=o; serverAuth; SANs leaf.example, 192.0.2.1'),
          hint: 'Have your CA issue it and put it at /etc/tiny/leaf',
        },
      ],
    });
    expect(ports.memory.writes).toEqual([]);
    expect(ports.memory.signed).toEqual([]);
  });

  test('what exists is kept', async () => {
    expect(await decisions(workflowOf(issuing), files({ leaf: 'from elsewhere' }))).toEqual({ leaf: 'keep' });
  });
});
