import { describe, expect, test } from 'vitest';
import { readPatches } from './read-patches.ts';

const file = (path: string, text = 'a: 1\n') => ({ path, text });

describe('the order of patches', () => {
  test('is that of a walk: by name, folders at their place among the files', () => {
    const paths = [
      'etcd.yaml',
      'b/etcd.yaml',
      'etcd-.yaml',
      'etcd0.yaml',
      'etcdA.yaml',
      'etcd_/etcd.yaml',
      'etcda.yaml',
      'etcd/etcd.yaml',
      'b/a/etcd.yaml',
      'a/z/etcd.yaml',
    ];
    expect(readPatches(paths.map((path) => file(path))).map(({ path }) => path)).toEqual([
      'a/z/etcd.yaml',
      'b/a/etcd.yaml',
      'b/etcd.yaml',
      'etcd/etcd.yaml',
      'etcd-.yaml',
      'etcd.yaml',
      'etcd0.yaml',
      'etcdA.yaml',
      'etcd_/etcd.yaml',
      'etcda.yaml',
    ]);
  });

  test('does not depend on where in a path names differ', () => {
    const paths = ['etcd.yaml', 'etcd.yaml/etcd.yaml', 'a/etcd.yaml', 'a/etcd.yaml/etcd.yaml'];
    const read = readPatches(paths.toReversed().map((path) => file(path)));
    expect(read.map(({ path }) => path)).toEqual(paths.toSorted());
  });
});

describe('documents of a file', () => {
  test('are patches of one type, numbered; those without content are left out', () => {
    const text = '# first\n---\na: 1\n---\n\n---\n# nothing\n---\nnull\n---\n[b]\n';
    expect(readPatches([file('sub/kube-scheduler0+merge.yaml', text)])).toEqual([
      {
        path: 'sub/kube-scheduler0+merge.yaml',
        target: 'kube-scheduler',
        type: 'merge',
        patches: [
          { number: 2, value: { a: 1 } },
          { number: 5, value: null },
          { number: 6, value: ['b'] },
        ],
      },
    ]);
  });

  test.each([
    ['YAML 1.1', 'a: yes\nb: 0644\n', { a: true, b: 420 }],
    ['JSON', '{"a": "yes"}', { a: 'yes' }],
    ['flow style', '{a: yes, b: [1]}', { a: true, b: [1] }],
    ['Windows line ends', 'a: 1\r\nb: 2\r\n', { a: 1, b: 2 }],
  ])('may be %s', (_, text, value) => {
    expect(readPatches([file('etcd.json', text)])[0]?.patches).toEqual([{ number: 1, value }]);
  });
});

test('files that are no patches and empty ones are passed over', () => {
  expect(readPatches([file('etcd.yml'), file('README.md'), file('sub/x.yaml'), file('etcd.yaml', '')])).toEqual([]);
});

test('a file that is no YAML is named with its document and line, and not quoted', () => {
  const read = () => readPatches([file('etcd.yaml'), file('sub/etcd1.yaml', 'a: 1\n---\nsecret: [\n')]);
  expect(read).toThrow(
    expect.objectContaining({
      code: 'PATCHES_FILE_UNREADABLE',
      message: expect.stringMatching(/sub\/etcd1\.yaml.*document 2.*line \d/),
      details: expect.objectContaining({ path: 'sub/etcd1.yaml', document: 2 }),
    }),
  );
  expect(read).not.toThrow(/secret/);
});

test('a name with an unknown type is refused, whatever its target', () => {
  expect(() => readPatches([file('corednsdeployment+x.yaml')])).toThrow(
    expect.objectContaining({ code: 'PATCHES_FILE_NAME_INVALID' }),
  );
});
