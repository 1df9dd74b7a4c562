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
  const given = await exchangeInput(invocation);
  const { context, ports, warnings } = given;
  const made = await inTurn(invocation, given, (turn) =>
    generateSigningRequests({ context, ports, ...turn, now: new Date() }),
  );
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
