import { tokenArtifact } from '@groundplane/bootstrap';
import type { ArtifactAction } from '@groundplane/phases';
import type { Invocation } from '../invocation.ts';
import { objectJournal } from './object-journal.ts';
import type { TokenCluster } from './token-cluster.ts';

/** Writes a change of one token into the journal of this node; never with more than its id. */
export type NoteToken = (id: string, action: ArtifactAction) => Promise<void>;

/** The journal for changes of tokens, see {@link objectJournal}. */
export function tokenJournal(invocation: Invocation, connected: TokenCluster): NoteToken {
  const note = objectJournal(invocation, connected);
  const { id: artifact, reference } = tokenArtifact;
  return (id, action) => note({ artifact, reference: reference(id), action });
}
