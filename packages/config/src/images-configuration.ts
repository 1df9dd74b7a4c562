import type { Finding } from '@groundplane/errors';
import type { ClusterConfiguration } from './configuration-types.ts';
import { isFeatureGateProblem, parseFeatureGates } from './feature-gates.ts';
import { invalidConfiguration, problemFinding } from './findings.ts';
import type { FlagValues } from './flag.ts';
import { readDocuments } from './read-documents.ts';
import { readInitDocuments } from './read-init-documents.ts';
import { resolveInitConfiguration } from './resolve-configuration.ts';
import type { HostFacts } from './resolve-node.ts';

/** What the images of a cluster follow from. */
export interface ImagesConfiguration {
  /** With its version resolved. */
  readonly cluster: ClusterConfiguration;
  /** Repository of the images that carry the Kubernetes version. */
  readonly kubernetesImageRepository: string;
  /** URL of the container runtime's socket, for `config images pull`. */
  readonly criSocket: string;
  readonly warnings: readonly Finding[];
}

export interface ImagesConfigurationOptions {
  /** As typed: kubernetes-version, image-repository, feature-gates, cri-socket. With a file only their form counts. */
  readonly flags?: FlagValues;
  readonly host: HostFacts;
  /** True for `config images pull`, which talks to the runtime: the socket that answers is taken. @default false */
  readonly detectCriSocket?: boolean;
  /** The version that a label stands for, if the caller has looked it up. */
  readonly lookedUpVersion?: string;
}

/**
 * Reads the configuration of `config images list` and `pull`: that of a file, or of flags. Flags beside a file have no
 * effect, as with kubeadm (cmd/config.go), which does not refuse them either.
 *
 * @throws GroundplaneError of kind usage, as readInitConfiguration
 */
export function imagesConfiguration(
  text: string | undefined,
  { flags = {}, host, detectCriSocket = false, lookedUpVersion }: ImagesConfigurationOptions,
): ImagesConfiguration {
  const gates = parseFeatureGates(String(flags['feature-gates'] ?? ''));
  if (isFeatureGateProblem(gates)) {
    throw invalidConfiguration('the flags', [problemFinding({ ...gates, path: '--feature-gates' })]);
  }
  const read = readInitDocuments(text === undefined ? undefined : readDocuments(text), {
    flags: text === undefined ? flags : {},
    checkIgnored: false,
  });
  const { init, cluster, kubernetesImageRepository, warnings } = resolveInitConfiguration(read, host, {
    purpose: 'convert',
    detectCriSocket,
    // Images need no token, so the one that would be made is not.
    randomToken: () => 'abcdef.0123456789abcdef',
    ...(lookedUpVersion !== undefined && { lookedUpVersion }),
  });
  return {
    cluster,
    kubernetesImageRepository,
    criSocket: init.nodeRegistration.criSocket,
    // No image follows from the address.
    warnings: warnings.filter(({ code }) => code !== 'CONFIG_ADDRESS_ASSUMED'),
  };
}
