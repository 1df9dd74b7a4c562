import {
  type ClusterConfiguration,
  detectsCriSocket,
  type FlagValues,
  initCommands,
  knownCriSockets,
  kubeletConfiguration,
  type ReadInitConfiguration,
  readInitConfiguration,
  resolveInitConfiguration,
} from '@groundplane/config';
import { optionalCADirectories } from '@groundplane/controlplane';
import type { Finding } from '@groundplane/errors';
import { systemdResolvConf } from '@groundplane/kubelet';
import type { Host, SuppliedPorts } from '@groundplane/phases';
import { judgeExternalAuthorities } from './external-authorities.ts';
import type { InitContext, MachineFacts } from './init-context.ts';
import { initWorkflow } from './init-workflow.ts';
import { phasesWithPatches, tryPatches } from './patched-documents.ts';
import { randomToken } from './random-token.ts';
import { type ReadPatches, readPatchesDirectory } from './read-patches-directory.ts';

export interface InitRequest {
  /** Text of the file given by `--config`; undefined when flags alone decide. */
  readonly configText?: string | undefined;
  /** The flags that were given, typed, by name. */
  readonly flags?: FlagValues;
  /** What the two come to, if the caller has read them already. */
  readonly read?: ReadInitConfiguration | undefined;
  readonly ports: SuppliedPorts;
  /** `init`, or the command of one of its phases, `init phase certs ca`: it is asked of the machine only what the command needs. */
  readonly command?: string;
  /** Absolute path of the folder from which relative paths of the configuration count. @default '/' */
  readonly workingDirectory?: string;
}

export interface ResolvedInit {
  readonly context: InitContext;
  readonly skipPhases: readonly string[];
  readonly dryRun: boolean;
  readonly warnings: readonly Finding[];
}

/**
 * The one step before planning that asks the machine and chance: from its result on every phase is a function of plain data.
 *
 * @throws GroundplaneError of kind usage, with all problems of the configuration as findings
 */
export async function resolveInit({
  configText,
  flags = {},
  read = readInitConfiguration(configText, { flags }),
  ports,
  command = 'init',
  workingDirectory = '/',
}: InitRequest): Promise<ResolvedInit> {
  const detectCriSocket = read.init.nodeRegistration.criSocket === '' && detectsCriSocket(command);
  const { facts } = ports.host;
  const [hostName, addresses, criSockets, machine] = await Promise.all([
    facts.hostName(),
    facts.addresses(),
    detectCriSocket ? facts.sockets(knownCriSockets) : [],
    machineFacts(ports.host, command),
  ]);
  const resolved = resolveInitConfiguration(
    read,
    { hostName, addresses, criSockets },
    { randomToken: () => randomToken(ports.entropy), detectCriSocket },
  );
  const kubelet = kubeletConfiguration(resolved);
  const phases = phasesWithPatches(command, resolved.run.skipPhases);
  const directory = phases.length === 0 ? undefined : resolved.run.patchesDirectory;
  const { patches, warnings } = await patchesIn(directory, { host: ports.host, workingDirectory });
  const context: InitContext = {
    init: resolved.init,
    cluster: resolved.cluster,
    kubelet: kubelet.configuration,
    kubeletIsUserSupplied: kubelet.userSupplied,
    storedKubernetesVersion: resolved.storedKubernetesVersion,
    kubernetesImageRepository: resolved.kubernetesImageRepository,
    machine: { ...machine, hostName: hostName.trim().toLowerCase() },
    patches,
    ignorePreflightErrors: resolved.run.ignorePreflightErrors,
    kubeconfigDirectory: resolved.run.kubeconfigDir,
  };
  const { serviceAccountKeysElsewhere, warnings: authorityWarnings } = await judgeExternalAuthorities(
    context,
    ports,
    command,
  );
  return {
    context: serviceAccountKeysElsewhere ? { ...context, serviceAccountKeysElsewhere } : context,
    skipPhases: withoutMissingPhases(resolved.run.skipPhases),
    dryRun: resolved.run.dryRun,
    warnings: [
      ...resolved.warnings,
      ...gatesWithoutEffect(resolved.cluster),
      ...kubelet.warnings,
      ...authorityWarnings,
      ...warnings,
      ...tryPatches(context, phases),
    ],
  };
}

async function patchesIn(
  directory: string | undefined,
  { host, workingDirectory }: { readonly host: Host; readonly workingDirectory: string },
): Promise<ReadPatches> {
  if (directory === undefined) return { patches: [], warnings: [] };
  return readPatchesDirectory(host.files, directory.startsWith('/') ? directory : `${workingDirectory}/${directory}`);
}

/** Commands that write the kubelet's own configuration file, in which resolv.conf stands. */
const kubeletCommands: ReadonlySet<string> = new Set(['init', 'init phase kubelet-start']);

async function machineFacts(
  { facts, files, services }: Host,
  command: string,
): Promise<Omit<MachineFacts, 'hostName'>> {
  const [directories, resolver] = await Promise.all([
    Promise.all(optionalCADirectories.map(async (path) => ((await files.status(path)) === undefined ? [] : [path]))),
    kubeletCommands.has(command) ? services.status('systemd-resolved') : undefined,
  ]);
  return {
    certificateAuthorityDirectories: directories.flat(),
    proxyEnvironment: facts.proxyEnvironment(),
    ...(resolver?.active === true ? { resolvConf: systemdResolvConf } : {}),
  };
}

/** Feature gates of kubeadm that change nothing here yet. */
const missingFeatures: readonly string[] = ['RootlessControlPlane'];

function gatesWithoutEffect({ featureGates }: ClusterConfiguration): readonly Finding[] {
  return missingFeatures
    .filter((gate) => featureGates[gate] === true)
    .map((gate) => ({
      code: 'BOOTSTRAP_FEATURE_MISSING',
      severity: 'warning',
      artifact: `featureGates.${gate}`,
      message: `The feature gate ${gate} has no effect yet: the static pods run as root`,
    }));
}

/** Phases of kubeadm that are not here yet need no skipping; names that nobody knows stay, and are refused. */
function withoutMissingPhases(names: readonly string[]): readonly string[] {
  const known = new Set(initCommands.map(({ command }) => command.replace(/^init phase /, '').replaceAll(' ', '/')));
  const here = (name: string) =>
    initWorkflow.phases.some((phase) => phase.name === name || phase.name.startsWith(`${name}/`));
  return names.filter((name) => here(name.toLowerCase()) || !known.has(name.toLowerCase()));
}
