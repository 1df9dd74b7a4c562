import { describe, test } from 'vitest';
import { contractSuite } from '../src/testing/index.ts';
import { sampleConfig, sampleWorkflow, sampleWorld } from './sample-workflow.ts';

describe('the sample workflow keeps the phase contract', () => {
  const suite = contractSuite({
    workflow: sampleWorkflow(),
    config: sampleConfig,
    world: (number) => sampleWorld(number),
    secrets: [sampleConfig.token],
  });
  for (const { name, run } of suite) test(name, run);
});
