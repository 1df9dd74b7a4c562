import { webCryptoSigner } from '@groundplane/bootstrap';
import { messageOf } from '@groundplane/errors';
import { cliError } from '../error-codes.ts';
import type { Invocation } from '../invocation.ts';
import { localPorts } from '../local-ports.ts';
import { nodeHost } from '../node-host.ts';
import { failedDocument, printDocument, printEvent, wantsDocument } from '../render/print-document.ts';
import { controlPlaneImages } from './images.ts';

/**
 * `config images pull`: one image after another, whatever the pull policy; ends at the first that fails.
 *
 * @throws GroundplaneError CLI_PULL_FAILED, and as {@link controlPlaneImages}
 */
export async function pullImages(invocation: Invocation): Promise<void> {
  const { output, flags } = invocation;
  const node = await nodeHost(invocation);
  const { images, criSocket } = await controlPlaneImages(invocation, node, { detectCriSocket: true });
  const { runtime } = localPorts({ node, criSocket: () => criSocket, signer: webCryptoSigner() });
  const pulled: string[] = [];
  for (const image of images) {
    try {
      await runtime.pullImage(image);
    } catch (thrown) {
      const failure = cliError(
        'CLI_PULL_FAILED',
        `failed to pull image ${JSON.stringify(image)}: ${messageOf(thrown)}`,
        {
          cause: thrown,
          details: { image, pulled },
        },
      );
      throw failedDocument(invocation, { pulled, failed: image }, failure);
    }
    pulled.push(image);
    if (flags.output === 'jsonl') printEvent(output, { type: 'pulled', image });
    else if (!wantsDocument(invocation)) output.stdout(`[config/images] Pulled ${image}\n`);
  }
  if (wantsDocument(invocation)) printDocument(invocation, { pulled });
}
