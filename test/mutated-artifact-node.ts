import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync, utimesSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { initWorkflow, joinWorkflow, resolveInit, resolveJoin } from '../packages/bootstrap/dist/index.js';
import { type Finding, type GroundplaneError, isGroundplaneError } from '../packages/errors/dist/index.js';
import { type Event, runWorkflow, type SuppliedPorts, type Workflow } from '../packages/phases/dist/index.js';
import { portsIn } from './mutated-node.ts';

/** What became of a run. */
export interface ArtifactOutcome {
  /** Absent if the run would go on. */
  readonly error?: GroundplaneError;
  readonly warnings: readonly Finding[];
}

export interface ArtifactRun {
  readonly root: string;
  readonly workflow: 'init' | 'join';
  readonly configText: string;
  /** The phase that is left out. */
  readonly skip?: string | undefined;
  /** Nothing but this phase. */
  readonly only?: string | undefined;
}

const refused = (what: string) => () => Promise.reject(new Error(`there is no ${what} here`));

/** A node as `portsIn` has it, with a kubelet that nobody can start, and a cluster for those who join. */
async function artifactPorts(root: string): Promise<SuppliedPorts> {
  const discovery = join(root, 'srv/discovery.conf');
  const ports = await portsIn(root);
  const stored: Readonly<Record<string, Readonly<Record<string, string>>>> = {
    'kubeadm-config': {
      ClusterConfiguration:
        'apiVersion: kubeadm.k8s.io/v1beta4\nkind: ClusterConfiguration\nkubernetesVersion: v1.37.2\n',
    },
    'cluster-info': existsSync(discovery) ? { kubeconfig: readFileSync(discovery, 'utf8') } : {},
    'kubelet-config': { kubelet: 'apiVersion: kubelet.config.k8s.io/v1beta1\nkind: KubeletConfiguration\n' },
  };
  return {
    ...ports,
    host: {
      ...ports.host,
      services: {
        status: async () => ({ exists: true, enabled: true, active: false, initSystem: 'systemd' }),
        restart: refused('service'),
        stop: refused('service'),
        log: async () => [],
      },
    },
    clusters: {
      // Of the cluster those who join are told its configuration, and nobody anything else.
      connect: async ({ server }) =>
        server === undefined
          ? ({
              get: async ({ name }: { readonly name: string }) =>
                stored[name] && { metadata: { name }, data: stored[name] },
              list: async () => [],
            } as unknown as Awaited<ReturnType<SuppliedPorts['clusters']['connect']>>)
          : refused('cluster')(),
    },
  };
}

/** Runs as far as to the first write: a run that is not refused goes no further. */
export async function artifactOutcome(run: ArtifactRun): Promise<ArtifactOutcome> {
  const warnings: Finding[] = [];
  try {
    const ports = await artifactPorts(run.root);
    if (run.workflow === 'init') {
      const { context, warnings: resolved } = await resolveInit({ configText: run.configText, ports });
      warnings.push(...resolved, ...(await begun(initWorkflow, context, { ports, run })));
    } else {
      const fetch = refused('server');
      const { context, warnings: resolved } = await resolveJoin({ configText: run.configText, ports, fetch });
      warnings.push(...resolved, ...(await begun(joinWorkflow, context, { ports, run })));
    }
    return { warnings };
  } catch (thrown) {
    if (!isGroundplaneError(thrown) || thrown.kind === 'internal') throw thrown;
    return { warnings, error: thrown };
  }
}

/** Thrown where a run would begin to write. */
const goesOn = Symbol('goes on');

/** @returns what the run remarks on before its first write */
async function begun<C>(
  workflow: Workflow<C>,
  config: C,
  { ports, run }: { readonly ports: SuppliedPorts; readonly run: ArtifactRun },
): Promise<readonly Finding[]> {
  const selection = {
    ...(run.only === undefined ? {} : { only: [run.only] }),
    ...(run.skip === undefined ? {} : { skip: [run.skip] }),
  };
  const findings: Finding[] = [];
  const report = (event: Event) => {
    if (event.type === 'finding') findings.push(event.finding);
    if (event.type === 'workflow-started') throw goesOn;
  };
  try {
    await runWorkflow({ workflow, config, ports, selection, report, actor: 'test' });
  } catch (thrown) {
    if (!(thrown instanceof Error) || thrown.cause !== goesOn) throw thrown;
  }
  return findings;
}

/** Has our own phases make what the real kubeadm makes only where it may start a kubelet, or is slow to. */
export async function addPhases(root: string, configText: string, only: readonly string[]): Promise<void> {
  const ports = await artifactPorts(root);
  const { context: config } = await resolveInit({ configText, ports });
  const host = { ...ports.host, services: { ...ports.host.services, restart: async () => {} } };
  for (const phase of only) {
    try {
      await runWorkflow({
        workflow: initWorkflow,
        config,
        ports: { ...ports, host },
        selection: { only: [phase] },
        actor: 'test',
      });
    } catch (thrown) {
      // The files of a kubelet that does not start are there all the same.
      if (!isGroundplaneError(thrown) || thrown.code !== 'PHASES_VERIFY_FAILED') throw thrown;
    }
  }
}

/** A tree in memory, to put a root back into its state. */
export type SavedFiles = ReadonlyMap<string, { readonly bytes: Buffer; readonly mode: number; readonly time: Date }>;

export function savedFiles(root: string): SavedFiles {
  const entries = readdirSync(root, { recursive: true, withFileTypes: true });
  return new Map(
    entries
      .filter((entry) => entry.isFile())
      .map((entry) => {
        const path = join(entry.parentPath, entry.name);
        const { mode, mtime } = statSync(path);
        return [path, { bytes: readFileSync(path), mode: mode & 0o7777, time: mtime }] as const;
      }),
  );
}

/** Puts one file back. */
export function putBack(path: string, saved: SavedFiles): void {
  rmSync(path, { recursive: true, force: true });
  const file = saved.get(path);
  if (file === undefined) {
    mkdirSync(path, { recursive: true, mode: 0o700 });
    return;
  }
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, file.bytes, { mode: file.mode });
  utimesSync(path, file.time, file.time);
}
