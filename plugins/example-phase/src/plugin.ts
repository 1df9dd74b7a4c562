import type { GroundplanePlugin } from '@groundplane/plugin';
import { inventoryPhase } from './inventory-phase.ts';

const plugin: GroundplanePlugin = {
  interfaceVersion: 1,
  name: 'example',
  phases: (toolkit) => ({ init: [{ phase: inventoryPhase(toolkit), after: 'certs/sa' }] }),
};

export default plugin;
