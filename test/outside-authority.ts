import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import type { Machine } from '@groundplane/testbed';
import { authorityFunctions } from './certificate-authority.ts';

/** CAs with a root and an intermediate each that are on this host, so that no machine ever sees their keys. */
export interface OutsideAuthority {
  /** Runs shell commands with the functions of {@link authorityFunctions} in the folder of the CAs. */
  run(commands: string): void;
  /** Fetches a folder of a machine, as a folder of the same name here. */
  fetch(machine: Machine, folder: string): Promise<void>;
  /** Brings a folder from here to a machine. @param folder path there; by default below /root */
  bring(machine: Machine, name: string, folder?: string): Promise<void>;
  remove(): void;
}

export function outsideAuthority(): OutsideAuthority {
  const folder = mkdtempSync(join(tmpdir(), 'outside-authority-'));
  const functions = join(folder, 'authority.sh');
  writeFileSync(functions, authorityFunctions);
  const run = (commands: string) => {
    execFileSync('bash', ['-c', `. ${functions}; ${commands}`], {
      cwd: folder,
      env: { PATH: process.env.PATH, CA: join(folder, 'authority') },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
  };
  for (const name of ['authority', 'answers', 'workers']) mkdirSync(join(folder, name));
  run('settings');
  return {
    run,
    fetch: (machine, path) => machine.copyOut(path, join(folder, basename(path))),
    bring: (machine, name, path = `/root/${name}`) => machine.copyIn(join(folder, name), path),
    remove: () => rmSync(folder, { recursive: true }),
  };
}
