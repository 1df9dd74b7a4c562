import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** Builds a plugin of `plugins/` and packs it as `npm pack` does. */
export function packPlugin(name: string, target: string): void {
  const plugin = join(fileURLToPath(new URL('../plugins', import.meta.url)), name);
  execFileSync(process.execPath, ['build.ts'], { cwd: plugin });
  packPackage(plugin, target, ['package.json', 'README.md', 'dist']);
}

/** A tarball of some files of a package, as `npm pack` makes it. */
export function packPackage(place: string, target: string, names: readonly string[]): void {
  execFileSync('tar', ['-czf', target, '--transform', 's,^,package/,', '-C', place, ...names]);
}
