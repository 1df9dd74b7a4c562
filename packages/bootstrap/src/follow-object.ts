import type { Cluster, ClusterObject, ObjectQuery } from '@groundplane/phases';

export interface FollowedObject {
  /**
   * As the last event left it; undefined as long as there is none.
   *
   * @throws what ended the watch
   */
  current(): ClusterObject | undefined;
  stop(): void;
}

/** Follows the one object that the query finds by a watch, so that a change is seen at once. Of several the last that changed counts. */
export function followObject(cluster: Cluster, query: ObjectQuery, outer: AbortSignal): FollowedObject {
  const controller = new AbortController();
  const signal = AbortSignal.any([controller.signal, outer]);
  let current: ClusterObject | undefined;
  let failure: unknown;
  const follow = async () => {
    for await (const event of cluster.watch(query, { signal }))
      current = event.type === 'DELETED' ? undefined : event.object;
  };
  follow().catch((error: unknown) => {
    if (!signal.aborted) failure = error;
  });
  return {
    current() {
      if (failure !== undefined) throw failure;
      return current;
    },
    stop: () => controller.abort(),
  };
}
