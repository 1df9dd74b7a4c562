import {
  defaultJournalPath,
  type GroundplaneConfiguration,
  reasonAgainstJournalPath,
  type TakenPlace,
  takenPlaces,
} from '@groundplane/config';
import { joinPath } from '@groundplane/controlplane';
import { isGroundplaneError } from '@groundplane/errors';
import { earlierJournal, type Files, isJournal, journalLimit, type Layout } from '@groundplane/phases';
import { bootstrapError } from './error-codes.ts';

/**
 * Refuses a place for the journal at which something else is, or is going to be, as nothing has been written yet. Of what the user may
 * not look at nothing is known here; what is no journal is not written to anyway.
 *
 * @param groundplane what a file said on this machine; what a cluster keeps must not keep a node from its work
 * @throws GroundplaneError BOOTSTRAP_JOURNAL_REFUSED
 */
export async function requireJournalPlace(
  groundplane: GroundplaneConfiguration | undefined,
  { files, layout }: { readonly files: Files; readonly layout: Layout },
): Promise<void> {
  const { path, disabled } = groundplane?.journal ?? {};
  if (path === undefined || disabled === true) return;
  const reason = await known(() => reasonAgainst(path, files, placesIn(layout)));
  if (reason === undefined) return;
  const message = `Cannot use journal.path as ${reason}: ${path}`;
  const hint = `Name a file of its own, such as ${defaultJournalPath}`;
  throw bootstrapError('BOOTSTRAP_JOURNAL_REFUSED', message, {
    hint,
    findings: [{ code: 'BOOTSTRAP_JOURNAL_REFUSED', severity: 'error', artifact: 'journal.path', message, hint }],
  });
}

function placesIn(layout: Layout): readonly TakenPlace[] {
  return Object.values(layout)
    .filter((value): value is string => typeof value === 'string' && value.startsWith('/'))
    .map((path) => ({ path, use: 'is used by Kubernetes on this node' }));
}

async function reasonAgainst(path: string, files: Files, places: readonly TakenPlace[]): Promise<string | undefined> {
  const named = reasonAgainstJournalPath(path, places);
  if (named !== undefined) return named;
  const real = await realPlace(files, path);
  if (real === undefined) return 'it is a symbolic link, or below one, that leads nowhere';
  // Folders of Kubernetes may be links as well.
  const resolved = await Promise.all(
    [...takenPlaces, ...places].map(async (place) => ({
      ...place,
      path: (await known(() => realPlace(files, place.path))) ?? place.path,
    })),
  );
  const followed = reasonAgainstJournalPath(real, [...places, ...resolved]);
  if (followed !== undefined) return `symbolic links lead to ${real}, and ${followed}`;
  for (const each of [path, earlierJournal(path)]) {
    const found = await whatIsAt(files, each);
    if (found !== undefined) return each === path ? found : `it would be set aside as ${each}, but ${found}`;
  }
  return undefined;
}

/** The path with the links that are there followed, however much of it is there; undefined if one leads nowhere. */
async function realPlace(files: Files, path: string): Promise<string | undefined> {
  for (let folder = joinPath(path); folder !== '/'; folder = joinPath(folder, '..')) {
    if ((await files.status(folder, { followLinks: false })) === undefined) continue;
    if ((await files.status(folder)) === undefined) return undefined;
    return joinPath((await files.realPath(folder)) ?? folder, joinPath(path).slice(folder.length));
  }
  return joinPath(path);
}

/** What is in the way of a journal, to follow "as". */
async function whatIsAt(files: Files, path: string): Promise<string | undefined> {
  const status = await files.status(path);
  if (status === undefined) return undefined;
  if (status.kind === 'directory') return 'there is a directory';
  if (status.kind !== 'file') return 'what is there is no regular file';
  const foreign = 'what is there is no journal: its first line is no entry of one';
  // A journal is set aside long before.
  if (status.size > 2 * journalLimit) return foreign;
  const content = await files.read(path);
  return content === undefined || isJournal(content.bytes) ? undefined : foreign;
}

/** What can be found out; of what the user may not read nothing is known. */
async function known<T>(ask: () => Promise<T>): Promise<T | undefined> {
  try {
    return await ask();
  } catch (thrown) {
    if (isGroundplaneError(thrown) && thrown.kind !== 'internal') return undefined;
    throw thrown;
  }
}
