import { globSync } from 'node:fs';
import { build } from 'esbuild';

/** Everything that is needed is in the files, so that the package has no dependencies: it is installed without npm and without a registry. */
await build({
  absWorkingDir: import.meta.dirname,
  entryPoints: ['src/plugin.ts', ...globSync('src/commands/**/*.ts', { cwd: import.meta.dirname })],
  outbase: 'src',
  outdir: 'dist',
  bundle: true,
  format: 'esm',
  platform: 'node',
  target: 'node22.19',
  logLevel: 'warning',
});
