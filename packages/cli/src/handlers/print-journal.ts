import { settingsOfNode } from '@groundplane/bootstrap';
import { readGroundplaneConfiguration } from '@groundplane/config';
import { systemClock } from '@groundplane/host';
import { cliError } from '../error-codes.ts';
import type { Invocation } from '../invocation.ts';
import { incompleteJournal, journalOfNode, journalWarnings } from '../journal-of-node.ts';
import { type NodeHost, nodeHost } from '../node-host.ts';
import type { JournalSettings } from '../own-journal.ts';
import { ownProcess } from '../own-process.ts';
import { givenConfig, namingFile } from '../read-config-file.ts';
import { journalLines } from '../render/journal-lines.ts';
import { printDocument, printLines, printText } from '../render/print-document.ts';
import { printWarnings } from '../render/warning-lines.ts';

/**
 * `journal`: what was made and removed on this node, oldest first. Where there is no journal nothing was written yet, which is no
 * reason to warn; one that is closed to who asks is unknown.
 *
 * @throws GroundplaneError CLI_JOURNAL_UNREADABLE if it cannot be read; CLI_FILE_UNREADABLE; those of a given configuration
 */
export async function printJournal(invocation: Invocation): Promise<void> {
  const node = await nodeHost(invocation);
  const found = await journalOfNode(node.host.files, await settingsFor(invocation, node));
  const { state, path, reason, cause, journal } = found;
  if (state === 'unreadable')
    throw cliError('CLI_JOURNAL_UNREADABLE', `Cannot tell what the journal of this node says: ${reason}`, {
      hint: cause?.hint ?? 'It is kept by root, who alone may read it',
      details: { path },
      cause,
    });
  const { entries = [], damagedLines = 0, isCut = false } = journal ?? {};
  const warnings = [
    ...(state === 'disabled' ? [incompleteJournal(found, 'No journal is kept, as the settings of the node say')] : []),
    ...journalWarnings(found),
  ];
  switch (invocation.flags.output) {
    case 'json':
      return printDocument(invocation, {
        state,
        ...(path === undefined ? {} : { path }),
        isCut,
        damagedLines,
        entries,
        warnings,
      });
    case 'jsonl':
      printWarnings(invocation, warnings);
      return printLines(
        invocation.output,
        entries.map((entry) => ({ type: 'journal-entry', ...entry })),
      );
    default:
      printWarnings(invocation, warnings);
      if (state === 'absent')
        invocation.output.stderr(`Nothing was written to the journal of this node yet: ${path}\n`);
      printText(invocation.output, journalLines(entries));
  }
}

/** Where the journal is: as a file says, or else as the cluster does. */
async function settingsFor(invocation: Invocation, node: NodeHost): Promise<JournalSettings | undefined> {
  const { path, text } = await givenConfig(invocation, node);
  if (text !== undefined) return namingFile(path, () => readGroundplaneConfiguration(text));
  if (ownProcess().environment.GROUNDPLANE_STATE_DIR) return undefined;
  const { kubernetesClusters } = await import('@groundplane/cluster');
  const clusters = kubernetesClusters({ clock: systemClock() });
  return (await settingsOfNode({ host: node.host, clusters })).groundplane;
}
