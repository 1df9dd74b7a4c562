import { waitUntilReady } from './cluster-readiness.ts';
import { installGroundplane, prepareInit } from './control-plane.ts';
import { hostKubeletSettings } from './host-kubelet-settings.ts';
import { type JoinArguments, joinArgumentsIn } from './join-command.ts';
import type { KubeadmConfigurationOptions } from './kubeadm-configuration.ts';
import { kubectlOutput } from './kubectl.ts';
import type { Machine } from './machine.ts';
import { collected, type RunOn } from './run-on-machine.ts';

/** Which program bootstraps: ours, or the real kubeadm that every machine has beside it. */
export type BootstrapTool = 'groundplane' | 'kubeadm';

export interface ClusterOptions {
  readonly controlPlane: Machine;
  readonly workers?: readonly Machine[];
  /** Runs `init`, and `join` unless `joinTool` says otherwise. */
  readonly tool: BootstrapTool;
  readonly joinTool?: BootstrapTool;
  /** Further arguments of `init`. */
  readonly initArguments?: readonly string[];
  readonly configuration?: KubeadmConfigurationOptions;
  /** Runs the commands. Default: their output is collected. */
  readonly run?: RunOn;
  /** Told when the commands have ended, and the wait for the cluster begins. */
  readonly onReadyWait?: () => void;
}

export interface Cluster {
  readonly controlPlane: Machine;
  readonly workers: readonly Machine[];
  /** The command for workers that `init` printed. */
  readonly joinArguments: JoinArguments;
  /** Seconds from the start of `init`: to its end, to the end of the last `join`, to all nodes and pods Ready. */
  readonly seconds: { readonly init: number; readonly join: number; readonly ready: number };
  /** @throws Error with what kubectl said if it fails */
  kubectl(args: readonly string[], input?: string): Promise<string>;
}

/** The arguments of `join` on this host: those that were printed, and what the preflight checks must be told here. */
export function joinArgumentsHere(printed: JoinArguments): readonly string[] {
  const ignored = hostKubeletSettings().ignorePreflightErrors;
  return [...printed, ...(ignored.length > 0 ? [`--ignore-preflight-errors=${ignored.join(',')}`] : [])];
}

/**
 * Has Groundplane make a token in a cluster that is there.
 *
 * @returns the arguments with which another worker joins on this host
 */
export async function freshJoinArguments(controlPlane: Machine): Promise<readonly string[]> {
  const printed = await collected(controlPlane, ['groundplane', 'token', 'create', '--print-join-command']);
  return joinArgumentsHere(joinArgumentsIn(printed));
}

/**
 * Bootstraps a cluster on machines that are there: `init` on the first, right after it `join` on all workers at once with
 * the command that `init` printed; and waits until every node and every pod is Ready.
 *
 * @throws Error with what the program said if it fails
 */
export async function bootstrapCluster(options: ClusterOptions): Promise<Cluster> {
  const { controlPlane, workers = [], tool, joinTool = tool, run = collected } = options;
  const ours = [...(tool === 'groundplane' ? [controlPlane] : []), ...(joinTool === 'groundplane' ? workers : [])];
  await Promise.all(ours.map((machine) => installGroundplane(machine)));
  const init = await prepareInit(controlPlane, options.configuration);

  const start = performance.now();
  const elapsed = () => (performance.now() - start) / 1000;
  const printed = await run(controlPlane, [tool, 'init', ...init, ...(options.initArguments ?? [])]);
  const initSeconds = elapsed();
  const joinArguments = joinArgumentsIn(printed);
  await Promise.all(workers.map((worker) => run(worker, [joinTool, 'join', ...joinArgumentsHere(joinArguments)])));
  const joinSeconds = elapsed();
  options.onReadyWait?.();
  await waitUntilReady(controlPlane, workers);
  return {
    controlPlane,
    workers,
    joinArguments,
    seconds: { init: initSeconds, join: joinSeconds, ready: elapsed() },
    kubectl: (args, input) => kubectlOutput(controlPlane, args, input === undefined ? {} : { input }),
  };
}
