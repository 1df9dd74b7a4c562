import { storedSettings } from '@groundplane/bootstrap';
import type { Finding } from '@groundplane/errors';
import { type ArtifactAction, formatLocation, type ObjectReference } from '@groundplane/phases';
import type { Invocation } from '../invocation.ts';
import { nodeJournal } from '../node-journal.ts';
import { type JournalSettings, journalPath } from '../own-journal.ts';
import { ownProcess } from '../own-process.ts';
import { printWarnings } from '../render/warning-lines.ts';
import type { TokenCluster } from './token-cluster.ts';

/** A change of an object that no phase has made. */
export interface ObjectNote {
  readonly artifact: string;
  readonly reference: ObjectReference;
  readonly action: ArtifactAction;
}

/**
 * The journal for changes of objects by a command. It is kept where a node keeps it, so not for users on other machines. That it cannot be
 * written is told and keeps nobody from what was asked for.
 */
export function objectJournal(
  invocation: Invocation,
  { node, cluster }: Pick<TokenCluster, 'node' | 'cluster'>,
): (note: ObjectNote) => Promise<void> {
  const owner = ownProcess();
  const isKept = owner.uid === 0 || Boolean(owner.environment.GROUNDPLANE_STATE_DIR);
  if (invocation.flags['dry-run'] === true || !isKept) return async () => {};
  // Asked when something has changed: then the API server answers.
  let journal: Promise<ReturnType<typeof nodeJournal>> | undefined;
  const warn = (finding: Finding) => printWarnings(invocation, [finding]);
  return async ({ artifact, reference, action }) => {
    journal ??= settingsOf(cluster).then((settings) =>
      nodeJournal(invocation, { node, path: journalPath(settings, owner), warn }),
    );
    await (await journal)({ artifact, location: formatLocation({ kind: 'object', reference }), action });
  };
}

/** Nothing more than where the journal is depends on it. */
async function settingsOf(cluster: TokenCluster['cluster']): Promise<JournalSettings | undefined> {
  try {
    return (await storedSettings(cluster)).groundplane;
  } catch {
    return undefined;
  }
}
