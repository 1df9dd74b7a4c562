import { settingsOfNode } from '@groundplane/bootstrap';
import { readGroundplaneConfiguration } from '@groundplane/config';
import { systemClock } from '@groundplane/host';
import { cliError } from '../error-codes.ts';
import { type Invocation, textFlag } from '../invocation.ts';
import { journalOfNode, journalWarnings } from '../journal-of-node.ts';
import { type NodeHost, nodeHost } from '../node-host.ts';
import { type JournalSettings, ownProcess } from '../own-journal.ts';
import { namingFile, readConfigFile } from '../read-config-file.ts';
import { journalLines } from '../render/journal-lines.ts';
import { printDocument, printLines } from '../render/print-document.ts';
import { shownText } from '../render/shown-text.ts';
import { printWarnings } from '../render/warning-lines.ts';

/**
 * `journal`: what was made and removed on this node, oldest first. A journal that is not there has no entries.
 *
 * @throws GroundplaneError CLI_FILE_UNREADABLE if it cannot be read; those of a given configuration
 */
export async function printJournal(invocation: Invocation): Promise<void> {
  const node = await nodeHost(invocation);
  const found = await journalOfNode(node.host.files, await settingsFor(invocation, node));
  const { state, path, reason, journal } = found;
  if (state === 'unreadable')
    throw cliError('CLI_FILE_UNREADABLE', `Cannot read the journal: ${reason}`, {
      hint: 'It is kept by root, who alone may read it',
      details: { path },
    });
  const { entries = [], damagedLines = 0, isCut = false } = journal ?? {};
  const warning = (message: string) => ({
    code: 'CLI_JOURNAL_INCOMPLETE',
    severity: 'warning' as const,
    artifact: path ?? 'journal',
    message,
  });
  const warnings = [
    ...(state === 'disabled' ? [warning('No journal is kept, as the settings of the node say')] : []),
    ...(state === 'absent' ? [warning(`There is no journal at ${path}`)] : []),
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
      invocation.output.stdout(
        journalLines(entries)
          .map((line) => `${shownText(line)}\n`)
          .join(''),
      );
  }
}

/** Where the journal is: as a file says, or else as the cluster does. */
async function settingsFor(invocation: Invocation, node: NodeHost): Promise<JournalSettings | undefined> {
  const path = textFlag(invocation, 'config') || undefined;
  if (path !== undefined) {
    const text = await readConfigFile(node, path);
    return namingFile(path, async () => readGroundplaneConfiguration(text));
  }
  if (ownProcess().environment.GROUNDPLANE_STATE_DIR) return undefined;
  const { kubernetesClusters } = await import('@groundplane/cluster');
  const clusters = kubernetesClusters({ clock: systemClock() });
  return (await settingsOfNode({ host: node.host, clusters })).groundplane;
}
