import { defineConfig } from 'vitest/config';

/** The measured cases: two steps at a time, each in namespaces of its own. */
export default defineConfig({
  test: {
    include: ['test/**/*.cases.test.ts'],
    testTimeout: 120_000,
    hookTimeout: 120_000,
    maxConcurrency: 2,
    sequence: { concurrent: true },
  },
});
