import { contractSuite } from '@groundplane/phases/testing';
import { describe, test } from 'vitest';
import { initContext, initWorld } from '../test/init-world.ts';
import { initWorkflow } from './init-workflow.ts';

describe('init keeps the phase contract', async () => {
  const config = await initContext();
  const tokens = config.init.bootstrapTokens.map(({ token }) => token ?? '');
  const suite = contractSuite({
    workflow: initWorkflow,
    config,
    world: (seed) => initWorld({ seed }),
    secrets: tokens,
  });
  for (const { name, run } of suite) test(name, run);
});
