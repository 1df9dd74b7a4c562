import { kubectlOn, type Machine } from '@groundplane/testbed';

/** What must stay as it is when a finished node is initialised again. One line for each file, container and object. */
export interface NodeSnapshot {
  /** `path mode mtime sha256` of /etc/kubernetes and of the kubelet's configuration. */
  readonly files: readonly string[];
  readonly kubeletStarted: string;
  /** Ids of all running containers. */
  readonly containers: readonly string[];
  /** `kind/namespace/name resourceVersion` of objects that nobody but an installer changes. */
  readonly objects: readonly string[];
}

const kinds =
  'configmaps,secrets,serviceaccounts,roles.rbac.authorization.k8s.io,rolebindings.rbac.authorization.k8s.io,clusterroles.rbac.authorization.k8s.io,clusterrolebindings.rbac.authorization.k8s.io';

const filesScript = [
  'find /etc/kubernetes -type f -print0',
  'find /var/lib/kubelet -maxdepth 1 -type f \\( -name "*.yaml" -o -name "*.env" \\) -print0',
].join('; ');

export async function nodeSnapshot(machine: Machine): Promise<NodeSnapshot> {
  const [files, kubelet, containers, objects, node] = await Promise.all([
    lines(machine, [
      'sh',
      '-c',
      `{ ${filesScript}; } | sort -z | xargs -0 -I{} sh -c 'stat -c "%n %a %Y.%y" "{}" | tr "\\n" " "; sha256sum <"{}"'`,
    ]),
    lines(machine, [
      'systemctl',
      'show',
      'kubelet',
      '--property=ExecMainStartTimestampMonotonic',
      '--property=NRestarts',
    ]),
    lines(machine, ['crictl', 'ps', '--quiet', '--no-trunc']),
    kubectl(machine, [
      'get',
      kinds,
      '--all-namespaces',
      '-o',
      'jsonpath={range .items[*]}{.kind}/{.metadata.namespace}/{.metadata.name} {.metadata.resourceVersion}{"\\n"}{end}',
    ]),
    // The kubelet itself writes the Node's status, so of the Node only what we set is compared.
    kubectl(machine, [
      'get',
      'node',
      machine.name,
      '-o',
      'jsonpath={.metadata.labels}{"\\n"}{.spec.taints}{"\\n"}{.metadata.generation}',
    ]),
  ]);
  return {
    files,
    kubeletStarted: kubelet.join(' '),
    containers: [...containers].sort(),
    objects: [...objects, ...node],
  };
}

/**
 * The snapshot of a node on which the controllers of a new cluster have finished: nothing has changed for some seconds.
 *
 * @throws Error if something still changes after two minutes
 */
export async function settledSnapshot(machine: Machine): Promise<NodeSnapshot> {
  let before = await nodeSnapshot(machine);
  for (let attempt = 0, calm = 0; attempt < 60; attempt++) {
    await new Promise((resolve) => setTimeout(resolve, 2_000));
    const now = await nodeSnapshot(machine);
    calm = JSON.stringify(now) === JSON.stringify(before) ? calm + 1 : 0;
    if (calm === 3) return now;
    before = now;
  }
  throw new Error(`the objects on ${machine.name} do not come to rest`);
}

/** `path sha256` of everything that must never change once it is there: keys, certificates, kubeconfigs. */
export async function credentials(machine: Machine): Promise<ReadonlyMap<string, string>> {
  const found = await lines(machine, [
    'sh',
    '-c',
    'find /etc/kubernetes -type f \\( -name "*.key" -o -name "*.crt" -o -name "*.pub" -o -name "*.conf" \\) -exec sha256sum {} + 2>/dev/null || true',
  ]);
  return new Map(
    found.map((line): [string, string] => {
      const [hash = '', path = ''] = line.split(/\s+/);
      return [path, hash];
    }),
  );
}

/** Credentials but for kubelet.conf, which init itself changes once the kubelet has a certificate of its own. */
export function lasting(found: ReadonlyMap<string, string>): ReadonlyMap<string, string> {
  return new Map([...found].filter(([path]) => !path.endsWith('/kubelet.conf')));
}

async function lines(machine: Machine, argv: readonly string[]): Promise<readonly string[]> {
  const { code, stdout, stderr } = await machine.exec(argv, { timeoutMs: 60_000 });
  if (code !== 0) throw new Error(`${argv.join(' ')} on ${machine.name} ended with code ${code}: ${stderr}`);
  return stdout.split('\n').filter((line) => line !== '');
}

async function kubectl(machine: Machine, args: readonly string[]): Promise<readonly string[]> {
  const { code, stdout, stderr } = await kubectlOn(machine, args, { timeoutMs: 60_000 });
  if (code !== 0) throw new Error(`kubectl ${args.join(' ')} on ${machine.name} ended with code ${code}: ${stderr}`);
  return stdout.split('\n').filter((line) => line !== '');
}
