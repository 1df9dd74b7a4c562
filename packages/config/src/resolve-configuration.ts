import { errorsOf, type Finding } from '@groundplane/errors';
import type {
  BootstrapToken,
  ClusterConfiguration,
  ComponentConfigurations,
  InitConfiguration,
  NodeRegistration,
  Taint,
} from './configuration-types.ts';
import { invalidConfiguration, problemFinding } from './findings.ts';
import { compareKubernetesVersions, kubernetesVersions, parseRequestedVersion } from './kubernetes-version.ts';
import type { ReadInitConfiguration, RunOptions } from './read-init-documents.ts';
import {
  controlPlaneTaint,
  type HostFacts,
  type ResolveNodeOptions,
  resolveAdvertiseAddress,
  resolveNodeRegistration,
} from './resolve-node.ts';
import { validateInitConfiguration } from './validate-configuration.ts';

export interface ResolveOptions extends ResolveNodeOptions {
  /** A new random bootstrap token `id.secret`; called once for each token without a value. */
  readonly randomToken: () => string;
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
  const node = resolveNodeRegistration(read.init.nodeRegistration, host, options, findings);
  const { advertiseAddress } = read.init.localAPIEndpoint;
  const path = 'localAPIEndpoint.advertiseAddress';
  const init: ResolvedInitConfiguration = {
    ...read.init,
    bootstrapTokens: read.init.bootstrapTokens.map((token) => ({
      ...token,
      token: token.token ?? options.randomToken(),
    })),
    nodeRegistration: { ...node, taints: node.taints ?? [controlPlaneTaint] },
    localAPIEndpoint: {
      ...read.init.localAPIEndpoint,
      advertiseAddress: resolveAdvertiseAddress(advertiseAddress, host, { ...options, path }, findings),
    },
  };
  const version = resolveVersion(read.cluster.kubernetesVersion, options, findings);
  const versioned = { ...read.cluster, kubernetesVersion: version.version };
  const { cluster, skipPhases } =
    options.purpose === 'convert'
      ? { cluster: versioned, skipPhases: read.run.skipPhases }
      : skipAddons(versioned, read.run.skipPhases);
  findings.push(...errorsOf(validateInitConfiguration({ init, cluster })));
  const errors = errorsOf(findings);
  if (errors.length > 0) throw invalidConfiguration('the configuration on this host', errors);
  return {
    init,
    cluster,
    componentConfigs: read.componentConfigs,
    run: { ...read.run, skipPhases },
    ...imageSourceOf(cluster, version),
    warnings: findings,
  };
}

/** What a CI build changes. */
export function imageSourceOf(
  { imageRepository }: ClusterConfiguration,
  { version, ci }: { readonly version: string; readonly ci: boolean },
): Pick<ResolvedConfiguration, 'kubernetesImageRepository' | 'storedKubernetesVersion'> {
  return {
    kubernetesImageRepository: ci && imageRepository === defaultImageRepository ? ciImageRepository : imageRepository,
    storedKubernetesVersion: ci ? `ci/${version}` : version,
  };
}

/** The version that is asked for; a label stands for the one that was looked up, or else for the newest known. */
export function resolveVersion(
  requested: string,
  options: Pick<ResolveOptions, 'lookedUpVersion'>,
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
