import { phasesError } from './error-codes.ts';
import type { ArtifactAction } from './events.ts';
import type { Files } from './ports.ts';

/** Somebody who called a program. */
export interface JournalUser {
  /** The user id that it ran as. */
  readonly uid: number;
  readonly name?: string;
  /** On whose behalf, as sudo says it in the environment, where anybody can say it. */
  readonly sudo?: { readonly uid: number; readonly name?: string };
  /** The user id that logged in, as the kernel has it (/proc/self/loginuid); it survives sudo and su. */
  readonly loginUid?: number;
}

/** One line of the journal: who made what, when, with which digest. For people and for audit; nothing depends on it. */
export interface JournalEntry {
  /** RFC 3339, UTC. */
  readonly time: string;
  /** Program, version and process: `groundplane 0.1.0 (pid 12)`. */
  readonly actor: string;
  /** Who called it, where that is known. */
  readonly user?: JournalUser;
  readonly workflow: string;
  readonly phase: string;
  readonly artifact: string;
  readonly location: string;
  readonly action: ArtifactAction;
  /**
   * `sha256:<hex>` of the bytes of a file, or of the object as it was asked for. Absent for directories, for what was removed, for
   * changes of a part, and for secrets that could be guessed: tokens.
   */
  readonly digest?: string;
  /** Name of the signer that certified it, where it is not this program itself. */
  readonly signer?: string;
}

/** How large a journal may become, in bytes: some 25,000 entries. Then it is set aside, in place of the one before it. */
export const journalLimit = 8 * 1024 * 1024;

/** Where a journal is that has become too large. */
export function earlierJournal(path: string): string {
  return `${path}.1`;
}

/** A journal that is being written. */
export interface Journal {
  /**
   * Appends an entry as one JSON line, after those that were given before.
   *
   * @throws GroundplaneError PHASES_JOURNAL_FOREIGN if what is there is no journal; what the Files port throws
   */
  append(entry: JournalEntry): Promise<void>;
}

/**
 * Opens a journal for writing; nothing is done before the first entry. That one sets aside what has become too large, and ends a line
 * that a crash cut short. What is no journal is neither written to nor set aside or replaced. Who writes has the node's lock, or appends a line or two at most: a line of another process is not lost
 * unless it comes between the two steps of setting aside.
 */
export function openJournal(
  files: Files,
  path: string,
  { limit = journalLimit }: { readonly limit?: number } = {},
): Journal {
  const mode = { mode: 0o600 };
  let last: Promise<void> = Promise.resolve();
  let begun = false;
  const begin = async (): Promise<string> => {
    const content = await files.read(path);
    if (content === undefined || content.bytes.length === 0) return '';
    requireJournal(path, content.bytes);
    if (content.bytes.length >= limit) {
      const earlier = await files.read(earlierJournal(path));
      if (earlier !== undefined) requireJournal(earlierJournal(path), earlier.bytes);
      // In this order nothing is lost by a crash; a line that is in both is read once.
      await files.write(earlierJournal(path), content.bytes, mode);
      await files.remove(path);
      return '';
    }
    return content.bytes.at(-1) === 0x0a ? '' : '\n';
  };
  const write = async (entry: JournalEntry): Promise<void> => {
    const prefix = begun ? '' : await begin();
    await files.append(path, new TextEncoder().encode(`${prefix}${JSON.stringify(entry)}\n`), mode);
    begun = true;
  };
  return {
    append(entry) {
      const written = last.then(() => write(entry));
      last = written.catch(() => {});
      return written;
    },
  };
}

function requireJournal(path: string, bytes: Uint8Array): void {
  if (isJournal(bytes)) return;
  throw phasesError(
    'PHASES_JOURNAL_FOREIGN',
    `Cannot write to what is no journal, as its first line is no entry of one: ${path}`,
    { hint: 'Name another file as journal.path of the GroundplaneConfiguration, or move this one away' },
  );
}

/** How a line begins, by which one is known that a crash cut short. */
const lineBegin = '{"time":"';

/** Whether these are the bytes of a journal: nothing yet, or an entry first, which a crash may have cut short. */
export function isJournal(bytes: Uint8Array): boolean {
  if (bytes.length === 0) return true;
  const [first = '', ...others] = new TextDecoder().decode(bytes).split('\n');
  if (entryOf(first) !== undefined) return true;
  const isCut = !isJson(first) && first !== '' && (first.startsWith(lineBegin) || lineBegin.startsWith(first));
  return isCut && (others.length === 0 || others.some((line) => entryOf(line) !== undefined));
}

function isJson(line: string): boolean {
  try {
    JSON.parse(line);
    return true;
  } catch {
    return false;
  }
}

/** What a journal says. */
export interface ReadJournal {
  /** In the order in which they were written. */
  readonly entries: readonly JournalEntry[];
  /** How many lines are none, as a crash cut them short or somebody changed them. */
  readonly damagedLines: number;
  /** True if older entries may have been set aside and replaced. */
  readonly isCut: boolean;
}

/**
 * Reads a journal with what was set aside before it.
 *
 * @returns undefined if there is none
 * @throws what the Files port throws: it cannot be read
 */
export async function readJournal(files: Files, path: string): Promise<ReadJournal | undefined> {
  // The journal first: what is set aside meanwhile is read twice, and not left out; and what nobody may read is named as people know it.
  const current = await files.read(path);
  const earlier = await files.read(earlierJournal(path));
  if (earlier === undefined && current === undefined) return undefined;
  const decoder = new TextDecoder();
  const before = earlier === undefined ? [] : decoder.decode(earlier.bytes).split('\n');
  const after = current === undefined ? [] : decoder.decode(current.bytes).split('\n');
  const known = new Set(before);
  // A crash while it was set aside leaves the lines in both.
  const lines = [...before, ...after.filter((line) => !known.has(line))].filter((line) => line !== '');
  const entries = lines.flatMap((line) => entryOf(line) ?? []);
  return { entries, damagedLines: lines.length - entries.length, isCut: earlier !== undefined };
}

/** Reads the text of a journal; lines that are no entries are left out. */
export function parseJournal(text: string): readonly JournalEntry[] {
  return text.split('\n').flatMap((line) => entryOf(line) ?? []);
}

const texts = ['time', 'actor', 'workflow', 'phase', 'artifact', 'location', 'action'] as const;

function entryOf(line: string): JournalEntry | undefined {
  try {
    const entry = JSON.parse(line) as Readonly<Record<string, unknown>> | null;
    const isEntry = texts.every((name) => typeof entry?.[name] === 'string');
    return isEntry ? (entry as unknown as JournalEntry) : undefined;
  } catch {
    return undefined;
  }
}

/** `sha256:<hex>` of these bytes. */
export async function digestOf(bytes: Uint8Array): Promise<string> {
  const hash = new Uint8Array(await crypto.subtle.digest('SHA-256', bytes as Uint8Array<ArrayBuffer>));
  return `sha256:${Array.from(hash, (byte) => byte.toString(16).padStart(2, '0')).join('')}`;
}
