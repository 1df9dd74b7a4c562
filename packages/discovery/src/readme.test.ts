import { readFileSync } from 'node:fs';
import { builtinModules } from 'node:module';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';
import { expect, test } from 'vitest';
import { testdata } from '../test/testdata.ts';

const path = (relative: string) => fileURLToPath(new URL(relative, import.meta.url));

test('the example of the README runs, bundled for browsers without Node.js modules', async () => {
  const [, example = ''] = /```ts\n([\s\S]*?)```/.exec(readFileSync(path('../README.md'), 'utf8')) ?? [];
  const { outputFiles, metafile } = await build({
    stdin: { contents: example.replace(/console\.log/g, 'void '), loader: 'ts', resolveDir: path('.') },
    alias: { '@groundplane/discovery': path('./index.ts') },
    bundle: true,
    format: 'esm',
    platform: 'browser',
    write: false,
    metafile: true,
  });
  const imported = Object.values(metafile.inputs).flatMap(({ imports }) => imports.map((entry) => entry.path));
  const builtIn = new Set(builtinModules.flatMap((name) => [name, `node:${name}`]));
  expect(imported.filter((name) => builtIn.has(name))).toEqual([]);
  expect(Object.values(metafile.outputs).flatMap(({ imports }) => imports)).toEqual([]);
  const url = `data:text/javascript;base64,${Buffer.from(outputFiles[0]?.contents ?? []).toString('base64')}`;
  const { found } = (await import(/* @vite-ignore */ url)) as { found: unknown };
  expect(found).toMatchObject({
    server: 'https://192.0.2.10:6443',
    certificateAuthority: testdata('ca.crt'),
    findings: [],
    report: { method: 'token', anchor: 'pin' },
  });
});
