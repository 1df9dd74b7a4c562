import { nodeStatus, webCryptoSigner } from '@groundplane/bootstrap';
import { type GroundplaneConfiguration, knownCriSockets } from '@groundplane/config';
import { cliError } from '../error-codes.ts';
import { workFound } from '../exit-code.ts';
import { type Invocation, textFlag } from '../invocation.ts';
import { type JournalOfNode, journalOfNode, journalWarnings } from '../journal-of-node.ts';
import { localPorts } from '../local-ports.ts';
import { nodeHost } from '../node-host.ts';
import { orphanWarnings } from '../plugins/orphan-warnings.ts';
import { extensionForLooking } from '../plugins/with-plugins.ts';
import { givenConfig, namingFile } from '../read-config-file.ts';
import { failedDocument, printDocument, printText, wantsDocument } from '../render/print-document.ts';
import { statusLines } from '../render/status-lines.ts';
import { printWarnings } from '../render/warning-lines.ts';

/**
 * `status`: how far this machine is as a node, from what is on it and in the cluster. It says so with exit code 0, whatever it is; with
 * `--exit-code` only for a finished node, and else with 5.
 *
 * @throws GroundplaneError those of a given configuration; with `--exit-code` CLI_STATUS_UNKNOWN if it cannot be told
 */
export async function printStatus(invocation: Invocation): Promise<void> {
  const node = await nodeHost(invocation);
  const { path, text: configText } = await givenConfig(invocation, node);
  let criSocket: string = knownCriSockets[0];
  let settings: GroundplaneConfiguration | undefined;
  let found: JournalOfNode | undefined;
  const { extend, findings: pluginFindings } = extensionForLooking();
  const look = async () => {
    found ??= await journalOfNode(node.host.files, settings);
    return found;
  };
  const status = await namingFile(path, () =>
    nodeStatus({
      ports: localPorts({ node, criSocket: () => criSocket, signer: webCryptoSigner() }),
      configText,
      configFile: path,
      rootDirectory: textFlag(invocation, 'rootfs') || undefined,
      workingDirectory: node.absolute('.'),
      signal: invocation.signal,
      onConfiguration({ init, groundplane }) {
        criSocket = init.nodeRegistration.criSocket || criSocket;
        settings = groundplane;
      },
      readJournal: async () => (await look()).journal,
      extend,
    }),
  );
  const looked = await look();
  const { journal, cause: _, ...place } = looked;
  const counts = journal && { entries: journal.entries.length, damagedLines: journal.damagedLines };
  const orphans = await orphanWarnings(journal, extend);
  const warnings = [...status.warnings, ...pluginFindings, ...journalWarnings(looked), ...orphans];
  const document = { ...status, warnings, journal: { ...place, ...counts } };
  const failure =
    invocation.flags['exit-code'] === true && status.state === 'unknown'
      ? cliError('CLI_STATUS_UNKNOWN', 'Cannot tell whether this is a finished node as not all can be looked at', {
          hint: 'Ask as root, and where the API server answers',
        })
      : undefined;
  if (wantsDocument(invocation)) {
    if (failure !== undefined) throw failedDocument(invocation, document, failure);
    printDocument(invocation, document);
  } else {
    printWarnings(invocation, warnings);
    printText(invocation.output, statusLines(document, invocation.program));
    if (failure !== undefined) throw failure;
  }
  if (invocation.flags['exit-code'] === true && status.state !== 'complete') process.exitCode = workFound;
}
