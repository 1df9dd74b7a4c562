import { defineConfig } from 'vitest/config';

/** Everything that needs no machine. Machine tests have a configuration of their own: vitest.machines.config.ts. */
export default defineConfig({
  test: {
    include: [
      'packages/*/{src,test}/**/*.test.ts',
      'plugins/*/src/**/*.test.ts',
      'testbed/{src,test}/**/*.test.ts',
      'scripts/**/*.test.ts',
      'test/**/*.test.ts',
    ],
    exclude: ['**/*.machine.test.ts', '**/*.peer.test.ts', '**/*.cases.test.ts', '**/node_modules/**', '**/dist/**'],
    testTimeout: 20_000,
  },
});
