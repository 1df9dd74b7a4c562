import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';
import { expect, test } from 'vitest';

const path = (relative: string) => fileURLToPath(new URL(relative, import.meta.url));

test('the example of the README runs and finds what it says', async () => {
  const [, example = ''] = /```ts\n([\s\S]*?)```/.exec(readFileSync(path('../README.md'), 'utf8')) ?? [];
  const { outputFiles } = await build({
    stdin: { contents: example.replace(/^for .*$/m, ''), loader: 'ts', resolveDir: path('.') },
    alias: { '@groundplane/pki': path('./index.ts') },
    bundle: true,
    format: 'esm',
    platform: 'browser',
    write: false,
  });
  const url = `data:text/javascript;base64,${Buffer.from(outputFiles[0]?.contents ?? []).toString('base64')}`;
  const { findings } = (await import(/* @vite-ignore */ url)) as { findings: unknown };
  expect(findings).toMatchObject([
    { code: 'PKI_SAN_MISSING', severity: 'warning', message: expect.stringContaining('new.example.com') },
  ]);
});
