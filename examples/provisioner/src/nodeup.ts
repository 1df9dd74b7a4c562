import {
  type BootstrapPorts,
  createBootstrap,
  type Event,
  type Finding,
  type InitContext,
  isGroundplaneError,
  type PhasePlan,
  type PreparedWorkflow,
} from '@groundplane/bootstrap';
import type { ApiObject } from './cluster-specification.ts';
import type { NodeBundle, NodeFile } from './node-bundle.ts';
import { overlayHost } from './overlay-host.ts';
import { runTasks, type Task } from './task-graph.ts';

const actor = 'example provisioner';
/** The provisioner brings all certificates, so the phases that would make them are replaced as a whole. */
const ownCertificates = { skip: ['certs'] };
/** Groups of phases that have tasks of their own here, by the name of the task. */
const phasesOf = {
  preflight: ['preflight'],
  kubeconfigs: ['kubeconfig'],
  'static-pods': ['etcd', 'control-plane'],
  kubelet: ['kubelet-start'],
  health: ['wait-control-plane'],
} as const;

export interface NodePlan {
  /** Why nothing may be written, once for each thing; empty if nothing stands against it. */
  readonly problems: readonly Finding[];
  /** Phase → what would be done. Empty where it could not be told. */
  readonly decisions: Readonly<Record<string, PhasePlan['decision']>>;
}

/** Says what our phases would do on a machine that has the files of the bundle. Nothing is written. */
export async function planNode(bundle: NodeBundle, ports: BootstrapPorts): Promise<NodePlan> {
  const host = overlayHost(ports.host, [...bundle.files, ...bundle.certificates]);
  try {
    const init = await createBootstrap({ ports: { ...ports, host } }).init({ configuration: bundle.configuration });
    const { phases } = await init.plan({ selection: ownCertificates });
    const problems = phases.flatMap(({ findings }) => findings.filter(({ severity }) => severity === 'error'));
    const decisions = Object.fromEntries(phases.map(({ phase, decision }) => [phase, decision]));
    return { problems: eachOnce(problems), decisions };
  } catch (error) {
    // What a CA without its key has signed is looked at before there is a plan.
    if (!isGroundplaneError(error) || error.findings.length === 0) throw error;
    return { problems: eachOnce(error.findings), decisions: {} };
  }
}

function eachOnce(findings: readonly Finding[]): readonly Finding[] {
  return [...new Map(findings.map((finding) => [finding.message, finding])).values()];
}

export interface NodeReport {
  readonly task: (name: string) => void;
  readonly event: (event: Event) => void;
}

/**
 * Makes a machine the node that the bundle describes: the tasks of the provisioner, with our phases between them.
 *
 * @throws Error if something stands against the plan of a control-plane node: nothing was changed; GroundplaneError of a phase
 */
export async function setUpNode(bundle: NodeBundle, ports: BootstrapPorts, report: NodeReport): Promise<void> {
  const bootstrap = createBootstrap({ ports, actor, journal: '/var/lib/groundplane/journal.jsonl' });
  if (bundle.role === 'worker') {
    const files: Task = { name: 'files', run: () => writeFiles(ports, bundle.files) };
    const join: Task = {
      name: 'join',
      after: ['files'],
      run: async () => {
        const prepared = await bootstrap.join({ configuration: bundle.configuration });
        await prepared.run({ report: report.event });
      },
    };
    return runTasks([files, join], report.task);
  }
  const { problems } = await planNode(bundle, ports);
  if (problems.length > 0) throw new Error(`Nothing was changed: ${problems.map(({ message }) => message).join('; ')}`);
  let prepared: Promise<PreparedWorkflow<InitContext>> | undefined;
  const phases = async (selection: { readonly only?: readonly string[]; readonly skip?: readonly string[] }) => {
    // Once for all phases: what is detected and made up must not differ between them.
    prepared ??= bootstrap.init({ configuration: bundle.configuration });
    await (await prepared).run({ selection, report: report.event });
  };
  const ours = (name: keyof typeof phasesOf, ...after: readonly string[]): Task => ({
    name,
    after,
    run: () => phases({ only: phasesOf[name] }),
  });
  return runTasks(
    [
      { name: 'files', run: () => writeFiles(ports, bundle.files) },
      { name: 'certificates', run: () => writeFiles(ports, bundle.certificates) },
      ours('preflight', 'files', 'certificates'),
      ours('kubeconfigs', 'preflight'),
      ours('static-pods', 'kubeconfigs'),
      ours('kubelet', 'static-pods'),
      ours('health', 'kubelet'),
      // Whatever init has beside these; those that are done are kept.
      { name: 'cluster', after: ['health'], run: () => phases(ownCertificates) },
      { name: 'addons', after: ['cluster'], run: () => applyAddons(ports, bundle.addons) },
    ],
    report.task,
  );
}

/** Keys first: a certificate whose key is not there yet would look like a mistake to whoever looks meanwhile. */
async function writeFiles({ host }: BootstrapPorts, files: readonly NodeFile[]): Promise<void> {
  for (const { path, mode, text } of files.toSorted((a, b) => a.mode - b.mode)) {
    const bytes = new TextEncoder().encode(text);
    const found = await host.files.read(path);
    const isThere = found !== undefined && found.mode === mode && Buffer.from(found.bytes).equals(bytes);
    if (!isThere) await host.files.write(path, bytes, { mode, maxMode: mode });
  }
}

async function applyAddons({ host, clusters }: BootstrapPorts, addons: readonly ApiObject[]): Promise<void> {
  const admin = await host.files.read('/etc/kubernetes/admin.conf');
  const kubeconfig = new TextDecoder().decode(admin?.bytes);
  const cluster = await clusters.connect({ kubeconfig, timeoutMs: 60_000 });
  for (const addon of addons) await cluster.apply(addon);
}
