import { describe, expect, test } from 'vitest';
import { derive, textFile, workflowOf } from '../test/tiny-workflow.ts';
import { type Selection, selectPhases } from './selection.ts';

const ca = textFile('ca');
const right = textFile('right');
const deeper = textFile('deeper');
const lonely = textFile('lonely');

const workflow = workflowOf(
  derive('certs/ca', { writes: { ca } }),
  derive('certs/etcd/server', { reads: { ca } }),
  derive('certsign', {}),
  derive('hidden/deeper', { writes: { deeper }, hidden: true }),
  derive('hidden/right', { reads: { deeper }, writes: { right }, hidden: true }),
  derive('hidden/lonely', { writes: { lonely }, hidden: true, serves: ['upload', 'done'] }),
  derive('upload', { reads: { right } }),
  derive('done', {}),
);

const rows: readonly { readonly what: string; readonly selection: Selection; readonly names: readonly string[] }[] = [
  {
    what: 'nothing said: everything',
    selection: {},
    names: [
      'certs/ca',
      'certs/etcd/server',
      'certsign',
      'hidden/deeper',
      'hidden/right',
      'hidden/lonely',
      'upload',
      'done',
    ],
  },
  { what: 'a sub-tree, not its namesakes', selection: { only: ['certs'] }, names: ['certs/ca', 'certs/etcd/server'] },
  { what: 'all children', selection: { only: ['certs/all'] }, names: ['certs/ca', 'certs/etcd/server'] },
  { what: 'one leaf', selection: { only: ['certs/ca'] }, names: ['certs/ca'] },
  { what: 'any case', selection: { only: ['Certs/CA'] }, names: ['certs/ca'] },
  { what: 'the order of the workflow', selection: { only: ['done', 'certs/ca'] }, names: ['certs/ca', 'done'] },
  {
    what: 'hidden phases that are needed, and those that they need',
    selection: { only: ['upload'] },
    names: ['hidden/deeper', 'hidden/right', 'upload'],
  },
  { what: 'no hidden phase that nobody needs', selection: { only: ['done'] }, names: ['done'] },
  {
    what: 'a hidden phase that is named',
    selection: { only: ['hidden/right'] },
    names: ['hidden/deeper', 'hidden/right'],
  },
  {
    what: 'no hidden phase whose readers are skipped',
    selection: { skip: ['upload'] },
    names: ['certs/ca', 'certs/etcd/server', 'certsign', 'hidden/lonely', 'done'],
  },
  {
    what: 'no hidden phase when all that it serves is skipped',
    selection: { skip: ['upload', 'done'] },
    names: ['certs/ca', 'certs/etcd/server', 'certsign'],
  },
  {
    what: 'no hidden phase that is skipped itself',
    selection: { only: ['upload'], skip: ['hidden/right'] },
    names: ['upload'],
  },
  { what: 'only and skip', selection: { only: ['certs'], skip: ['certs/etcd'] }, names: ['certs/ca'] },
];

describe('selectPhases', () => {
  test.each(rows)('$what', ({ selection, names }) => {
    expect(selectPhases(workflow, selection).map(({ name }) => name)).toEqual(names);
  });

  test.each([{ only: ['cert'] }, { skip: ['certs/nothing'] }, { only: [''] }])('unknown: %o', (selection) => {
    expect(() => selectPhases(workflow, selection)).toThrow(
      expect.objectContaining({
        code: 'PHASES_UNKNOWN_PHASE',
        kind: 'usage',
        message: expect.stringMatching(/^invalid phase name: /),
        hint: 'Phases of tiny: certs/ca, certs/etcd/server, certsign, upload, done',
      }),
    );
  });
});
