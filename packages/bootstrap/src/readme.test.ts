import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';
import { expect, test, vi } from 'vitest';

const path = (relative: string) => fileURLToPath(new URL(relative, import.meta.url));

test('the example of the README runs and prints what it says, without a module of Node.js', async () => {
  const [, example = ''] = /```ts\n([\s\S]*?)```/.exec(readFileSync(path('../README.md'), 'utf8')) ?? [];
  const { outputFiles, metafile } = await build({
    stdin: { contents: example, loader: 'ts', resolveDir: path('.') },
    alias: { '@groundplane/bootstrap': path('./index.ts') },
    bundle: true,
    format: 'esm',
    platform: 'browser',
    write: false,
    metafile: true,
    logLevel: 'silent',
  });
  expect(Object.values(metafile.outputs).flatMap(({ imports }) => imports)).toEqual([]);
  const promised = [...example.matchAll(/console\.log\(.*\/\/ (.*)$/gm)].map(([, text]) => text);
  expect(promised).toHaveLength(2);
  const log = vi.spyOn(console, 'log').mockImplementation(() => {});
  const code = Buffer.from(outputFiles[0]?.contents ?? []).toString('base64');
  await import(/* @vite-ignore */ `data:text/javascript;base64,${code}`);
  expect(log.mock.calls.map(([value]) => String(value))).toEqual(promised);
  log.mockRestore();
});
