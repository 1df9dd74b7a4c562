import { randomBytes } from 'node:crypto';
import { authorityPin, controlPlaneCertificates } from './certificates.ts';
import { auditPolicyPath, type ClusterSpecification, initDocuments, joinDocuments } from './cluster-specification.ts';
import type { CommandResult, Machine } from './machine.ts';
import type { NodeBundle, NodeFile } from './node-bundle.ts';
import { kept, type Store } from './store.ts';
import { runTasks, type Task } from './task-graph.ts';

export interface Provisioning {
  readonly cluster: ClusterSpecification;
  readonly store: Store;
  /** By the name of their node. */
  readonly machines: Readonly<Record<string, Machine>>;
  /** The bundled program for machines. */
  readonly nodeup: Uint8Array;
  /** Node.js on the machines. @default 'node' */
  readonly node?: string;
  /** Told each task that is done. */
  readonly report: (task: string) => void;
}

const nodeupPath = '/opt/provisioner/nodeup.mjs';

const auditPolicy: NodeFile = {
  path: auditPolicyPath,
  mode: 0o600,
  text: `${JSON.stringify({ apiVersion: 'audit.k8s.io/v1', kind: 'Policy', rules: [{ level: 'Metadata', resources: [{ group: '', resources: ['secrets'] }] }, { level: 'None' }] })}\n`,
};

const forwarding: NodeFile = {
  path: '/etc/sysctl.d/90-provisioner.conf',
  mode: 0o644,
  text: 'net.ipv4.ip_forward = 1\n',
};

function bootstrapToken(store: Store): string {
  return kept(store, 'bootstrap-token', () => `${randomBytes(3).toString('hex')}.${randomBytes(8).toString('hex')}`);
}

/** All that the control-plane node is told. */
export function initBundle(cluster: ClusterSpecification, store: Store): NodeBundle {
  return {
    role: 'control-plane',
    files: [forwarding, auditPolicy],
    certificates: controlPlaneCertificates(store, cluster.controlPlane),
    configuration: initDocuments(cluster, bootstrapToken(store)),
    addons: cluster.addons,
  };
}

/**
 * Makes a cluster of machines: certificates first, then a plan of the control plane on its machine, and only if nothing stands against
 * that the machines are changed.
 *
 * @throws Error with what a machine said
 */
export async function provision({
  cluster,
  store,
  machines,
  nodeup,
  node = 'node',
  report,
}: Provisioning): Promise<void> {
  const { controlPlane, workers } = cluster;
  const on = (name: string): Machine => {
    const machine = machines[name];
    if (machine === undefined) throw new TypeError(`Cannot provision ${name} as there is no such machine`);
    return machine;
  };
  const run = async (name: string, command: 'plan' | 'up', bundle: NodeBundle) =>
    succeeded(name, await on(name).exec([node, nodeupPath, command], { input: JSON.stringify(bundle) }));
  const token = bootstrapToken(store);

  const machineTask = (name: string): Task => ({
    name: `machine ${name}`,
    run: async () => {
      const install = `mkdir -p ${nodeupPath.replace(/\/[^/]*$/, '')} && cat > ${nodeupPath}`;
      succeeded(name, await on(name).exec(['sh', '-c', install], { input: nodeup }));
    },
  });
  const workerTask = (worker: (typeof workers)[number]): Task => ({
    name: `worker ${worker.name}`,
    after: [`machine ${worker.name}`, 'control plane'],
    run: async () => {
      const configuration = joinDocuments(cluster, worker, { token, authorityPin: authorityPin(store) });
      await run(worker.name, 'up', {
        role: 'worker',
        files: [forwarding],
        certificates: [],
        configuration,
        addons: [],
      });
    },
  });
  await runTasks(
    [
      ...[controlPlane, ...workers].map(({ name }) => machineTask(name)),
      { name: 'certificates', run: async () => void controlPlaneCertificates(store, controlPlane) },
      {
        name: 'plan',
        after: [`machine ${controlPlane.name}`, 'certificates'],
        run: async () => run(controlPlane.name, 'plan', initBundle(cluster, store)).then(() => {}),
      },
      {
        name: 'control plane',
        after: ['plan'],
        run: async () => run(controlPlane.name, 'up', initBundle(cluster, store)).then(() => {}),
      },
      ...workers.map(workerTask),
    ],
    report,
  );
}

function succeeded(name: string, { code, stdout, stderr }: CommandResult): string {
  if (code === 0) return stdout;
  const lines = stdout.trim().split('\n').slice(-5);
  throw new Error(`Cannot provision ${name} (exit code ${code}): ${[...lines, stderr.trim()].join('\n')}`);
}
