import { type FlagValues, imagesConfiguration } from '@groundplane/config';
import { imageReferences } from '@groundplane/controlplane';
import { type Invocation, textFlag } from '../invocation.ts';
import type { NodeHost } from '../node-host.ts';
import { namingFile, readConfigFile } from '../read-config-file.ts';
import { printWarnings } from '../render/warning-lines.ts';
import { hostFacts } from './config-command.ts';

/** What an images command was told: a configuration file, beside which the flags do not count, or flags. */
interface ImagesSource {
  /** The file as it was named. */
  readonly path?: string;
  readonly text?: string;
  /** As they were given; with a file they are only held to their syntax, as kubeadm does. */
  readonly flags: FlagValues;
}

const flagNames = ['kubernetes-version', 'image-repository', 'feature-gates', 'cri-socket'];

/** @throws GroundplaneError CLI_FILE_UNREADABLE */
async function imagesSource(invocation: Invocation, node: NodeHost): Promise<ImagesSource> {
  const flags = Object.fromEntries(Object.entries(invocation.flags).filter(([name]) => flagNames.includes(name)));
  const path = textFlag(invocation, 'config') ?? '';
  return path === '' ? { flags } : { path, text: await readConfigFile(node, path), flags };
}

export interface ControlPlaneImages {
  /** In kubeadm's order. */
  readonly images: readonly string[];
  /** URL of the container runtime's socket: the configured one, the one that answers if it is looked for, or the default. */
  readonly criSocket: string;
}

/**
 * The images of the control plane and, for who pulls them, the container runtime.
 *
 * @throws GroundplaneError of the configuration, CLI_FILE_UNREADABLE
 */
export async function controlPlaneImages(
  invocation: Invocation,
  node: NodeHost,
  { detectCriSocket = false } = {},
): Promise<ControlPlaneImages> {
  const [{ path, text, flags }, host] = await Promise.all([
    imagesSource(invocation, node),
    hostFacts(node, { sockets: detectCriSocket }),
  ]);
  const { cluster, kubernetesImageRepository, criSocket, warnings } = await namingFile(path, () =>
    imagesConfiguration(text, { flags, host, detectCriSocket }),
  );
  printWarnings(invocation, warnings);
  const { etcd, dns, proxy, imageRepository, kubernetesVersion } = cluster;
  const ciImageRepository = kubernetesImageRepository === imageRepository ? '' : kubernetesImageRepository;
  const images = imageReferences({ etcd, dns, proxy, imageRepository, ciImageRepository, kubernetesVersion });
  return { images, criSocket };
}
