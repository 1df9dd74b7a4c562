import { execFileSync, spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { checkImports } from './import-rules.ts';

let root: string;

beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'import-matrix-'));
  write('package.json', { name: 'groundplane', devDependencies: { vitest: '1' } });
  for (const name of [
    'errors',
    'manifest',
    'pki',
    'kubeconfig',
    'kubelet',
    'config',
    'phases',
    'cluster',
    'host',
    'bootstrap',
  ])
    declare(name, {});
});

afterEach(() => rmSync(root, { recursive: true, force: true }));

function write(file: string, content: string | object): void {
  mkdirSync(dirname(join(root, file)), { recursive: true });
  writeFileSync(join(root, file), typeof content === 'string' ? content : JSON.stringify(content));
}

/** Writes the package.json of a package; names without a scope are workspace packages. */
function declare(
  name: string,
  content: {
    readonly dependencies?: readonly string[];
    readonly devDependencies?: readonly string[];
    readonly types?: string;
  },
): void {
  const versions = (names: readonly string[] = []) =>
    Object.fromEntries(
      names.map((one) => [
        one.includes('/') || one.startsWith('!') ? one.replace('!', '') : `@groundplane/${one}`,
        '1',
      ]),
    );
  write(`packages/${name}/package.json`, {
    name: `@groundplane/${name}`,
    dependencies: versions(content.dependencies),
    devDependencies: versions(content.devDependencies),
    exports: { '.': { types: content.types ?? './dist/index.d.ts' } },
  });
}

interface Row {
  readonly what: string;
  readonly make: () => void;
  readonly refusals: readonly object[];
}

const refused: readonly Row[] = [
  {
    what: 'a package that may not be imported',
    make() {
      declare('pki', { dependencies: ['phases'] });
      write('packages/pki/src/index.ts', `// first line\nexport { x } from '@groundplane/phases';`);
    },
    refusals: [
      {
        file: 'packages/pki/src/index.ts',
        line: 2,
        subject: '@groundplane/phases',
        rule: 'pki may import errors, not phases',
      },
    ],
  },
  {
    what: 'a value where types are allowed',
    make() {
      declare('config', { dependencies: ['kubelet'] });
      write('packages/config/src/a.ts', `import { x } from '@groundplane/kubelet';`);
      write('packages/config/src/b.ts', `import type { X } from '@groundplane/kubelet';`);
      write('packages/config/src/b.test.ts', `import { x } from '@groundplane/kubelet';`);
    },
    refusals: [{ file: 'packages/config/src/a.ts', rule: 'config may import types of kubelet, not values' }],
  },
  {
    what: 'a deep import',
    make() {
      declare('bootstrap', { dependencies: ['pki'] });
      write('packages/bootstrap/src/a.ts', `import { x } from '@groundplane/pki/dist/pem.js';`);
    },
    refusals: [
      {
        subject: '@groundplane/pki/dist/pem.js',
        rule: expect.stringContaining('no deep imports'),
        remedy: expect.stringContaining(`'@groundplane/pki'`),
      },
    ],
  },
  {
    what: 'the entry for tests outside tests',
    make() {
      declare('bootstrap', { dependencies: ['phases'] });
      write('packages/bootstrap/src/a.ts', `import { memoryPorts } from '@groundplane/phases/testing';`);
      write('packages/bootstrap/test/b.ts', `import { memoryPorts } from '@groundplane/phases/testing';`);
    },
    refusals: [{ file: 'packages/bootstrap/src/a.ts', rule: 'this entry is for tests' }],
  },
  {
    what: 'a way round the name of a package',
    make: () => write('packages/bootstrap/src/a.ts', `import { x } from '../../pki/src/pem.ts';`),
    refusals: [{ subject: '../../pki/src/pem.ts', rule: 'a package is entered by its name alone' }],
  },
  {
    what: 'a package that imports itself by its name',
    make: () => write('packages/pki/src/a.ts', `import { x } from '@groundplane/pki';`),
    refusals: [{ rule: 'a package does not import itself by its name' }],
  },
  {
    what: 'a test in what is published',
    make: () =>
      write('packages/pki/src/a.ts', `import { x } from '../test/keys.ts';\nimport { y } from './b.test.ts';`),
    refusals: [
      { line: 1, rule: 'what is published does not import tests' },
      { line: 2, rule: 'what is published does not import tests' },
    ],
  },
  {
    what: 'what is not declared',
    make: () => write('packages/kubeconfig/src/a.ts', `import { x } from '@groundplane/errors';`),
    refusals: [
      {
        subject: '@groundplane/errors',
        rule: 'what is imported is declared',
        remedy: 'Add "@groundplane/errors" to dependencies in packages/kubeconfig/package.json',
      },
    ],
  },
  {
    what: 'types that are declared for development only, as declarations are published',
    make() {
      declare('kubeconfig', { devDependencies: ['pki'] });
      write('packages/kubeconfig/src/a.ts', `import type { X } from '@groundplane/pki';`);
      write('packages/kubeconfig/src/a.test.ts', `import type { X } from '@groundplane/pki';`);
    },
    refusals: [{ file: 'packages/kubeconfig/src/a.ts', rule: 'what is imported, types included, is declared' }],
  },
  {
    what: 'what is declared and not imported',
    make: () => declare('kubeconfig', { dependencies: ['pki'], devDependencies: ['manifest'] }),
    refusals: [
      {
        file: 'packages/kubeconfig/package.json',
        subject: '@groundplane/pki',
        remedy: 'Remove it from dependencies in packages/kubeconfig/package.json',
      },
      {
        file: 'packages/kubeconfig/package.json',
        subject: '@groundplane/manifest',
        remedy: 'Remove it from devDependencies in packages/kubeconfig/package.json',
      },
    ],
  },
  {
    what: 'what only tests import among the dependencies',
    make() {
      declare('kubeconfig', { dependencies: ['pki'] });
      write('packages/kubeconfig/src/a.test.ts', `import { x } from '@groundplane/pki';`);
    },
    refusals: [{ subject: '@groundplane/pki', rule: 'what only tests import is a development dependency' }],
  },
  {
    what: "another package's dependency from outside",
    make() {
      declare('kubeconfig', { dependencies: ['!yaml', '@peculiar/x509'] });
      write('packages/kubeconfig/src/a.ts', `import { parse } from 'yaml';\nimport '@peculiar/x509';`);
    },
    refusals: [
      { subject: 'yaml', rule: expect.stringMatching(/^yaml belongs to manifest: /), remedy: 'Go through manifest' },
      { subject: '@peculiar/x509', rule: expect.stringMatching(/^@peculiar\/\* belongs to pki: /) },
    ],
  },
  {
    what: 'a dependency from outside without an owner',
    make() {
      declare('pki', { dependencies: ['!left-pad'] });
      write('packages/pki/src/a.ts', `import pad from 'left-pad';`);
    },
    refusals: [
      {
        subject: 'left-pad',
        rule: 'every dependency from outside has an owner',
        remedy: expect.stringContaining('ownerTable'),
      },
    ],
  },
  {
    what: 'files and programs outside the host',
    make() {
      write(
        'packages/cluster/src/a.ts',
        `import { readFile } from 'node:fs/promises';\nimport { spawn } from 'node:child_process';`,
      );
      write(
        'packages/host/src/a.ts',
        `import { readFile } from 'node:fs/promises';\nimport { spawn } from 'node:child_process';`,
      );
      write('packages/cluster/src/a.test.ts', `import { readFile } from 'node:fs/promises';`);
    },
    refusals: [
      { file: 'packages/cluster/src/a.ts', subject: 'node:fs/promises' },
      { file: 'packages/cluster/src/a.ts', subject: 'node:child_process' },
    ],
  },
  {
    what: 'any module of Node.js in a library',
    make: () => write('packages/pki/src/a.ts', `const { createHash } = await import('node:crypto');`),
    refusals: [{ subject: 'node:crypto', rule: 'pki takes values and gives values: no module of Node.js' }],
  },
  {
    what: 'a circle',
    make() {
      declare('kubelet', { devDependencies: ['config'] });
      declare('config', { dependencies: ['kubelet'] });
      write('packages/config/src/a.ts', `import type { X } from '@groundplane/kubelet';`);
      write('packages/kubelet/src/a.test.ts', `import type { X } from '@groundplane/config';`);
    },
    refusals: [
      { rule: 'kubelet may import manifest, patches, errors, not config' },
      { subject: 'config → kubelet → config', rule: expect.stringContaining('in a circle') },
    ],
  },
  {
    what: 'types of a heavy package in what is published',
    make() {
      declare('cluster', { dependencies: ['@kubernetes/client-node'] });
      write('packages/cluster/dist/index.d.ts', `export { a } from './a.js';\nexport type { B } from './b.ts';`);
      write('packages/cluster/dist/a.d.ts', `import type { KubeConfig } from '@kubernetes/client-node';`);
      write('packages/cluster/dist/unreached.d.ts', `import type { KubeConfig } from '@kubernetes/client-node';`);
    },
    refusals: [
      {
        file: 'packages/cluster/dist/a.d.ts',
        line: 1,
        subject: '@kubernetes/client-node',
        rule: 'its types are in no published declaration',
      },
    ],
  },
  {
    what: 'a package without a row',
    make: () => declare('nowhere', {}),
    refusals: [{ file: 'packages/nowhere/package.json', rule: 'every package has a row in the table' }],
  },
];

