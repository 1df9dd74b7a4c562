import { isInCluster } from './artifact.ts';
import { unavailability } from './capabilities.ts';
import type { Connect } from './phase.ts';
import { presentWorld } from './planning-world.ts';
import type { SuppliedPorts } from './ports.ts';
import { withRememberedLoads } from './remembered-loads.ts';
import type { Workflow } from './workflow.ts';
import type { Loaded, World } from './world.ts';

/** How long the API server is given to answer the first question, in milliseconds. */
const patienceMs = 2_000;

/**
 * The world of who only looks, of which one moment's picture will do: each artifact is looked at once, and an API server that does not
 * answer is waited for once.
 *
 * @param options.noCluster why there can be no object at all; then none is asked for
 */
export function lookingWorld<C>(
  { workflow, config, ports }: { readonly workflow: Workflow<C>; readonly config: C; readonly ports: SuppliedPorts },
  { noCluster }: { readonly noCluster?: string | undefined } = {},
): World {
  return withRememberedLoads(withKnownCluster(presentWorld(workflow, config, ports), noCluster));
}

/**
 * The world in which the API server is asked once, by each connection, whether it answers. Where it does not, or falls silent later,
 * nobody waits for it again and all that it holds is unknown.
 */
function withKnownCluster(world: World, noCluster: string | undefined): World {
  const silences = new Map<string, Promise<string | undefined>>();
  return {
    ...world,
    async load(artifact, connect): Promise<Loaded> {
      if (connect === undefined || !isInCluster(world.locate(artifact))) return world.load(artifact, connect);
      if (noCluster !== undefined) return { state: 'absent' };
      const key = `${connect.endpoint} ${connect.kubeconfig.id}`;
      const known = silences.get(key) ?? ask(world, connect);
      silences.set(key, known);
      const reason = await known;
      if (reason !== undefined) return { state: 'unknown', reason };
      const loaded = await world.load(artifact, connect);
      if (loaded.state === 'unknown' && loaded.silent) silences.set(key, Promise.resolve(loaded.reason));
      return loaded;
    },
  };
}

/** Why the API server does not answer. */
async function ask(world: World, connect: Connect): Promise<string | undefined> {
  try {
    const cluster = await world.cluster(connect);
    const { status, text } = await cluster.probe('/version', { timeoutMs: patienceMs });
    if (status === undefined) return `the API server does not answer: ${text}`;
    // What stands before it has nobody to pass the question on to.
    return status >= 500 ? `the API server does not answer: HTTP status ${status}` : undefined;
  } catch (thrown) {
    return unavailability(thrown);
  }
}
