import type { GroundplanePlugin } from '@groundplane/plugin';
import { stepSigner } from './step-signer.ts';

const plugin: GroundplanePlugin = {
  interfaceVersion: 1,
  name: 'step',
  signers: { step: stepSigner },
};

export default plugin;
