import { contractSuite } from '@groundplane/phases/testing';
import { describe, test } from 'vitest';
import { joinContext, joinWorld, kubeletCertificate, token } from '../test/join-world.ts';
import { joinWorkflow } from './join-workflow.ts';

describe('join keeps the phase contract', async () => {
  const config = await joinContext();
  const certificate = await kubeletCertificate();
  const suite = contractSuite({
    workflow: joinWorkflow,
    config,
    world: (seed) => joinWorld({ seed, certificate }),
    secrets: [token],
  });
  for (const { name, run } of suite) test(name, run);
});
