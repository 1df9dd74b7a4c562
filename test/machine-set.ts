/** Files run side by side, each worker with a set of machines of its own: not those of `./dev up`, nor those of the other. */
process.env.GROUNDPLANE_TESTBED = `tests-${process.env.VITEST_POOL_ID ?? '1'}`;
