import { type Finding, type GroundplaneError, isGroundplaneError, messageOf } from '@groundplane/errors';
import { type Files, type ReadJournal, readJournal } from '@groundplane/phases';
import { type JournalSettings, journalPath } from './own-journal.ts';
import { ownProcess } from './own-process.ts';

/** The journal of a node, as whoever asks finds it. */
export interface JournalOfNode {
  /** `read` · `absent` there is none · `unreadable` it cannot be read · `disabled` none is kept. */
  readonly state: 'read' | 'absent' | 'unreadable' | 'disabled';
  /** Where it is, or would be. */
  readonly path?: string;
  /** Why it is unreadable. */
  readonly reason?: string;
  /** What was thrown then. */
  readonly cause?: GroundplaneError;
  readonly journal?: ReadJournal;
}

/** Reads the journal that root's commands keep on this node, whoever asks. */
export async function journalOfNode(files: Files, settings: JournalSettings | undefined): Promise<JournalOfNode> {
  const path = journalPath(settings, { ...ownProcess(), uid: 0 });
  if (path === undefined) return { state: 'disabled' };
  try {
    const journal = await readJournal(files, path);
    return journal === undefined ? { state: 'absent', path } : { state: 'read', path, journal };
  } catch (thrown) {
    if (!isGroundplaneError(thrown)) throw thrown;
    return { state: 'unreadable', path, reason: messageOf(thrown), cause: thrown };
  }
}

/** The warning that a journal does not tell all. */
export function incompleteJournal({ path = 'journal' }: Pick<JournalOfNode, 'path'>, message: string): Finding {
  return { code: 'CLI_JOURNAL_INCOMPLETE', severity: 'warning', artifact: path, message };
}

/** What a journal that is there does not say, as warnings. */
export function journalWarnings(found: JournalOfNode): readonly Finding[] {
  const { path = 'journal', journal } = found;
  const { damagedLines = 0 } = journal ?? {};
  if (damagedLines === 0) return [];
  const lines = damagedLines === 1 ? '1 line' : `${damagedLines} lines`;
  const message = `${lines} of ${path} cannot be read and ${damagedLines === 1 ? 'is' : 'are'} left out`;
  return [incompleteJournal(found, message)];
}
