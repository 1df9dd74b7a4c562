import { deleteToken } from '@groundplane/bootstrap';
import { isToken, isTokenId } from '@groundplane/discovery';
import { cliError } from '../error-codes.ts';
import type { Invocation } from '../invocation.ts';
import { printDocument, wantsDocument } from '../render/print-document.ts';
import { tokenCluster } from '../tokens/token-cluster.ts';
import { tokenJournal } from '../tokens/token-journal.ts';

const forms = 'given as id [a-z0-9]{6} or as a whole token [a-z0-9]{6}.[a-z0-9]{16}';

/**
 * `token delete`. What is no token is refused before anything is deleted, unlike in kubeadm.
 *
 * @throws GroundplaneError CLI_ARGUMENT_INVALID; those of `deleteToken`, at which it stops
 */
export async function deleteTokens(invocation: Invocation): Promise<void> {
  const { words, output } = invocation;
  if (words.length === 0) {
    throw cliError('CLI_ARGUMENT_INVALID', `missing argument; 'token delete' is missing token ${forms}`);
  }
  for (const [index, word] of words.entries()) {
    if (isTokenId(word) || isToken(word)) continue;
    // The text may hold a secret, so its position is named.
    throw cliError('CLI_ARGUMENT_INVALID', `given token didn't match pattern: argument ${index + 1} must be ${forms}`);
  }
  const connected = await tokenCluster(invocation, 10_000);
  const note = tokenJournal(invocation, connected);
  const deleted: string[] = [];
  for (const word of words) {
    const id = await deleteToken(connected.cluster, word);
    await note(id, 'removed');
    deleted.push(id);
    if (!wantsDocument(invocation)) output.stdout(`bootstrap token "${id}" deleted\n`);
  }
  if (wantsDocument(invocation)) printDocument(invocation, { deleted });
}
