import {
  detectsCriSocket,
  type FlagValues,
  type HostFacts,
  knownCriSockets,
  kubeletConfiguration,
  readInitConfiguration,
  resolveInitConfiguration,
} from '@groundplane/config';
import { optionalCADirectories } from '@groundplane/controlplane';
import type { Finding } from '@groundplane/errors';
import { systemdResolvConf } from '@groundplane/kubelet';
import type { Entropy, Host, SuppliedPorts } from '@groundplane/phases';
import type { InitContext, MachineFacts } from './init-context.ts';

export interface InitRequest {
  /** Text of the file given by `--config`; undefined when flags alone decide. */
  readonly configText?: string | undefined;
  /** The flags that were given, typed, by name. */
  readonly flags?: FlagValues;
  readonly ports: Pick<SuppliedPorts, 'host' | 'entropy'>;
  /** `init`, or the phase command: commands without the runtime do not look for its socket. */
  readonly command?: string;
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
  ports,
  command = 'init',
}: InitRequest): Promise<ResolvedInit> {
  const read = readInitConfiguration(configText, { flags });
  const detect = read.init.nodeRegistration.criSocket === '' && detectsCriSocket(command);
  const [host, machine] = await Promise.all([hostFacts(ports.host, detect), machineFacts(ports.host)]);
  const resolved = resolveInitConfiguration(read, host, {
    randomToken: () => randomToken(ports.entropy),
    detectCriSocket: detect,
  });
  const kubelet = kubeletConfiguration(resolved);
  return {
    context: {
      init: resolved.init,
      cluster: resolved.cluster,
      kubelet: kubelet.configuration,
      kubeletIsUserSupplied: kubelet.userSupplied,
      storedKubernetesVersion: resolved.storedKubernetesVersion,
      kubernetesImageRepository: resolved.kubernetesImageRepository,
      machine,
      ignorePreflightErrors: resolved.run.ignorePreflightErrors,
      kubeconfigDirectory: resolved.run.kubeconfigDir,
    },
    skipPhases: resolved.run.skipPhases,
    dryRun: resolved.run.dryRun,
    warnings: [...resolved.warnings, ...kubelet.warnings],
  };
}

async function hostFacts({ facts }: Host, detectCriSocket: boolean): Promise<HostFacts> {
  const [hostName, addresses, criSockets] = await Promise.all([
    facts.hostName(),
    facts.addresses(),
    detectCriSocket ? facts.sockets(knownCriSockets) : [],
  ]);
  return { hostName, addresses, criSockets };
}

async function machineFacts({ facts, files, services }: Host): Promise<MachineFacts> {
  const [hostName, directories, resolved] = await Promise.all([
    facts.hostName(),
    Promise.all(optionalCADirectories.map(async (path) => ((await files.status(path)) === undefined ? [] : [path]))),
    services.status('systemd-resolved'),
  ]);
  return {
    hostName: hostName.trim().toLowerCase(),
    certificateAuthorityDirectories: directories.flat(),
    proxyEnvironment: facts.proxyEnvironment(),
    ...(resolved.active ? { resolvConf: systemdResolvConf } : {}),
  };
}

const tokenAlphabet = 'abcdefghijklmnopqrstuvwxyz0123456789';

/** A bootstrap token `[a-z0-9]{6}.[a-z0-9]{16}`, each character equally likely (k8s.io/cluster-bootstrap token/util). */
function randomToken(entropy: Entropy): string {
  const fair = 256 - (256 % tokenAlphabet.length);
  let characters = '';
  while (characters.length < 22) {
    for (const byte of entropy.bytes(32))
      if (byte < fair && characters.length < 22) characters += tokenAlphabet[byte % tokenAlphabet.length];
  }
  return `${characters.slice(0, 6)}.${characters.slice(6)}`;
}
