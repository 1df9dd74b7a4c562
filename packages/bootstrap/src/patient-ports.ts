import { currentContextOf, parseKubeconfig } from '@groundplane/kubeconfig';
import type { ProbeResult, SuppliedPorts } from '@groundplane/phases';

/**
 * The ports of one look at a node: a server that has not answered a question is not asked another one, as each would be waited for as
 * long again.
 *
 * @param ports plain objects, as `lookUntilStopped` hands them out
 */
export function patientPorts(ports: SuppliedPorts): SuppliedPorts {
  const { host, clusters } = ports;
  const local = onceSilent();
  const remote = onceSilent();
  return {
    ...ports,
    host: {
      ...host,
      probe: (url, options) => local(URL.parse(url)?.origin ?? url, () => host.probe(url, options)),
    },
    clusters: {
      async connect(options) {
        const cluster = await clusters.connect(options);
        // What an answer says depends on who asks; that there is none does not.
        const server = options.server ?? currentContextOf(parseKubeconfig(options.kubeconfig)).server;
        const origin = URL.parse(server)?.origin ?? server;
        return { ...cluster, probe: (path, limits) => remote(origin, () => cluster.probe(path, limits)) };
      },
    },
  };
}

function onceSilent() {
  const silences = new Map<string, ProbeResult>();
  return async (server: string, ask: () => Promise<ProbeResult>): Promise<ProbeResult> => {
    const known = silences.get(server);
    if (known !== undefined) return known;
    const answer = await ask();
    if (answer.status === undefined) silences.set(server, answer);
    return answer;
  };
}
