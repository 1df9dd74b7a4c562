import { spawn } from 'node:child_process';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';

/**
 * Runs `work` while no other process on this host runs one under the same lock file.
 *
 * The lock is the kernel's (flock), held by a small child whose standard input is a
 * pipe from us: when we die, however we die, the pipe closes and the lock is free.
 * `onWait` is called once, with who holds it, when the lock is not free at once.
 */
export async function withExclusiveLock<T>(
  file: string,
  work: () => Promise<T>,
  onWait: (holder: string) => void = () => {},
): Promise<T> {
  mkdirSync(dirname(file), { recursive: true });
  const keeper = spawn('flock', ['--exclusive', file, 'sh', '-c', 'echo held; exec cat'], {
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  try {
    await new Promise<void>((resolve, reject) => {
      const patience = setTimeout(() => onWait(lockHolder(file)), 500);
      keeper.stdout.once('data', () => {
        clearTimeout(patience);
        resolve();
      });
      keeper.once('error', reject);
      keeper.once('exit', (code) => {
        clearTimeout(patience);
        reject(new Error(`cannot lock ${file}: flock ended with exit code ${code}`));
      });
    });
    writeFileSync(file, `process ${process.pid}\n`);
    return await work();
  } finally {
    const ended = new Promise((resolve) => keeper.once('close', resolve));
    keeper.stdin.end();
    if (keeper.exitCode === null && keeper.signalCode === null && keeper.pid !== undefined) await ended;
  }
}

function lockHolder(file: string): string {
  try {
    return readFileSync(file, 'utf8').trim() || 'another process';
  } catch {
    return 'another process';
  }
}
