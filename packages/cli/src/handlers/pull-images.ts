import { webCryptoSigner } from '@groundplane/bootstrap';
import { messageOf } from '@groundplane/errors';
import { cliError } from '../error-codes.ts';
import type { Invocation } from '../invocation.ts';
import { localPorts } from '../local-ports.ts';
import { nodeHost } from '../node-host.ts';
import { ReportedError } from '../reported-error.ts';
import { printDocument } from './config-command.ts';
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
      if (flags.output !== 'json') throw failure;
      printDocument(invocation, { pulled, failed: image });
      throw new ReportedError(failure);
    }
    pulled.push(image);
    if (flags.output === 'jsonl') output.stdout(`${JSON.stringify({ type: 'pulled', image })}\n`);
    else if (flags.output !== 'json') output.stdout(`[config/images] Pulled ${image}\n`);
  }
  if (flags.output === 'json') printDocument(invocation, { pulled });
}
