import { isInCluster } from './artifact.ts';
import { unavailability } from './capabilities.ts';
import type { Connect } from './phase.ts';
import type { Loaded, World } from './world.ts';

/** How long the API server is given to answer the first question, in milliseconds. */
const patienceMs = 2_000;

/**
 * The world in which the API server is asked once, by each connection, whether it answers; where it does not, nobody waits for it again
 * and all that it holds is unknown.
 *
 * @param noCluster why there can be no object at all; then none is asked for
 */
export function withKnownCluster(world: World, noCluster: string | undefined): World {
  const silences = new Map<string, Promise<string | undefined>>();
  const silenceOf = (connect: Connect): Promise<string | undefined> => {
    const key = `${connect.endpoint} ${connect.kubeconfig.id}`;
    const known = silences.get(key) ?? ask(world, connect);
    silences.set(key, known);
    return known;
  };
  return {
    ...world,
    async load(artifact, connect): Promise<Loaded> {
      if (connect === undefined || !isInCluster(world.locate(artifact))) return world.load(artifact, connect);
      if (noCluster !== undefined) return { state: 'absent' };
      const reason = await silenceOf(connect);
      return reason === undefined ? world.load(artifact, connect) : { state: 'unknown', reason };
    },
  };
}

/** Why the API server does not answer. */
async function ask(world: World, connect: Connect): Promise<string | undefined> {
  try {
    const cluster = await world.cluster(connect);
    const { status, text } = await cluster.probe('/version', { timeoutMs: patienceMs });
    return status === undefined ? `the API server does not answer: ${text}` : undefined;
  } catch (thrown) {
    return unavailability(thrown);
  }
}
