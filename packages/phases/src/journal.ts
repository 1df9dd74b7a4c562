import type { ArtifactAction } from './events.ts';
import type { Files } from './ports.ts';

/** One line of the journal: who made what, when, with which digest. For people and for audit; nothing depends on it. */
export interface JournalEntry {
  /** RFC 3339, UTC. */
  readonly time: string;
  /** Program, version and process: `groundplane 0.1.0 (pid 12)`. */
  readonly actor: string;
  readonly workflow: string;
  readonly phase: string;
  readonly artifact: string;
  readonly location: string;
  readonly action: ArtifactAction;
  /** `sha256:<hex>` of the bytes; absent for secrets without bytes, directories and states. */
  readonly digest?: string;
}

/** Appends an entry as one JSON line; a journal that cannot be written never stops a run. */
export async function appendToJournal(files: Files, path: string, entry: JournalEntry): Promise<void> {
  await files.append(path, new TextEncoder().encode(`${JSON.stringify(entry)}\n`), { mode: 0o600 });
}

/** Reads a journal; lines that a crash cut short are left out. */
export function parseJournal(text: string): readonly JournalEntry[] {
  return text.split('\n').flatMap((line) => {
    try {
      return line === '' ? [] : [JSON.parse(line) as JournalEntry];
    } catch {
      return [];
    }
  });
}

/** `sha256:<hex>` of these bytes. */
export async function digestOf(bytes: Uint8Array): Promise<string> {
  const hash = new Uint8Array(await crypto.subtle.digest('SHA-256', bytes as Uint8Array<ArrayBuffer>));
  return `sha256:${Array.from(hash, (byte) => byte.toString(16).padStart(2, '0')).join('')}`;
}
