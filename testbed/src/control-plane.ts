import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { staticPods } from './cluster-readiness.ts';
import { hostKubeletSettings } from './host-kubelet-settings.ts';
import { type KubeadmConfigurationOptions, kubeadmConfiguration } from './kubeadm-configuration.ts';
import { kubectlOutput } from './kubectl.ts';
import type { Machine } from './machine.ts';
import { createMachine } from './machines.ts';
import { collected } from './run-on-machine.ts';

/** Where the archive is unpacked on a machine, as people would. */
export const groundplaneDirectory = '/opt/groundplane';
/** Where the configuration for `init` is written on a machine. */
export const initConfigPath = '/etc/groundplane-testbed/init.yaml';

/** Path of the archive that `./dev pack` makes. */
export function archivePath(): string {
  return (
    process.env.GROUNDPLANE_ARCHIVE ??
    fileURLToPath(new URL('../../dist/groundplane-linux-x64.tar.gz', import.meta.url))
  );
}

/**
 * Unpacks the archive on a machine and links `groundplane` into its PATH; the real kubeadm stays beside it.
 *
 * @throws Error if the archive has not been made
 */
export async function installGroundplane(machine: Machine, archive = archivePath()): Promise<void> {
  if (!existsSync(archive))
    throw new Error(`cannot install Groundplane on ${machine.name}: there is no ${archive}; run: ./dev pack`);
  await machine.copyIn(archive, '/var/tmp/groundplane.tar.gz');
  const script = [
    'set -e',
    'rm -rf /opt/groundplane',
    'tar -xzf /var/tmp/groundplane.tar.gz -C /opt',
    'rm /var/tmp/groundplane.tar.gz',
    'ln -sf /opt/groundplane/bin/groundplane /usr/local/bin/groundplane',
  ];
  const { code, stderr } = await machine.exec(['sh', '-c', script.join('\n')]);
  if (code !== 0) throw new Error(`cannot install Groundplane on ${machine.name}: ${stderr.trim()}`);
}

/** Writes the configuration for `init` and returns the arguments that go with it on this host. */
export async function prepareInit(
  machine: Machine,
  options: KubeadmConfigurationOptions = {},
): Promise<readonly string[]> {
  await machine.writeFile(initConfigPath, kubeadmConfiguration(options));
  const ignored = hostKubeletSettings().ignorePreflightErrors;
  return [
    '--config',
    initConfigPath,
    ...(ignored.length > 0 ? [`--ignore-preflight-errors=${ignored.join(',')}`] : []),
  ];
}

export interface BootstrapOptions {
  readonly name: string;
  /** A machine to use; a new one is made without. */
  readonly machine?: Machine;
  /** Runs init, given as a command with its arguments. @default as it is, and it has to succeed */
  readonly run?: (machine: Machine, init: readonly string[]) => Promise<unknown>;
}

export interface BootstrappedControlPlane {
  readonly machine: Machine;
  /** Milliseconds that `init` took. */
  readonly initMs: number;
  /** @throws Error with what kubectl said if it fails */
  kubectl(args: readonly string[]): Promise<string>;
}

/** Makes a machine and has Groundplane bootstrap a control plane on it; waits until its node is Ready and its static pods run. */
export async function bootstrapControlPlane({
  name,
  machine: given,
  run = collected,
}: BootstrapOptions): Promise<BootstrappedControlPlane> {
  const machine = given ?? (await createMachine({ name }));
  await installGroundplane(machine);
  const init = ['groundplane', 'init', ...(await prepareInit(machine))];
  const start = performance.now();
  await run(machine, init);
  const initMs = performance.now() - start;
  const kubectl = (args: readonly string[]) => kubectlOutput(machine, args);
  await kubectl(['wait', '--for=condition=Ready', '--timeout=120s', `node/${machine.name}`]);
  const pods = staticPods.map((component) => `pod/${component}-${machine.name}`);
  // The kubelet registers the node first and mirrors its static pods afterwards; kubectl waits for the creation of one pod at a time.
  for (const pod of pods) {
    for (const state of ['create', 'condition=Ready']) {
      await kubectl(['wait', '-n', 'kube-system', `--for=${state}`, '--timeout=120s', pod]);
    }
  }
  return { machine, initMs, kubectl };
}
