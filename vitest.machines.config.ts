import { defineConfig } from 'vitest/config';

/** Tests on real machines of the testbed; two files at a time, as a machine waits more than it works. */
export default defineConfig({
  test: {
    include: ['testbed/test/**/*.machine.test.ts', 'test/**/*.machine.test.ts'],
    testTimeout: 600_000,
    hookTimeout: 600_000,
    maxWorkers: 2,
    setupFiles: 'test/machine-set.ts',
  },
});
