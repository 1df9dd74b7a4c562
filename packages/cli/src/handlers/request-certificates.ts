import { type RequestedCertificate, requestCertificates } from '@groundplane/bootstrap';
import { cliError } from '../error-codes.ts';
import { givenFlags } from '../given-flags.ts';
import { type Invocation, textFlag } from '../invocation.ts';
import { pathFlag } from '../node-host.ts';
import { printDocument, printText, wantsDocument } from '../render/print-document.ts';
import { requestLines } from '../render/request-lines.ts';
import { printWarnings } from '../render/warning-lines.ts';
import { type ExchangeTurn, exchangeInput, inTurn } from './exchange-input.ts';

/**
 * `certs requests`: what the node needs from CAs whose keys are kept elsewhere, with keys and signing requests for it. It ends with 0 whatever
 * is needed.
 *
 * @throws GroundplaneError CLI_FLAG_VALUE, those of the configuration and of `requestCertificates`
 */
export async function requestCertificatesCommand(invocation: Invocation): Promise<void> {
  const [endpoint] = invocation.words;
  if (endpoint !== undefined && textFlag(invocation, 'workflow') !== 'join')
    throw cliError('CLI_ARGUMENT_INVALID', `Cannot use ${endpoint} as an API server is named for a worker alone`, {
      hint: 'Give --workflow join as well',
    });
  const given = await exchangeInput(invocation, { endpoint });
  const { node, context, ports, authorities, role, warnings } = given;
  const dryRun = invocation.flags['dry-run'] === true;
  const ask = (turn?: ExchangeTurn) =>
    requestCertificates({
      ...turn,
      context,
      ports,
      authorities,
      role,
      requestsDirectory: pathFlag(invocation, node, 'output-dir'),
      dryRun,
      now: new Date(),
    });
  const requested = await (dryRun ? ask() : inTurn(invocation, given, ask));
  const needed = requested.filter(({ need }) => need.state !== 'valid');
  const { certificatesDir } = context.cluster;
  if (wantsDocument(invocation))
    return printDocument(invocation, {
      dryRun,
      certificatesDir,
      valid: requested.length - needed.length,
      needed: needed.map(entryOf),
      warnings,
    });
  printWarnings(invocation, warnings);
  printText(invocation.output, requestLines(requested, { dryRun, certificatesDir, flags: givenFlags(invocation) }));
}

function entryOf({ need, key, request }: RequestedCertificate) {
  const { name, kind, place, keyPlace, authority, authorityPlace, phases, usedBy, demand, state, findings } = need;
  return {
    name,
    kind,
    state,
    place,
    ...(keyPlace === undefined ? {} : { keyPlace }),
    ...(key === undefined ? {} : { key }),
    ...(authority === undefined ? {} : { authority, authorityPlace }),
    phases,
    usedBy,
    ...(demand === undefined ? {} : { certificate: demand }),
    ...(request === undefined ? {} : { request }),
    findings,
  };
}
