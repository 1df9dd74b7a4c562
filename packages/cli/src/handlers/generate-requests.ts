import { generateSigningRequests } from '@groundplane/bootstrap';
import type { Invocation } from '../invocation.ts';
import { printDocument, printText, wantsDocument } from '../render/print-document.ts';
import { printWarnings } from '../render/warning-lines.ts';
import { exchangeInput, inTurn } from './exchange-input.ts';

/**
 * `certs generate-csr`: keys and signing requests for everything, in kubeadm's words.
 *
 * @throws GroundplaneError BOOTSTRAP_REQUEST_IN_THE_WAY, those of the configuration
 */
export async function generateRequests(invocation: Invocation): Promise<void> {
  const { context, ports, warnings } = await exchangeInput(invocation);
  const made = await inTurn(invocation, () => generateSigningRequests(context, ports, new Date()));
  printWarnings(invocation, warnings);
  if (wantsDocument(invocation)) return printDocument(invocation, { generated: made });
  printText(
    invocation.output,
    made.flatMap(({ directory, names }) => [
      `generating keys and CSRs in ${directory}`,
      ...names.map((name) => `  ${name}`),
    ]),
  );
}
