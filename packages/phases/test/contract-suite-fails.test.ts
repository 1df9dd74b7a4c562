import { describe, expect, test } from 'vitest';
import type { AnyPhase, Artifact } from '../src/index.ts';
import { contractSuite, type MemoryPorts } from '../src/testing/index.ts';
import { access, file, isSubset, object, textFormat } from './sample-artifacts.ts';
import {
  agentPhase,
  caPhase,
  finding,
  identityPhase,
  type SampleConfig,
  sample,
  sampleConfig,
  samplePhases,
  sampleWorkflow,
  sampleWorld,
  serverPhase,
  settingsPhase,
  tellingPhase,
  tokenPhase,
} from './sample-workflow.ts';

type Phase = AnyPhase<SampleConfig>;

/** The world that was made last, for phases that reach past their ports. */
let world: MemoryPorts;

function withBroken(original: Phase, broken: Partial<Phase>): readonly Phase[] {
  return samplePhases.map((phase: Phase) => (phase === original ? { ...phase, ...broken } : phase));
}

function withAdded(...phases: readonly Phase[]): readonly Phase[] {
  return [...samplePhases, ...phases];
}

const anyText = textFormat('text', '', '');

/** A phase that writes one file and finds everything right. */
function careless(artifact: Artifact<string>): Phase {
  return sample.definePhase({
    name: 'careless',
    summary: 'Write it',
    writes: { artifact },
    render: ({ outputs }) => outputs({ artifact: 'some text of this phase' }),
    verify: () => [],
  });
}

const acceptsAnything = async () => [];
let renders = 0;
const looseFile = file('loose', anyText, { policy: 'preserve', mode: 0o644 });
const openSecret = file('open', anyText, { policy: 'preserve', mode: 0o644, secret: true, maxMode: 0o777 });
const extraMap = object('ConfigMap', 'extra', { policy: 'converge' });

interface Row {
  readonly what: string;
  readonly phases: readonly Phase[];
  readonly failing: string;
  readonly message: RegExp;
}

