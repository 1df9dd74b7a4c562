import { initWorkflow, joinWorkflow, resetWorkflow } from '@groundplane/bootstrap';
import type { AnyPhase, InitContext, PhaseInsertions, PhaseToolkit } from '@groundplane/plugin';
import { describe, expect, test } from 'vitest';
import { extendedWorkflow } from './extended-workflow.ts';
import type { LoadedPlugin } from './load-plugins.ts';

function pluginOf(phases: (toolkit: PhaseToolkit) => unknown, name = '@x/extra'): LoadedPlugin {
  return {
    package: name,
    version: '1.0.0',
    plugin: { interfaceVersion: 1, name: 'extra', phases: phases as (toolkit: PhaseToolkit) => PhaseInsertions },
  };
}

interface Note {
  readonly name?: string;
  readonly id?: string;
  readonly path?: string;
}

/** A phase that writes one file. */
function notePhase(toolkit: PhaseToolkit, note: Note = {}): AnyPhase<InitContext> {
  const { name = 'note' } = note;
  const { id = `x/${name}`, path = `/etc/x/${name}` } = note;
  const { contract, file, formats } = toolkit;
  return contract<InitContext>().definePhase({
    name,
    summary: 'Write a note',
    writes: { note: file({ id, description: 'a note', path: () => path, format: formats.text }) },
    render: ({ outputs }) => outputs({ note: 'note' }),
    verify: () => [],
  });
}

const namesOf = (plugins: readonly LoadedPlugin[]) =>
  extendedWorkflow(initWorkflow, plugins).phases.map(({ name }) => name);

test('phases come after the phase that they name, in their own order, and the others stay as they are', () => {
  const plugin = pluginOf((toolkit) => ({
    init: [
      { phase: notePhase(toolkit, { name: 'one' }), after: 'certs/sa' },
      { phase: notePhase(toolkit, { name: 'two' }), after: 'certs/sa' },
      { phase: notePhase(toolkit, { name: 'three' }), after: 'two' },
    ],
  }));
  const names = namesOf([plugin]);
  const at = names.indexOf('certs/sa');
  expect(names.slice(at, at + 4)).toEqual(['certs/sa', 'one', 'two', 'three']);
  expect(names.filter((name) => !['one', 'two', 'three'].includes(name))).toEqual(
    initWorkflow.phases.map(({ name }) => name),
  );
  expect(extendedWorkflow(joinWorkflow, [plugin])).toBe(joinWorkflow);
  expect(extendedWorkflow(resetWorkflow, [])).toBe(resetWorkflow);
});

test('two plugins find their places beside each other, and one after a phase of the other', () => {
  const first = pluginOf((toolkit) => ({ init: [{ phase: notePhase(toolkit), after: 'certs/sa' }] }), '@x/first');
  const second = pluginOf(
    (toolkit) => ({ init: [{ phase: notePhase(toolkit, { name: 'more' }), after: 'note' }] }),
    '@x/second',
  );
  const names = namesOf([first, second]);
  expect(names.slice(names.indexOf('note'), names.indexOf('note') + 2)).toEqual(['note', 'more']);
});

test('a phase reads what phases of ours write, as the same artifact', () => {
  const plugin = pluginOf((toolkit) => ({
    init: [
      {
        phase: toolkit.contract<InitContext>().definePhase({
          name: 'reader',
          summary: 'Read the CA',
          reads: { authority: toolkit.artifact<string>('pki/ca.crt') },
          render: ({ outputs }) => outputs({}),
          verify: () => [],
        }),
        after: 'certs/ca',
      },
    ],
  }));
  const reader = extendedWorkflow(initWorkflow, [plugin]).phases.find(({ name }) => name === 'reader');
  const maker = initWorkflow.phases.find(({ name }) => name === 'certs/ca');
  expect(reader?.reads.authority).toBe(maker?.writes.certificate);
});

