import { formatLocation, isInCluster } from './artifact.ts';
import type { Loaded, World } from './world.ts';

/** The world at one moment: each artifact is looked at once, however many phases read it. For planning, which changes nothing. */
export function withRememberedLoads(world: World): World {
  const known = new Map<string, Promise<Loaded>>();
  return {
    ...world,
    load(artifact, connect) {
      const location = world.locate(artifact);
      const connection = isInCluster(location) ? `${connect?.endpoint} ${connect?.kubeconfig.id}` : '';
      const key = `${artifact.id} ${formatLocation(location)} ${connection}`;
      const found = known.get(key) ?? world.load(artifact, connect);
      known.set(key, found);
      return found;
    },
  };
}
