import { isInCluster } from './artifact.ts';
import { withRememberedLoads } from './remembered-loads.ts';
import type { World } from './world.ts';

/**
 * The world during one phase's turn: what the API server has answered is not asked for again, and what it has stored is what it said
 * it stored. Files are looked at each time, as they are what was asked for only when they have been read back.
 */
export function worldOfTurn(world: World): World {
  const remembered = withRememberedLoads(world);
  return {
    ...remembered,
    load: (artifact, connect) => (isInCluster(world.locate(artifact)) ? remembered : world).load(artifact, connect),
  };
}
