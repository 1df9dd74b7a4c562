import { errorsOf, type Finding } from '@groundplane/errors';
import { chooseAdvertiseAddress, type HostAddresses } from './advertise-address.ts';
import type { RunOptions } from './apply-flags.ts';
import type {
  BootstrapToken,
  ClusterConfiguration,
  ComponentConfigurations,
  InitConfiguration,
  NodeRegistration,
  Taint,
} from './configuration-types.ts';
import { invalidConfiguration, problemFinding } from './findings.ts';
import { isGlobalUnicast, isLoopback, parseIpAddress } from './ip-address.ts';
import { compareKubernetesVersions, kubernetesVersions, parseRequestedVersion } from './kubernetes-version.ts';
import { normalNodeName } from './normalize-configuration.ts';
import type { ReadInitConfiguration } from './read-configuration.ts';
import { validateInitConfiguration } from './validate-configuration.ts';

/** What resolving needs to know of the host, gathered beforehand. */
export interface HostFacts {
  readonly hostName: string;
  readonly addresses: HostAddresses;
  /** URLs of the known CRI sockets that answer, see {@link knownCriSockets}. */
  readonly criSockets: readonly string[];
}

export interface ResolveOptions {
  /** A new random bootstrap token `id.secret`; called once for each token without a value. */
  readonly randomToken: () => string;
  /** False for commands that do not use the container runtime: the default socket is taken. @default true */
  readonly detectCriSocket?: boolean;
  /** The version that a label stands for, if the caller has looked it up. */
  readonly lookedUpVersion?: string;
}

export interface ResolvedNodeRegistration extends NodeRegistration {
  readonly taints: readonly Taint[];
}

export interface ResolvedInitConfiguration extends InitConfiguration {
  readonly bootstrapTokens: readonly (BootstrapToken & { readonly token: string })[];
  readonly nodeRegistration: ResolvedNodeRegistration;
}

/** The configuration with every random and detected value fixed: all that follows is a pure function of it. Plain data. */
export interface ResolvedConfiguration {
  readonly init: ResolvedInitConfiguration;
  readonly cluster: ClusterConfiguration;
  /** The user's component configuration documents, without defaults. */
  readonly componentConfigs: ComponentConfigurations;
  readonly run: RunOptions;
  /** Repository of the images that carry the Kubernetes version: cluster.imageRepository, except for CI builds. */
  readonly kubernetesImageRepository: string;
  /** What the cluster's stored ClusterConfiguration says as kubernetesVersion: with the prefix `ci/` for CI builds. */
  readonly storedKubernetesVersion: string;
  readonly warnings: readonly Finding[];
}

/** The sockets that are looked for, in this order; the first is the default (kubeadm, constants_unix.go). */
export const knownCriSockets: readonly [string, ...string[]] = [
  'unix:///var/run/containerd/containerd.sock',
  'unix:///var/run/crio/crio.sock',
  'unix:///var/run/cri-dockerd.sock',
];

/** What keeps ordinary pods off control plane nodes. */
export const controlPlaneTaint: Taint = {
  key: 'node-role.kubernetes.io/control-plane',
  value: '',
  effect: 'NoSchedule',
};

const defaultImageRepository = 'registry.k8s.io';
const ciImageRepository = 'gcr.io/k8s-staging-ci-images';

/**
 * Fixes every value that is random or depends on the host (kubeadm, util/config/initconfiguration.go,
 * SetInitDynamicDefaults), then holds the whole to the rules again.
 *
 * @throws GroundplaneError CONFIG_INVALID with all problems as findings
 */
export function resolveInitConfiguration(
  read: ReadInitConfiguration,
  host: HostFacts,
  options: ResolveOptions,
): ResolvedConfiguration {
  const findings: Finding[] = [...read.warnings];
  const nodeRegistration = resolveNode(read.init.nodeRegistration, host, options, findings);
  const init: ResolvedInitConfiguration = {
    ...read.init,
    bootstrapTokens: read.init.bootstrapTokens.map((token) => ({
      ...token,
      token: token.token ?? options.randomToken(),
    })),
    nodeRegistration,
    localAPIEndpoint: {
      ...read.init.localAPIEndpoint,
      advertiseAddress: resolveAddress(read.init.localAPIEndpoint.advertiseAddress, host, findings),
    },
  };
  const version = resolveVersion(read.cluster.kubernetesVersion, options, findings);
  const { cluster, skipPhases } = skipAddons(
    { ...read.cluster, kubernetesVersion: version.version },
    read.run.skipPhases,
  );
  findings.push(...errorsOf(validateInitConfiguration({ init, cluster })));
  const errors = errorsOf(findings);
  if (errors.length > 0) throw invalidConfiguration('the configuration on this host', errors);
  const ciImages = version.ci && cluster.imageRepository === defaultImageRepository;
  return {
    init,
    cluster,
    componentConfigs: read.componentConfigs,
    run: { ...read.run, skipPhases },
    kubernetesImageRepository: ciImages ? ciImageRepository : cluster.imageRepository,
    storedKubernetesVersion: version.ci ? `ci/${version.version}` : version.version,
    warnings: findings,
  };
}

