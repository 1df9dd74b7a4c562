import { randomUUID } from 'node:crypto';
import { mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

/** Where the provisioner keeps what it owns. Here a folder of its own; a bucket or a vault would do as well. */
export interface Store {
  /** `undefined` if there is none. */
  read(name: string): string | undefined;
  write(name: string, text: string): void;
}

/** A folder that nobody else may read. */
export function folderStore(folder: string): Store {
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  return {
    read(name) {
      try {
        return readFileSync(join(folder, name), 'utf8');
      } catch (error) {
        if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
        throw error;
      }
    },
    write(name, text) {
      const path = join(folder, name);
      mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
      const unfinished = `${path}.${randomUUID()}`;
      writeFileSync(unfinished, text, { mode: 0o600 });
      renameSync(unfinished, path);
    },
  };
}

/** What is in the store, made first if it is not: nothing that was made once is made again. */
export function kept(store: Store, name: string, make: () => string): string {
  const found = store.read(name);
  if (found !== undefined) return found;
  const text = make();
  store.write(name, text);
  return text;
}
