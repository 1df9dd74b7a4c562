import { formatLocation, isInCluster } from './artifact.ts';
import type { Loaded, World } from './world.ts';

/** The world at one moment: each artifact is looked at once, however many ask. What is stored meanwhile is known as it was stored. */
export function withRememberedLoads(world: World): World {
  const known = new Map<string, Promise<Loaded>>();
  const keyOf: (...of: Parameters<World['load']>) => string = (artifact, connect) => {
    const location = world.locate(artifact);
    const connection = isInCluster(location) ? `${connect?.endpoint} ${connect?.kubeconfig.id}` : '';
    return `${artifact.id} ${formatLocation(location)} ${connection}`;
  };
  return {
    ...world,
    load(artifact, connect) {
      const key = keyOf(artifact, connect);
      const found = known.get(key) ?? world.load(artifact, connect);
      known.set(key, found);
      return found;
    },
    async store(artifact, value, connect) {
      const key = keyOf(artifact, connect);
      known.delete(key);
      const stored = await world.store(artifact, value, connect);
      if (stored.answer !== undefined) known.set(key, Promise.resolve(stored.answer));
      return stored;
    },
    remove(artifact, connect) {
      known.delete(keyOf(artifact, connect));
      return world.remove(artifact, connect);
    },
  };
}
