import { describe, test } from 'vitest';
import { contractSuite } from '../src/testing/index.ts';
import { sampleConfig, samplePhases, sampleWorkflow, sampleWorld, tellingPhase } from './sample-workflow.ts';

describe('the sample workflow keeps the phase contract', () => {
  const suite = contractSuite({
    // The last one runs every time, and hands back the secret.
    workflow: sampleWorkflow([...samplePhases, tellingPhase()]),
    config: sampleConfig,
    world: (number) => sampleWorld(number),
    secrets: [sampleConfig.token],
  });
  for (const { name, run } of suite) test(name, run);
});