describe('the import matrix refuses', () => {
  test.each(refused)('$what', ({ make, refusals }) => {
    make();
    const found = checkImports(root);
    expect(found).toMatchObject(refusals);
    for (const { remedy } of found) expect(remedy).not.toBe('');
  });
});

describe('the import matrix accepts', () => {
  test('what follows the table', () => {
    declare('kubeconfig', { dependencies: ['errors', 'pki', 'manifest'] });
    write('packages/kubeconfig/src/index.ts', `export { a } from './a.ts';`);
    write(
      'packages/kubeconfig/src/a.ts',
      [
        `import { x } from '@groundplane/errors';`,
        `import type { y } from '@groundplane/pki';`,
        `const z = await import('@groundplane/manifest');`,
      ].join('\n'),
    );
    write(
      'packages/kubeconfig/src/a.test.ts',
      `import { test } from 'vitest';\nimport { readFileSync } from 'node:fs';\nimport { a } from './a.ts';`,
    );
    write('packages/kubeconfig/src/testdata/x.ts', `import 'left-pad';`);
    expect(checkImports(root)).toEqual([]);
  });
});

describe('node scripts/import-matrix.ts', () => {
  const script = fileURLToPath(new URL('import-matrix.ts', import.meta.url));

  test('explains a refusal and fails', () => {
    write('packages/pki/src/a.ts', `\nimport { createHash } from 'node:crypto';`);
    const { status, stderr } = spawnSync(process.execPath, [script, root], { encoding: 'utf8' });
    expect(status).toBe(1);
    expect(stderr).toContain(
      [
        'packages/pki/src/a.ts:2: node:crypto',
        '  rule: pki takes values and gives values: no module of Node.js',
        '  do:   Take what it gives as a parameter, or act through a port',
        '1 refused by scripts/import-matrix-table.ts',
      ].join('\n'),
    );
  });

  test('is content with a clean workspace', () => {
    execFileSync(process.execPath, [script, root]);
  });
});
