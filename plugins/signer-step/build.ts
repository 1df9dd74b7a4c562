import { build } from 'esbuild';

/** One file with all that it needs, so that the package has no dependencies: it is installed without npm and without a registry. */
await build({
  absWorkingDir: import.meta.dirname,
  entryPoints: ['src/plugin.ts'],
  outdir: 'dist',
  bundle: true,
  format: 'esm',
  platform: 'node',
  target: 'node22.19',
  legalComments: 'inline',
  logLevel: 'warning',
});
