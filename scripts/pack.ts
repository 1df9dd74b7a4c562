/**
 * Makes `dist/groundplane-linux-x64.tar.gz`: the command line as one bundle, with Node.js inside, for hosts that have none.
 * The packages must have been built. The same input gives the same archive.
 */
import { execFileSync } from 'node:child_process';
import { copyFileSync, mkdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { bundleCommandLine } from './bundle.ts';
import { writeLaunchers } from './launchers.ts';
import { thirdPartyNotices } from './third-party-notices.ts';

const root = fileURLToPath(new URL('..', import.meta.url));
const output = join(root, 'dist');
const stage = join(output, 'groundplane');
const archive = join(output, 'groundplane-linux-x64.tar.gz');

rmSync(stage, { recursive: true, force: true });
mkdirSync(join(stage, 'lib'), { recursive: true });
const metafile = await bundleCommandLine({ root, application: join(stage, 'lib/cli') });
writeLaunchers(root, stage);
copyFileSync(join(root, 'node_modules/node/bin/node'), join(stage, 'lib/node'));
// Symbols are of use to a debugger only; without them the program is smaller and starts alike.
execFileSync('strip', ['--strip-all', join(stage, 'lib/node')]);
writeFileSync(join(stage, 'THIRD-PARTY-NOTICES.txt'), thirdPartyNotices(root, Object.keys(metafile.inputs)));
copyFileSync(join(root, 'LICENSE'), join(stage, 'LICENSE'));

const tar = ['--sort=name', '--mtime=@0', '--owner=0', '--group=0', '--numeric-owner', '--mode=go-w', '-C', output];
execFileSync('tar', [...tar, '-cf', archive, '--use-compress-program=gzip -n', 'groundplane']);
const mebibytes = (path: string) => `${(statSync(path).size / 2 ** 20).toFixed(1)} MiB`;
console.log(
  `${relative(root, archive)}: ${mebibytes(archive)}, of it unpacked Node.js ${mebibytes(join(stage, 'lib/node'))}`,
);
