import {
  type ClusterConfiguration,
  detectsCriSocket,
  type FlagValues,
  knownCriSockets,
  kubeletConfiguration,
  kubeProxyConfiguration,
  type ReadInitConfiguration,
  readInitConfiguration,
  resolveInitConfiguration,
} from '@groundplane/config';
import type { Finding } from '@groundplane/errors';
import type { SuppliedPorts } from '@groundplane/phases';
import { generateCertificateKey } from '@groundplane/pki';
import { absolutePath } from './absolute-path.ts';
import { disabledAddonWarnings } from './disabled-addons.ts';
import { judgeExternalAuthorities } from './external-authorities.ts';
import { type InitContext, layoutOf } from './init-context.ts';
import { requireJournalPlace } from './journal-place.ts';
import { judgeLostAuthorities } from './judge-lost-authorities.ts';
import { machineFacts } from './machine-facts.ts';
import { phasesWithPatches, tryPatches } from './patched-documents.ts';
import { randomToken } from './random-token.ts';
import { patchesIn } from './read-patches-directory.ts';
import { tokenWarnings } from './token-warnings.ts';

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
  /** True if nothing is going to be made, so that it does not matter yet what a CA whose key is kept elsewhere would have to sign. */
  readonly looksOnly?: boolean;
  /** True if nothing is going to be made, as in a dry run: of what cannot be looked at nothing is said here, as the plan says it. */
  readonly onlyPlanned?: boolean;
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
 * @throws GroundplaneError of kind usage, with all problems of the configuration as findings; BOOTSTRAP_JOURNAL_REFUSED
 */
export async function resolveInit({
  configText,
  flags = {},
  read = readInitConfiguration(configText, { flags }),
  ports,
  command = 'init',
  workingDirectory = '/',
  looksOnly = false,
  onlyPlanned = read.run.dryRun,
}: InitRequest): Promise<ResolvedInit> {
  const detectCriSocket = read.init.nodeRegistration.criSocket === '' && detectsCriSocket(command);
  const { facts } = ports.host;
  const [hostName, addresses, criSockets, machine] = await Promise.all([
    facts.hostName(),
    facts.addresses(),
    detectCriSocket ? facts.sockets(knownCriSockets) : [],
    machineFacts(ports.host, { command, looksOnly: looksOnly || onlyPlanned }),
  ]);
  const resolved = resolveInitConfiguration(
    read,
    { hostName, addresses, criSockets },
    { randomToken: () => randomToken(ports.entropy), detectCriSocket },
  );
  const kubelet = kubeletConfiguration(resolved);
  const kubeProxy = kubeProxyConfiguration(resolved);
  // As with kubeadm, what the configuration skips is skipped by init alone: whoever asks for one phase means it.
  const skipPhases = command === 'init' ? resolved.run.skipPhases : [];
  const phases = phasesWithPatches(command, skipPhases);
  const directory = phases.length === 0 ? undefined : resolved.run.patchesDirectory;
  const { patches, warnings } = await patchesIn(directory, { host: ports.host, workingDirectory });
  const { kubeconfig, uploadCerts, skipTokenPrint, skipCertificateKeyPrint } = resolved.run;
  const certificateKey =
    resolved.init.certificateKey || (uploadCerts ? generateCertificateKey(ports.entropy.bytes(32)) : '');
  const context: InitContext = {
    init: { ...resolved.init, certificateKey },
    cluster: resolved.cluster,
    ...(read.groundplane === undefined ? {} : { groundplane: read.groundplane }),
    kubelet: kubelet.configuration,
    kubeletIsUserSupplied: kubelet.userSupplied,
    kubeProxy: kubeProxy.configuration,
    kubeProxyIsUserSupplied: kubeProxy.userSupplied,
    storedKubernetesVersion: resolved.storedKubernetesVersion,
    kubernetesImageRepository: resolved.kubernetesImageRepository,
    machine: { ...machine, hostName: hostName.trim().toLowerCase() },
    patches,
    ignorePreflightErrors: resolved.run.ignorePreflightErrors,
    tokenIsGenerated: read.init.bootstrapTokens.map(({ token }) => token === undefined),
    ...(uploadCerts ? { uploadCerts, certificatesOwner: randomToken(ports.entropy) } : {}),
    ...(kubeconfig === defaultKubeconfig ? {} : { adminKubeconfig: absolutePath(kubeconfig, workingDirectory) }),
    skipTokenPrint,
    skipCertificateKeyPrint,
    kubeconfigDirectory: resolved.run.kubeconfigDir,
    ...(endpointIsAssumed({ configText, flags, command }) ? { endpointIsAssumed: true } : {}),
  };
  await requireJournalPlace(read.groundplane, { files: ports.host.files, layout: layoutOf(context) });
  const {
    serviceAccountKeysElsewhere,
    isWithoutClusterSigner,
    warnings: authorityWarnings,
  } = looksOnly
    ? { serviceAccountKeysElsewhere: false, isWithoutClusterSigner: undefined, warnings: [] }
    : await judgeExternalAuthorities(context, ports, { command, onlyPlanned });
  const lost = looksOnly
    ? {}
    : await judgeLostAuthorities(context, ports.host, {
        command,
        isTold: configText !== undefined || flags['cert-dir'] !== undefined,
        onlyPlanned,
      });
  return {
    context: {
      ...context,
      ...lost,
      ...(serviceAccountKeysElsewhere ? { serviceAccountKeysElsewhere } : {}),
      ...(isWithoutClusterSigner === undefined ? {} : { isWithoutClusterSigner }),
    },
    skipPhases,
    dryRun: resolved.run.dryRun,
    warnings: [
      ...resolved.warnings,
      ...gatesWithoutEffect(resolved.cluster),
      ...tokenWarnings(resolved.init),
      ...kubelet.warnings,
      ...kubeProxy.warnings,
      ...disabledAddonWarnings(resolved.cluster, command),
      ...authorityWarnings,
      ...warnings,
      ...tryPatches(context, phases),
    ],
  };
}

/** What `--kubeconfig` says by itself. */
const defaultKubeconfig = '/etc/kubernetes/admin.conf';

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

/** A single phase on a finished node is mostly called without the configuration of the cluster; those that write kubeconfigs go by it. */
function endpointIsAssumed({ configText, flags = {}, command = '' }: Omit<InitRequest, 'ports'>): boolean {
  const isTold = configText !== undefined || flags['control-plane-endpoint'] !== undefined;
  const isOther = command.startsWith('init phase ') && !command.startsWith('init phase kubeconfig');
  return isOther && !isTold;
}