describe('refused at load, with the plugin and the reason', () => {
  const reads = (id: string) => (toolkit: PhaseToolkit) =>
    toolkit.contract<InitContext>().definePhase({
      name: 'reader',
      summary: 'Read',
      reads: { read: toolkit.artifact<string>(id) },
      render: ({ outputs }) => outputs({}),
      verify: () => [],
    });
  const at =
    (phase: (toolkit: PhaseToolkit) => unknown, after: unknown = 'certs/sa') =>
    (toolkit: PhaseToolkit) => ({
      init: [{ phase: phase(toolkit), after }],
    });

  test.each<[string, (toolkit: PhaseToolkit) => unknown, string | RegExp]>([
    [
      'a second creator of an artifact',
      at((toolkit) =>
        toolkit.contract<InitContext>().definePhase({
          name: 'usurper',
          summary: 'Make the CA',
          writes: { certificate: toolkit.artifact<string>('pki/ca.crt') },
          render: ({ outputs }) => outputs({ certificate: '' }),
          verify: () => [],
        }),
      ),
      "two phases create 'pki/ca.crt': certs/ca and usurper",
    ],
    [
      'another artifact at the place of one of ours',
      at((toolkit) => notePhase(toolkit, { path: '/etc/kubernetes/pki/ca.crt' })),
      "'pki/ca.crt' and 'x/note' are at the same place, /etc/kubernetes/pki/ca.crt",
    ],
    [
      'an id of ours',
      at((toolkit) => notePhase(toolkit, { id: 'pki/ca.crt' })),
      "two phases create 'pki/ca.crt': certs/ca and note",
    ],
    [
      'a name of ours',
      at((toolkit) => notePhase(toolkit, { name: 'certs/ca', id: 'x/y' })),
      "two phases have the name 'certs/ca'",
    ],
    [
      'an unknown place',
      at((toolkit) => notePhase(toolkit), 'certs/none'),
      "its phase 'note' is to come after 'certs/none', which init does not have",
    ],
    [
      'no place',
      at((toolkit) => notePhase(toolkit), null),
      "its phase 'note' does not say after which phase it comes: nothing",
    ],
    [
      'a read of what is made later',
      at(reads('admin.conf')),
      "'reader' reads 'admin.conf', which is written only later by 'kubeconfig/admin'",
    ],
    [
      'an artifact that there is not',
      at(reads('pki/none.crt')),
      "its phases cannot be made: there is no artifact 'pki/none.crt'",
    ],
    [
      'a phase that is none',
      at(() => ({ name: 'plain' })),
      'a phase of init was not made with definePhase or defineEffect: plain',
    ],
    ['no phase at all', at(() => undefined), 'a phase of init was not made with definePhase or defineEffect: nothing'],
    [
      'a write of the wrong type',
      at((toolkit) => ({ ...notePhase(toolkit), writes: { note: '/etc/x/note' } })),
      "'note' in 'writes' of its phase 'note' is no artifact: 'id' is a value of type string",
    ],
    [
      'an artifact without a format',
      at((toolkit) => ({
        ...notePhase(toolkit),
        writes: { note: { id: 'x', description: 'x', where: () => ({}), policy: 'converge' } },
      })),
      "'note' in 'writes' of its phase 'note' is no artifact: 'format' is nothing",
    ],
    [
      'a name that no command line takes',
      at((toolkit) => notePhase(toolkit, { name: 'My Note' })),
      "the name of a phase of init is no word of small letters: 'My Note'",
    ],
    [
      'a workflow that there is not',
      (toolkit) => ({ upgrade: [{ phase: notePhase(toolkit), after: 'x' }] }),
      "there is no such workflow: 'upgrade', there are init, join, reset",
    ],
    ['a list of workflows', () => [], 'its phases are no map of workflows: a list'],
    ['phases that are no list', () => ({ init: {} }), 'its phases of init are no list: a value of type object'],
    [
      'a function that throws',
      () => {
        throw new Error('out of order');
      },
      'its phases cannot be made: out of order',
    ],
  ])('%s', (_, phases, reason) => {
    const load = () => extendedWorkflow(initWorkflow, [pluginOf(phases)]);
    expect(load).toThrow(expect.objectContaining({ code: 'CLI_PLUGIN_UNUSABLE' }));
    expect(load).toThrow(/^Cannot use the plugin '@x\/extra' as /);
    expect(load).toThrow(reason);
  });
});