function resolveNode(
  node: NodeRegistration,
  host: HostFacts,
  options: ResolveOptions,
  findings: Finding[],
): ResolvedNodeRegistration {
  const name = node.name === '' ? normalNodeName(host.hostName) : node.name;
  if (name === '') {
    const reason = 'the host has no name; give nodeRegistration.name or --node-name';
    findings.push(problemFinding({ path: 'nodeRegistration.name', reason, value: host.hostName }));
  }
  return {
    ...node,
    name,
    criSocket: node.criSocket === '' ? detectCriSocket(host, options, findings) : node.criSocket,
    taints: node.taints ?? [controlPlaneTaint],
  };
}

function detectCriSocket(host: HostFacts, options: ResolveOptions, findings: Finding[]): string {
  const [first = knownCriSockets[0], ...others] = options.detectCriSocket === false ? [] : host.criSockets;
  if (others.length > 0) {
    const reason = 'more than one container runtime answers; choose one by nodeRegistration.criSocket or --cri-socket';
    findings.push(problemFinding({ path: 'nodeRegistration.criSocket', reason, value: host.criSockets }));
  }
  return first;
}

function resolveAddress(given: string, host: HostFacts, findings: Finding[]): string {
  const path = 'localAPIEndpoint.advertiseAddress';
  const chosen = chooseAdvertiseAddress(given, host.addresses);
  if ('reason' in chosen) {
    findings.push(problemFinding({ path, reason: chosen.reason, ...(given !== '' && { value: given }) }));
    return '';
  }
  const address = parseIpAddress(chosen.address);
  if (address !== undefined && !isLoopback(address) && !isGlobalUnicast(address)) {
    const reason =
      'the API server needs an address that other nodes can reach (no link-local, multicast or broadcast address)';
    findings.push(problemFinding({ path, reason, value: chosen.address }));
  }
  return chosen.address;
}

function resolveVersion(
  requested: string,
  options: ResolveOptions,
  findings: Finding[],
): { readonly version: string; readonly ci: boolean } {
  const { version, label, ci } = parseRequestedVersion(requested) ?? { ci: false };
  if (version !== undefined) return { version, ci };
  const found = parseRequestedVersion(options.lookedUpVersion ?? '')?.version;
  if (found === undefined) {
    findings.push({
      code: 'CONFIG_VERSION_ASSUMED',
      severity: 'warning',
      artifact: 'kubernetesVersion',
      message: `The label '${label ?? requested}' was not looked up, so the newest known version is taken: ${kubernetesVersions.newest}`,
      hint: 'Give kubernetesVersion or --kubernetes-version to choose another',
    });
  } else if (compareKubernetesVersions(found, kubernetesVersions.minimumControlPlane) < 0) {
    const reason = `control planes older than ${kubernetesVersions.minimumControlPlane} are not supported`;
    findings.push(problemFinding({ path: 'kubernetesVersion', reason, value: found }));
  }
  return { version: found ?? kubernetesVersions.newest, ci };
}

const addonPhases = { dns: 'addon/coredns', proxy: 'addon/kube-proxy' } as const;

/** Skipped addon phases are remembered in the cluster's configuration, and disabled addons skip their phase. */
function skipAddons(
  cluster: ClusterConfiguration,
  skipPhases: readonly string[],
): { readonly cluster: ClusterConfiguration; readonly skipPhases: readonly string[] } {
  const all = skipPhases.includes('addon');
  const disabled = (addon: 'dns' | 'proxy') =>
    all || skipPhases.includes(addonPhases[addon]) || cluster[addon].disabled;
  const added = (['dns', 'proxy'] as const).filter(
    (addon) => disabled(addon) && !all && !skipPhases.includes(addonPhases[addon]),
  );
  return {
    cluster: {
      ...cluster,
      dns: { ...cluster.dns, disabled: disabled('dns') },
      proxy: { ...cluster.proxy, disabled: disabled('proxy') },
    },
    skipPhases: [...skipPhases, ...added.map((addon) => addonPhases[addon])],
  };
}
