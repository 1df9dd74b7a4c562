import { userKubeconfig } from '@groundplane/bootstrap';
import { goDurationMilliseconds } from '@groundplane/config';
import type { Finding } from '@groundplane/errors';
import { parseKubeconfig } from '@groundplane/kubeconfig';
import { chosenSigner } from '../chosen-signer.ts';
import { cliError } from '../error-codes.ts';
import { type Invocation, textFlag } from '../invocation.ts';
import { localPorts } from '../local-ports.ts';
import { nodeHost } from '../node-host.ts';
import { givenConfig } from '../read-config-file.ts';
import { printDocument, wantsDocument } from '../render/print-document.ts';
import { printWarnings } from '../render/warning-lines.ts';
import { certificateContext } from './certificate-context.ts';

/** kubeadm: constants.CertificateValidityPeriod */
const usualPeriod = '8760h0m0s';

/**
 * `kubeconfig user`: a kubeconfig on stdout. With `-o json` the kubeconfig is the document.
 *
 * @throws GroundplaneError CLI_FLAG_MANDATORY, CLI_FLAG_VALUE for a period that is over before it begins, those of the configuration and of `userKubeconfig`
 */
export async function makeUserKubeconfig(invocation: Invocation): Promise<void> {
  const clientName = textFlag(invocation, 'client-name');
  if (clientName === undefined) throw cliError('CLI_FLAG_MANDATORY', 'required flag(s) "client-name" not set');
  const token = textFlag(invocation, 'token') || undefined;
  if (clientName === '' && token === undefined)
    throw cliError(
      'CLI_FLAG_VALUE',
      'failure while creating  client certificate: unable to sign certificate: must specify a CommonName',
      { hint: 'Give the name of the user: --client-name NAME' },
    );
  const period = textFlag(invocation, 'validity-period') ?? usualPeriod;
  const validityMs = goDurationMilliseconds(period);
  if (validityMs <= 0 && token === undefined)
    throw cliError(
      'CLI_FLAG_VALUE',
      `Cannot make a certificate as it would be over before it begins: --validity-period=${period}`,
    );
  const node = await nodeHost(invocation);
  const { path, text: configText } = await givenConfig(invocation, node);
  let nodeName: string | undefined;
  const signer = await chosenSigner(invocation, { text: configText, node: () => nodeName });
  const ports = localPorts({ node, criSocket: () => '', signer });
  const organizations = invocation.flags.org;
  const { context, warnings } = await certificateContext({ node, ports, path, configText });
  nodeName = context.init.nodeRegistration.name;
  const made = await userKubeconfig({
    context,
    ports,
    clientName,
    organizations: Array.isArray(organizations) ? organizations : [],
    token,
    validityMs,
    now: new Date(),
  });
  printWarnings(invocation, [
    ...warnings,
    ...(validityMs > goDurationMilliseconds(usualPeriod) ? [longPeriod(period)] : []),
    ...made.warnings,
  ]);
  if (wantsDocument(invocation)) printDocument(invocation, { ...parseKubeconfig(made.kubeconfig) });
  // kubeadm ends it with an empty line.
  else invocation.output.stdout(`${made.kubeconfig}\n`);
}

function longPeriod(period: string): Finding {
  return {
    code: 'CLI_VALIDITY_PERIOD_LONG',
    severity: 'warning',
    artifact: '--validity-period',
    message: `the specified certificate validity period ${period} is longer than the default duration ${usualPeriod}, this may increase security risks.`,
  };
}
