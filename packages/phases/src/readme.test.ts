import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';
import { expect, test, vi } from 'vitest';

const path = (relative: string) => fileURLToPath(new URL(relative, import.meta.url));

test('the example of the README runs, without a module of Node.js', async () => {
  const [, example = ''] = /```ts\n([\s\S]*?)```/.exec(readFileSync(path('../README.md'), 'utf8')) ?? [];
  const { outputFiles, metafile } = await build({
    stdin: { contents: example, loader: 'ts', resolveDir: path('.') },
    alias: {
      '@groundplane/phases/testing': path('./testing/index.ts'),
      '@groundplane/phases': path('./index.ts'),
    },
    bundle: true,
    format: 'esm',
    platform: 'browser',
    write: false,
    metafile: true,
  });
  expect(Object.values(metafile.outputs).flatMap(({ imports }) => imports)).toEqual([]);
  const log = vi.spyOn(console, 'log').mockImplementation(() => {});
  await import(
    /* @vite-ignore */ `data:text/javascript;base64,${Buffer.from(outputFiles[0]?.contents ?? []).toString('base64')}`
  );
  expect(log.mock.calls).toEqual([['create'], ['keep']]);
  log.mockRestore();
});
