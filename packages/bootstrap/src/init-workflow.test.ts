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

describe('init that shares its certificates keeps it too', async () => {
  const certificateKey = '000102030405060708090a0b0c0d0e0f101112131415161718191a1b1c1d1e1f';
  const config = await initContext(
    { cluster: 'controlPlaneEndpoint: api.example.com\n', init: `certificateKey: ${certificateKey}\n` },
    { flags: { 'upload-certs': true } },
  );
  const tokens = config.init.bootstrapTokens.map(({ token }) => token ?? '');
  const suite = contractSuite({
    workflow: initWorkflow,
    config,
    world: (seed) => initWorld({ seed }),
    secrets: [...tokens, certificateKey, config.certificatesOwner ?? ''],
  });
  for (const { name, run } of suite.filter(({ name }) => /^(a second|upload-certs|show-join-command)/.test(name)))
    test(name, run);
});
