import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

/**
 * Builds the example that drives Groundplane in Go; nothing is fetched.
 *
 * @param folder where the program is put
 * @returns its path
 */
export function buildGoDriver(folder: string): string {
  const program = join(folder, 'go-driver');
  execFileSync('go', ['build', '-trimpath', '-o', program, '.'], {
    cwd: fileURLToPath(new URL('../examples/go-driver', import.meta.url)),
    // Without C it runs wherever the kernel is the same.
    env: { ...process.env, GOPROXY: 'off', GOTOOLCHAIN: 'local', CGO_ENABLED: '0' },
  });
  return program;
}
