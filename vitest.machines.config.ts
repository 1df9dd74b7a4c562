import { defineConfig } from 'vitest/config';

/** Tests on real machines of the testbed; one file at a time, as each machine wants a core. */
export default defineConfig({
  test: {
    include: ['testbed/test/**/*.machine.test.ts', 'test/**/*.machine.test.ts'],
    testTimeout: 600_000,
    hookTimeout: 600_000,
    fileParallelism: false,
    // Machines of tests are not those of `./dev up`.
    env: { GROUNDPLANE_TESTBED: 'tests' },
  },
});
