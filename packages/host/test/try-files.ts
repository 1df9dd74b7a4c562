// Child process of the tests: one operation of the Files port after another, as a user of choice. Argument: JSON, see Attempt. Prints what came of them.
import { isGroundplaneError } from '@groundplane/errors';
import { acquireLock } from '../src/exclusive-lock.ts';
import { localFiles } from '../src/local-files.ts';

interface Attempt {
  readonly operation: 'write' | 'append' | 'makeDirectory' | 'remove' | 'read' | 'list' | 'lock';
  readonly path: string;
  readonly size?: number;
  /** From here on. */
  readonly uid?: number;
}

const files = localFiles();
const operations: Readonly<Record<Attempt['operation'], (attempt: Attempt) => Promise<unknown>>> = {
  write: ({ path, size = 10 }) => files.write(path, new Uint8Array(size), { mode: 0o600, directoryMode: 0o700 }),
  append: ({ path, size = 10 }) => files.append(path, new Uint8Array(size), { mode: 0o600 }),
  makeDirectory: ({ path }) => files.makeDirectory(path, { mode: 0o700 }),
  remove: ({ path }) => files.remove(path),
  read: ({ path }) => files.read(path),
  list: ({ path }) => files.list(path),
  lock: ({ path }) => acquireLock(path, { who: 'test' }),
};

const attempts: readonly Attempt[] = JSON.parse(process.argv[2] ?? '[]');
const results: unknown[] = [];
for (const attempt of attempts) {
  if (attempt.uid !== undefined) process.setuid?.(attempt.uid);
  try {
    await operations[attempt.operation](attempt);
    results.push({ code: 'done' });
  } catch (error) {
    if (!isGroundplaneError(error)) throw error;
    const { code, kind, message, hint, details } = error;
    results.push({ code, kind, message, hint, details });
  }
}
process.stdout.write(JSON.stringify(results));
