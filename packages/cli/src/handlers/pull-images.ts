import { resolveInit, webCryptoSigner } from '@groundplane/bootstrap';
import { messageOf } from '@groundplane/errors';
import { cliError } from '../error-codes.ts';
import type { Invocation } from '../invocation.ts';
import { localPorts } from '../local-ports.ts';
import { nodeHost } from '../node-host.ts';
import { namingFile } from '../read-config-file.ts';
import { ReportedError } from '../reported-error.ts';
import { printDocument } from './config-command.ts';
import { controlPlaneImages, imagesSource } from './images.ts';

/** The phase whose command asks the machine for the container runtime and nothing else. */
const command = 'init phase preflight';

/**
 * `config images pull`: one image after another, whatever the pull policy; ends at the first that fails.
 *
 * @throws GroundplaneError CLI_PULL_FAILED, and as {@link controlPlaneImages}
 */
export async function pullImages(invocation: Invocation): Promise<void> {
  const { output, flags } = invocation;
  const node = await nodeHost(invocation);
  const images = await controlPlaneImages(invocation, node);
  const { path, text, flags: given } = await imagesSource(invocation, node);
  let criSocket = '';
  const ports = localPorts({ node, criSocket: () => criSocket, signer: webCryptoSigner() });
  const { context } = await namingFile(path, () =>
    resolveInit({ configText: text, flags: text === undefined ? given : {}, ports, command }),
  );
  criSocket = context.init.nodeRegistration.criSocket;

  const pulled: string[] = [];
  for (const image of images) {
    try {
      await ports.runtime.pullImage(image);
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
