import type { JournalEntry, JournalUser } from '@groundplane/phases';

/** How much of a digest people look at. */
const digestLength = 'sha256:'.length + 12;

/** Entries for people, in columns: when, who, which phase, what was done to what, digest, and who certified it where somebody else did. */
export function journalLines(entries: readonly JournalEntry[]): readonly string[] {
  if (entries.length === 0) return [];
  const hasSigners = entries.some(({ signer }) => signer !== undefined);
  const rows = [
    ['TIME', 'USER', 'PHASE', 'ACTION', 'LOCATION', 'DIGEST', ...(hasSigners ? ['SIGNER'] : [])],
    ...entries.map(({ time, user, workflow, phase, action, location, digest, signer = '' }) => [
      time,
      userText(user),
      `${workflow}/${phase}`,
      action,
      location,
      digest?.slice(0, digestLength) ?? '',
      ...(hasSigners ? [signer] : []),
    ]),
  ];
  const widths = rows[0]?.map((_, column) => Math.max(...rows.map((row) => row[column]?.length ?? 0))) ?? [];
  return rows.map((row) =>
    row
      .map((cell, column) => cell.padEnd(widths[column] ?? 0))
      .join('  ')
      .trimEnd(),
  );
}

/** `root`, `root (sudo: jane)`, `uid 1000`. */
export function userText(user: JournalUser | undefined): string {
  if (user === undefined) return '';
  const nameOf = ({ uid, name }: { readonly uid: number; readonly name?: string }) => name ?? `uid ${uid}`;
  const { sudo, loginUid, uid } = user;
  if (sudo !== undefined) return `${nameOf(user)} (sudo: ${nameOf(sudo)})`;
  return loginUid === undefined || loginUid === uid ? nameOf(user) : `${nameOf(user)} (login: uid ${loginUid})`;
}
