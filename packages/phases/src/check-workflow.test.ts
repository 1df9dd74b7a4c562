import { describe, expect, test } from 'vitest';
import {
  at,
  derive,
  type TinyConfig,
  textFile,
  textObject,
  textState,
  tiny,
  workflowOf,
} from '../test/tiny-workflow.ts';
import { type AnyPhase, optional, type Read } from './index.ts';

const a = textFile('a');
const b = textFile('b');
const c = textFile('c');
const object = textObject('o');
const state = textState('s');
const observed = textFile('observed', { policy: 'observe' });
const directory = at('d', { kind: 'directory', path: '/etc/tiny/d' });

const amendA = tiny.definePhase({
  name: 'amend',
  summary: 'Amend a',
  amends: { a },
  render: ({ outputs }) => outputs({ a: 'x' }),
  verify: () => [],
});

/** Reads an object with a connection of its own. */
const looking = (name: string, reads: Readonly<Record<string, Read>>): AnyPhase<TinyConfig> =>
  tiny.defineEffect({
    name,
    summary: 'Look by itself',
    reads,
    uses: ['clusters'],
    run: async () => {},
    verify: () => [],
  });

interface Row {
  readonly what: string;
  readonly phases: readonly AnyPhase<TinyConfig>[];
  readonly message: RegExp;
}

const refused: readonly Row[] = [
  {
    what: 'a name given twice',
    phases: [derive('one', { writes: { a } }), derive('one', { writes: { b } })],
    message: /two phases have the name 'one'/,
  },
  {
    what: 'a phase that serves one that is not there',
    phases: [derive('one', { writes: { a }, hidden: true, serves: ['two'] })],
    message: /'one' serves 'two', which is no phase of it/,
  },
  {
    what: 'two creators of one artifact',
    phases: [derive('one', { writes: { a } }), derive('two', { writes: { a } })],
    message: /two phases create 'a': one and two/,
  },
  {
    what: 'two artifacts of one id',
    phases: [derive('one', { writes: { a } }), derive('two', { reads: { a: optional(textFile('a')) } })],
    message: /two different artifacts have the id 'a'/,
  },
  {
    what: 'two artifacts at one path',
    phases: [derive('one', { writes: { a, other: at('other', { kind: 'file', path: '/etc/tiny/a' }) } })],
    message: /'a' and 'other' are at the same place, \/etc\/tiny\/a/,
  },
  {
    what: 'a path that is spelled in another way',
    phases: [derive('one', { writes: { a, other: at('other', { kind: 'file', path: '/etc/x/../tiny/./a' }) } })],
    message: /the path of 'other' goes astray, \/etc\/x\/\.\.\/tiny\/\.\/a/,
  },
  {
    what: 'a file and a directory at one path',
    phases: [derive('one', { writes: { a, other: at('other', { kind: 'directory', path: '/etc/tiny/a' }) } })],
    message: /'a' and 'other' are at the same place/,
  },
  {
    what: 'a read that nobody writes',
    phases: [derive('one', { reads: { a } })],
    message: /'one' reads 'a', which no phase writes/,
  },
  {
    what: 'a read that is written only later',
    phases: [derive('one', { reads: { a } }), derive('two', { writes: { a } })],
    message: /'one' reads 'a', which is written only later by 'two'/,
  },
  {
    what: 'a cycle of two',
    phases: [derive('one', { reads: { b }, writes: { a } }), derive('two', { reads: { a }, writes: { b } })],
    message: /cycle: one → two → one/,
  },
  {
    what: 'a cycle of three',
    phases: [
      derive('one', { reads: { c }, writes: { a } }),
      derive('two', { reads: { a }, writes: { b } }),
      derive('three', { reads: { b }, writes: { c } }),
    ],
    message: /cycle: one → three → two → one/,
  },
  {
    what: 'a phase that reads its own output',
    phases: [derive('one', { reads: { a }, writes: { a } })],
    message: /cycle: one → one/,
  },
  {
    what: 'an amendment of something that nobody creates',
    phases: [amendA],
    message: /'amend' amends 'a', which nothing earlier creates/,
  },
  {
    what: 'an amendment of something that is created only later',
    phases: [amendA, derive('one', { writes: { a } })],
    message: /'amend' amends 'a', which nothing earlier creates/,
  },
  {
    what: 'one key in writes and in amends',
    phases: [
      derive('one', { writes: { a } }),
      tiny.definePhase({
        name: 'two',
        summary: 'Write b as a',
        writes: { a: b },
        amends: { a },
        render: ({ outputs }) => outputs({ a: 'x' }),
        verify: () => [],
      }),
    ],
    message: /'two' has the key 'a' in writes and in amends/,
  },
  {
    what: 'an object that is read without a connection',
    phases: [derive('one', { reads: { object: optional(object) } })],
    message: /'one' reads the object 'o' without a connection/,
  },
  {
    what: 'an object that has to be there, read by a phase that connects by itself',
    phases: [looking('one', { object })],
    message: /'one' reads the object 'o' without a connection/,
  },
  {
    what: 'an object that a pure phase writes without a connection',
    phases: [derive('one', { writes: { object } })],
    message: /'one' is pure, and 'o' cannot be written by the engine/,
  },
  {
    what: 'a state that a pure phase writes',
    phases: [derive('one', { writes: { state } })],
    message: /'one' is pure, and 's' cannot be written by the engine/,
  },
  {
    what: 'something observed that a pure phase writes',
    phases: [derive('one', { writes: { observed } })],
    message: /'one' is pure, and 'observed' is only observed/,
  },
  {
    what: 'the removal of a state',
    phases: [derive('one', { removes: [state] })],
    message: /'one' removes 's', which the engine has no means to remove/,
  },
  {
    what: 'the removal of an object without a connection',
    phases: [derive('one', { removes: [object] })],
    message: /'one' removes 'o', which the engine has no means to remove/,
  },
  {
    what: 'a connection with an artifact that is not a file',
    phases: [derive('one', { connect: { kubeconfig: directory, endpoint: 'local' } })],
    message: /'one' connects with 'd', which is not a file/,
  },
];

