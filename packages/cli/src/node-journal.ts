import { type Finding, messageOf } from '@groundplane/errors';
import { type JournalEntry, openJournal } from '@groundplane/phases';
import type { Invocation } from './invocation.ts';
import type { NodeHost } from './node-host.ts';
import { actorOf, callingUser } from './own-journal.ts';

/** What a command that is no run of phases has to say; its words stand where runs have workflow and phase. */
export type JournalNote = Pick<JournalEntry, 'artifact' | 'location' | 'action' | 'digest'>;

export interface NodeJournalOptions {
  readonly node: Pick<NodeHost, 'host'>;
  /** Undefined where none is kept. */
  readonly path: string | undefined;
  /** Told once if the journal cannot be written, which keeps nobody from what was asked for. */
  readonly warn: (finding: Finding) => void;
}

/** Writes into the journal of this node what a command like `certs import` or `token create` has done. */
export function nodeJournal(
  invocation: Pick<Invocation, 'program' | 'release' | 'path'>,
  { node, path, warn }: NodeJournalOptions,
): (note: JournalNote) => Promise<void> {
  if (path === undefined) return async () => {};
  const [workflow = '', phase = ''] = invocation.path;
  const journal = openJournal(node.host.files, path);
  let isTold = false;
  return async (note) => {
    const caller = { time: new Date().toISOString(), actor: actorOf(invocation), user: callingUser() };
    try {
      await journal.append({ ...caller, workflow, phase, ...note });
    } catch (thrown) {
      if (isTold) return;
      isTold = true;
      const message = `Cannot write to the journal ${path}: ${messageOf(thrown)}`;
      warn({ code: 'PHASES_JOURNAL_UNWRITABLE', severity: 'warning', artifact: path, message });
    }
  };
}
