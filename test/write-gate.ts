import { fileURLToPath } from 'node:url';
import {
  collected,
  groundplaneDirectory,
  initConfigPath,
  kubeadmConfiguration,
  type Machine,
  prepareInit,
} from '@groundplane/testbed';

const folder = '/etc/write-gate';
const port = 9099;

/** Writes of people and of nodes; those of the other components, which are many, go on without a question. */
const policy = `apiVersion: audit.k8s.io/v1
kind: Policy
omitStages: [ResponseStarted, Panic]
rules:
- level: Metadata
  verbs: [create, update, patch, delete, deletecollection]
  users: [kubernetes-admin, kubernetes-super-admin]
- level: Metadata
  verbs: [create, update, patch, delete, deletecollection]
  userGroups: [system:bootstrappers, system:nodes]
- level: None
`;

const webhook = `apiVersion: v1
kind: Config
clusters: [{ name: gate, cluster: { server: 'http://127.0.0.1:${port}' } }]
users: [{ name: gate, user: {} }]
contexts: [{ name: gate, context: { cluster: gate, user: gate } }]
current-context: gate
`;

const apiServer = `apiServer:
  extraArgs:
  - { name: audit-policy-file, value: ${folder}/policy.yaml }
  - { name: audit-webhook-config-file, value: ${folder}/webhook.yaml }
  - { name: audit-webhook-mode, value: blocking-strict }
  - { name: audit-webhook-initial-backoff, value: 5ms }
  extraVolumes:
  - { name: write-gate, hostPath: ${folder}, mountPath: ${folder}, readOnly: true, pathType: Directory }
`;

/**
 * Where a run is killed: at its nth write that is no {@link sharedWrite}, or at the first moment at which none was killed yet, of every nth
 * of the different writes.
 */
export type WriteTarget =
  | { readonly at: 'never' }
  | { readonly at: 'before' | 'after'; readonly write: number }
  | { readonly at: 'next'; readonly every: number };

/**
 * Writes that are made only where no controller was quicker: the accounts of kube-controller-manager's controllers, and the signature of
 * cluster-info.
 */
export const sharedWrite =
  /\/serviceaccounts\/(?!coredns\b|kube-proxy\b)|\/configmaps\/cluster-info\?fieldManager=groundplane$/;

/** A write as the API server told of it. */
export interface GatedWrite {
  /** The same before and after. */
  readonly id: string;
  /** What the user agent begins with: `groundplane`, `kubelet`. */
  readonly program: string;
  readonly moment: 'before' | 'after';
  /** Verb and path with its query. */
  readonly write: string;
  /** True if the program was killed there. */
  readonly killed: boolean;
  /** Status code of the answer; absent before. */
  readonly code?: number;
}

export interface WriteGate {
  /** Arguments of init for an API server that asks at the gate. */
  readonly init: readonly string[];
  target(target: WriteTarget): Promise<void>;
  /** Words of a command that the gate can kill. */
  killable(words: readonly string[]): readonly string[];
  /** All since the gate was opened. */
  writes(): Promise<readonly GatedWrite[]>;
}

/**
 * Prepares a machine, on which our program is, so that runs of it are killed at their writes to the API server. What is killed before a
 * write has sent the request, and nothing is done; what is killed after it has not got the answer.
 */
export async function openWriteGate(machine: Machine): Promise<WriteGate> {
  const init = await prepareInit(machine);
  await machine.writeFile(initConfigPath, kubeadmConfiguration().replace('networking:', `${apiServer}networking:`));
  await machine.writeFile(`${folder}/policy.yaml`, policy);
  await machine.writeFile(`${folder}/webhook.yaml`, webhook);
  await machine.copyIn(fileURLToPath(new URL('write-gate-server.ts', import.meta.url)), `${folder}/server.ts`);
  const gate: WriteGate = {
    init,
    target: (target) => machine.writeFile(`${folder}/target.json`, JSON.stringify(target)),
    killable: (words) => ['sh', '-c', `echo $$ >${folder}/client.pid; exec "$@"`, 'sh', ...words],
    writes: async () =>
      (await machine.readFile(`${folder}/log.jsonl`))
        .split('\n')
        .filter((line) => line !== '')
        .map((line) => JSON.parse(line) as GatedWrite),
  };
  await gate.target({ at: 'never' });
  await machine.writeFile(`${folder}/log.jsonl`, '');
  const server = [`${groundplaneDirectory}/lib/node`, `${folder}/server.ts`, String(port), folder, sharedWrite.source];
  await collected(machine, ['systemd-run', '--unit=write-gate', ...server]);
  const listens = `until (: </dev/tcp/127.0.0.1/${port}) 2>/dev/null; do sleep 0.1; done`;
  await collected(machine, ['timeout', '60', 'bash', '-c', listens]);
  return gate;
}
