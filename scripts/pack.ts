/**
 * Makes `dist/groundplane-linux-x64.tar.gz`: the command line as one bundle, with Node.js inside, for hosts that have none.
 * The packages must have been built. The same input gives the same files, but for the compiled code in lib/compile-cache.
 */
import { execFileSync, spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import {
  copyFileSync,
  existsSync,
  linkSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { bundleCommandLine } from './bundle.ts';
import { warmCompileCache } from './compile-cache.ts';
import { writeLaunchers } from './launchers.ts';
import { thirdPartyNotices } from './third-party-notices.ts';

const root = fileURLToPath(new URL('..', import.meta.url));
const output = join(root, 'dist');
const stage = join(output, 'groundplane');
const archive = join(output, 'groundplane-linux-x64.tar.gz');

const digestFile = join(output, '.archive-digest');
const node = join(root, 'node_modules/node/bin/node');

rmSync(stage, { recursive: true, force: true });
mkdirSync(join(stage, 'lib'), { recursive: true });
const metafile = await bundleCommandLine({ root, application: join(stage, 'lib/cli') });
writeLaunchers(root, stage);
writeFileSync(join(stage, 'THIRD-PARTY-NOTICES.txt'), thirdPartyNotices(root, Object.keys(metafile.inputs)));
copyFileSync(join(root, 'LICENSE'), join(stage, 'LICENSE'));

linkSync(strippedNode(), join(stage, 'lib/node'));

const digest = digestOf(stage);
if (existsSync(archive) && existsSync(digestFile) && readFileSync(digestFile, 'utf8') === digest) {
  console.log(`${relative(root, archive)} is up to date`);
} else {
  rmSync(digestFile, { force: true });
  warmCompileCache(stage);
  const tar = [
    '--sort=name',
    '--mtime=@0',
    '--owner=0',
    '--group=0',
    '--numeric-owner',
    '--mode=a+rX,go-w',
    '-C',
    output,
  ];
  const unfinished = `${archive}.${process.pid}`;
  execFileSync('tar', [...tar, '-cf', unfinished, '--use-compress-program=gzip -n', 'groundplane']);
  renameSync(unfinished, archive);
  writeFileSync(digestFile, digest);
  const mebibytes = (path: string) => `${(statSync(path).size / 2 ** 20).toFixed(1)} MiB`;
  const sizes = `${mebibytes(archive)}, of it unpacked Node.js ${mebibytes(join(stage, 'lib/node'))}`;
  console.log(`${relative(root, archive)}: ${sizes}`);
}

/** Node.js without its symbols, made once for each version of it and kept beside the archive. */
function strippedNode(): string {
  const { size, mtimeMs } = statSync(node);
  const kept = join(output, `.node-${size}-${Math.floor(mtimeMs)}`);
  if (existsSync(kept)) return kept;
  const unfinished = `${kept}.new`;
  copyFileSync(node, unfinished);
  stripSymbols(unfinished);
  renameSync(unfinished, kept);
  return kept;
}

/** Symbols are of use to a debugger only; without them the program is smaller and starts alike. */
function stripSymbols(program: string): void {
  const { error } = spawnSync('strip', ['--strip-all', program], { stdio: ['ignore', 'inherit', 'inherit'] });
  if (error !== undefined)
    console.log('Node.js keeps its symbols, as this host has no strip (Debian: apt-get install binutils)');
}

/** One digest of all files below a folder, their paths and modes. */
function digestOf(folder: string): string {
  const hash = createHash('sha256');
  for (const name of (readdirSync(folder, { recursive: true }) as string[]).sort()) {
    const path = join(folder, name);
    const { mode } = statSync(path);
    hash.update(`${name} ${mode.toString(8)}\n`);
    if (statSync(path).isFile()) hash.update(readFileSync(path));
  }
  return hash.digest('hex');
}