describe('defineWorkflow refuses', () => {
  test.each(refused)('$what', ({ phases, message }) => {
    expect(() => workflowOf(...phases)).toThrow(
      expect.objectContaining({ code: 'PHASES_WORKFLOW_INVALID', message: expect.stringMatching(message) }),
    );
  });
});

const accepted: readonly { readonly what: string; readonly phases: readonly AnyPhase<TinyConfig>[] }[] = [
  { what: 'a read from outside', phases: [derive('one', { reads: { a: textFile('a', { external: true }) } })] },
  { what: 'an optional read that nobody writes', phases: [derive('one', { reads: { a: optional(a) } })] },
  {
    what: 'an optional read of what is written later',
    phases: [derive('one', { reads: { a: optional(a) } }), derive('two', { writes: { a } })],
  },
  {
    what: 'an object that may be absent, read by a phase that connects by itself',
    phases: [looking('one', { object: optional(object) })],
  },
  { what: 'an amendment of what is created before', phases: [derive('one', { writes: { a } }), amendA] },
  {
    what: 'two objects that differ only in their group',
    phases: [
      derive('one', { writes: { a } }),
      derive('two', {
        connect: { kubeconfig: a, endpoint: 'local' },
        writes: {
          old: at('old', { kind: 'object', reference: { apiVersion: 'old/v1', kind: 'Text', name: 'o' } }),
          new: at('new', { kind: 'object', reference: { apiVersion: 'new/v1', kind: 'Text', name: 'o' } }),
        },
      }),
    ],
  },
];

describe('defineWorkflow accepts', () => {
  test.each(accepted)('$what', ({ phases }) => {
    expect(workflowOf(...phases).phases).toEqual(phases);
  });
});