const rows: readonly Row[] = [
  {
    what: 'a verify that accepts the certificate of another run',
    phases: withBroken(serverPhase, { verify: acceptsAnything }),
    failing: 'certs/server: an output that is swapped for the same output of another run is noticed',
    message: /server\.crt was swapped for the same output of another run, and a run would not stop for it/,
  },
  {
    what: 'a verify that accepts the certificate of somebody else',
    phases: withBroken(serverPhase, { verify: acceptsAnything }),
    failing: 'certs/server: an output that is swapped for an output of another phase is noticed',
    message: /server\.crt was swapped for an output of another phase/,
  },
  {
    what: 'a format and a verify that accept half a file',
    phases: withAdded(careless(looseFile)),
    failing: 'careless: an output that is cut short is noticed',
    message: /loose was cut short/,
  },
  {
    what: 'an object that is left although it differs',
    phases: withAdded(
      sample.definePhase({
        name: 'upload-extra',
        summary: 'Upload it',
        writes: { extra: { ...extraMap, format: { ...extraMap.format, satisfied: () => true } } },
        connect: { kubeconfig: access, endpoint: 'local' },
        render: ({ outputs }) =>
          outputs({
            extra: {
              apiVersion: 'v1',
              kind: 'ConfigMap',
              metadata: { name: 'extra', namespace: 'kube-system' },
              data: {},
            },
          }),
        verify: () => [],
      }),
    ),
    failing: 'upload-extra: an output that is cut short is noticed',
    message: /ConfigMap kube-system\/extra was cut short, and neither plan nor verify says so/,
  },
  {
    what: 'a render that is never the same',
    phases: withBroken(settingsPhase, {
      render: async () => ({ kind: 'values', values: { settings: { name: 'sample', certificate: `${++renders}` } } }),
    }),
    failing: 'settings: the next plan keeps what it made',
    message: /The next plan says replace/,
  },
  {
    what: 'a second run that changes something',
    phases: withBroken(settingsPhase, {
      render: async () => ({ kind: 'values', values: { settings: { name: 'sample', certificate: `${++renders}` } } }),
    }),
    failing: 'a second run changes nothing, signs nothing and restarts nothing',
    message: /the next plan would not leave it: settings replace/,
  },
  {
    what: 'an effect that does not compare its process with its files',
    phases: withBroken(agentPhase, {
      verify: async (_, { ports }) =>
        (await ports.host?.files.status('/etc/sample/agent.json')) ? [] : [finding('agent', 'no settings')],
    }),
    failing: 'agent/start: a run that stopped before any of its changes is completed by the next',
    message: /Stopped before change \d+ \(restart agent\): the run does not complete/,
  },
  {
    what: 'a run that changes what was there',
    phases: withAdded(
      sample.defineEffect({
        name: 'touch',
        summary: 'Touch the CA',
        uses: [],
        run: async () => {
          const text = world.memory.text('/etc/sample/ca.crt') ?? '';
          world.memory.put('/etc/sample/ca.crt', text.replace('{', '{ '));
        },
        verify: () =>
          world.memory.text('/etc/sample/ca.crt')?.startsWith('{ ') ? [] : [finding('touch', 'not touched')],
      }),
    ),
    failing: 'agent/start: a run that stopped before any of its changes is completed by the next',
    message: /\/etc\/sample\/ca.crt was there already, and the run changed it/,
  },
  {
    what: 'a secret with an open mode',
    phases: withAdded(careless(openSecret)),
    failing: 'careless: secrets get their mode',
    message: /\/etc\/sample\/open is secret and open to everybody: mode 0644/,
  },
  {
    what: 'a secret that may be opened',
    phases: withAdded(careless({ ...openSecret, mode: 0o600 })),
    failing: 'careless: a secret that is opened to others is noticed',
    message: /\/etc\/sample\/open was opened to others, and verify does not name it/,
  },
  {
    what: 'a key in a progress line',
    phases: withBroken(identityPhase, {
      run: async (state, capabilities) => {
        await identityPhase.run?.(state, capabilities);
        capabilities.progress(world.memory.text('/etc/sample/ca.key') ?? '');
      },
    }),
    failing: 'agent/start: what a run leaves passes its verify',
    message: /an event shows secret bytes/,
  },
  {
    what: 'a token in a finding',
    phases: withBroken(tokenPhase, {
      verify: async ({ config }) => [{ ...finding('token', `it is ${config.token}`), severity: 'warning' }],
    }),
    failing: 'agent/token: what a run leaves passes its verify',
    message: /shows secret bytes \(they begin with abcd…\)/,
  },
  {
    what: 'a file that is not declared',
    phases: withBroken(agentPhase, {
      run: async (state, capabilities) => {
        await world.host.files.write('/etc/undeclared', new Uint8Array(), { mode: 0o644 });
        await agentPhase.run?.(state, capabilities);
      },
    }),
    failing: 'agent/start: nothing undeclared is written',
    message: /write \/etc\/undeclared is not declared/,
  },
  {
    what: 'a phase that writes while it is planned',
    phases: withBroken(caPhase, {
      verify: async (state, capabilities) => {
        await world.host.files.write('/etc/undeclared', new Uint8Array(), { mode: 0o644 });
        return caPhase.verify(state, capabilities);
      },
    }),
    failing: 'a plan and a verify change nothing, sign nothing and restart nothing',
    message: /A change was made while planning: \/etc\/undeclared/,
  },
  {
    what: 'a phase that signs while it is planned',
    phases: withBroken(caPhase, {
      verify: async (state, capabilities) => {
        world.signer.issue([]);
        return caPhase.verify(state, capabilities);
      },
    }),
    failing: 'a plan and a verify change nothing, sign nothing and restart nothing',
    message: /The signer was asked while planning/,
  },
  {
    what: 'outputs from elsewhere that nobody checks',
    phases: withAdded(
      careless(looseFile),
      sample.definePhase({
        name: 'reader',
        summary: 'Read it',
        reads: { looseFile },
        render: ({ outputs }) => outputs({}),
        verify: () => [],
      }),
    ),
    failing: 'careless: skipped, with invalid outputs from elsewhere, a run stops before its first write',
    message: /With careless skipped and \/etc\/sample\/loose empty: the run accepts it/,
  },
  {
    what: 'outputs from elsewhere that a run changes',
    phases: withAdded(
      careless(looseFile),
      sample.defineEffect({
        name: 'reader',
        summary: 'Read and spoil it',
        reads: { looseFile },
        uses: [],
        run: async () => {
          world.memory.put('/etc/sample/loose', `${world.memory.text('/etc/sample/loose')} and spoiled`);
          world.memory.notes.set('spoiled', true);
        },
        verify: () => (world.memory.notes.has('spoiled') ? [] : [finding('reader', 'not spoiled')]),
      }),
    ),
    failing: 'careless: skipped, with valid outputs from elsewhere, a run goes through and leaves them',
    message: /\/etc\/sample\/loose came from elsewhere, and the run changed it/,
  },
  {
    what: 'a secret product that does not say that it is one',
    phases: withAdded(tellingPhase({})),
    failing: 'certs/ca: what a run leaves passes its verify',
    message: /an event shows secret bytes \(they begin with abcd…\)/,
  },
  {
    what: 'a phase that wants to run every time and changes something',
    phases: withBroken(settingsPhase, { kind: 'effect', everyTime: () => true, run: async () => {} }),
    failing: 'settings: the next plan keeps what it made',
    message: /The next plan says act/,
  },
  {
    what: 'a workflow that does not run at all',
    phases: withBroken(identityPhase, { verify: async () => [finding('identity', 'never content')] }),
    failing: 'certs/ca: what a run leaves passes its verify',
    message: /The workflow does not run in a fresh world: .*never content/,
  },
  {
    what: 'a half-done output that is not completed',
    phases: withBroken(serverPhase, {
      render: async (state) => {
        const { key, certificate } = state.outputs;
        if ((key === undefined) !== (certificate === undefined)) throw new Error('half of it');
        return (serverPhase.render as NonNullable<Phase['render']>)(state);
      },
    }),
    failing: 'certs/server: with one output missing, a run completes it or stops before its first write',
    message: /Without \/etc\/sample\/server\.crt: the run does not complete: half of it/,
  },
];

describe('the contract suite fails for', () => {
  test.each(rows)('$what', async ({ phases, failing, message }) => {
    const suite = contractSuite({
      workflow: sampleWorkflow(phases),
      config: sampleConfig,
      world: (number) => {
        world = sampleWorld(number);
        return world;
      },
      secrets: [sampleConfig.token],
    });
    const found = suite.find(({ name }) => name === failing);
    await expect(found?.run()).rejects.toMatchObject({
      name: 'ContractViolation',
      message: expect.stringMatching(message),
    });
  });
});

test('a difference of subsets is seen', () => {
  expect(isSubset({ a: [1], b: { c: 1 } }, { a: [1], b: { c: 1, d: 2 }, e: 3 })).toBe(true);
  expect(isSubset({ a: [1] }, { a: [1, 2] })).toBe(false);
});
