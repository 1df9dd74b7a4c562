import { copyFileSync, existsSync, mkdirSync, readdirSync, symlinkSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { mustRun } from './run-command.ts';

/** Names under which `xtables-nft-multi` is called; it decides by its name what to do. */
const iptablesNames = ['iptables', 'ip6tables'].flatMap((name) => [name, `${name}-save`, `${name}-restore`]);

/** iptables loads these by name when it runs, so no list of libraries has them. */
const iptablesExtensions = '/usr/lib/x86_64-linux-gnu/xtables';

/**
 * Copies programs out of a Debian root into `target`, with the libraries they load
 * and, for iptables, its extensions and names.
 */
export async function copyDebianPrograms(debian: string, programs: readonly string[], target: string): Promise<void> {
  const files = new Set<string>(programs);
  const withIptables = programs.includes('/usr/sbin/xtables-nft-multi');
  if (withIptables && existsSync(join(debian, iptablesExtensions))) {
    for (const name of readdirSync(join(debian, iptablesExtensions))) files.add(join(iptablesExtensions, name));
  }
  // The extensions load libraries of their own (libxt_statistic: libm).
  const listed = await mustRun(['chroot', debian, 'ldd', ...files], { env: { PATH: process.env.PATH } });
  for (const library of parseLibraries(listed)) files.add(library);
  // As in Debian; the programs' interpreter is named below /lib64.
  for (const folder of ['bin', 'lib', 'lib64', 'sbin']) {
    mkdirSync(join(target, 'usr', folder), { recursive: true });
    symlinkSync(`usr/${folder}`, join(target, folder));
  }
  for (const file of files) {
    mkdirSync(dirname(join(target, file)), { recursive: true });
    copyFileSync(join(debian, file), join(target, file));
  }
  if (withIptables) {
    for (const name of iptablesNames) symlinkSync('xtables-nft-multi', join(target, 'usr/sbin', name));
  }
}

/** The paths in the output of ldd. */
export function parseLibraries(listed: string): readonly string[] {
  return listed.split('\n').flatMap((line) => /(?:=> |^\s+)(\/\S+) \(0x/.exec(line)?.[1] ?? []);
}
