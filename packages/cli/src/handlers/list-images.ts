import type { Invocation } from '../invocation.ts';
import { nodeHost } from '../node-host.ts';
import { objectPrinter } from '../render/object-printer.ts';
import { controlPlaneImages } from './images.ts';

/**
 * `config images list`: one image a line, or the object of kubeadm's output API.
 *
 * @throws GroundplaneError CLI_FLAG_VALUE for a format that does not exist, and as {@link controlPlaneImages}
 */
export async function listImages(invocation: Invocation): Promise<void> {
  const node = await nodeHost(invocation);
  const print = await objectPrinter(invocation, node, { subject: 'images', type: 'config-images-list' });
  const { images } = await controlPlaneImages(invocation, node);
  const object = { kind: 'Images', apiVersion: 'output.kubeadm.k8s.io/v1alpha3', images };
  invocation.output.stdout(print(object, () => `${images.join('\n')}\n`));
}
