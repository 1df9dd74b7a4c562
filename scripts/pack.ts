/**
 * Makes `dist/groundplane-linux-x64.tar.gz`: the command line as one bundle, with Node.js inside, for hosts that have none.
 * The packages must have been built. The same input gives the same archive.
 */
import { execFileSync } from 'node:child_process';
import { chmodSync, copyFileSync, cpSync, mkdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';
import { thirdPartyNotices } from './third-party-notices.ts';

const root = fileURLToPath(new URL('..', import.meta.url));
const cli = join(root, 'packages/cli');
const output = join(root, 'dist');
const stage = join(output, 'groundplane');
const archive = join(output, 'groundplane-linux-x64.tar.gz');

rmSync(stage, { recursive: true, force: true });
const application = join(stage, 'lib/cli');

// The folders are those of the package, so that its paths hold in the bundle too.
const entries = ['bin/groundplane', 'bin/kubeadm', 'commands/lazy-commands'];
const { metafile } = await build({
  absWorkingDir: root,
  entryPoints: entries.map((name) => ({ in: join(cli, `dist/${name}.js`), out: name })),
  outdir: join(application, 'dist'),
  bundle: true,
  splitting: true,
  format: 'esm',
  platform: 'node',
  target: 'node22.19',
  // Prefer the ECMAScript build of a package: of a CommonJS one, import() would see the default export only.
  mainFields: ['module', 'main'],
  minifySyntax: true,
  minifyWhitespace: true,
  chunkNames: 'chunks/[name]-[hash]',
  // Bundled CommonJS modules call require for what Node.js itself brings.
  banner: {
    js: "import{createRequire as __createRequire}from'node:module';const require=__createRequire(import.meta.url);",
  },
  legalComments: 'none',
  metafile: true,
  logLevel: 'warning',
});

for (const { entryPoint } of Object.values(metafile.outputs)) {
  if (entryPoint !== undefined && metafile.inputs[entryPoint]?.format === 'cjs') {
    console.warn(`${entryPoint} is CommonJS and imported dynamically: only its default export is there in the bundle`);
  }
}

const { name, version, description, license, oclif } = JSON.parse(readFileSync(join(cli, 'package.json'), 'utf8'));
const manifest = { name, version, description, license, private: true, type: 'module', oclif };
writeFileSync(join(application, 'package.json'), `${JSON.stringify(manifest, undefined, 2)}\n`);
copyFileSync(join(cli, 'oclif.manifest.json'), join(application, 'oclif.manifest.json'));

copyFileSync(join(root, 'node_modules/node/bin/node'), join(stage, 'lib/node'));
// Symbols are of use to a debugger only; without them the program is smaller and starts alike.
execFileSync('strip', ['--strip-all', join(stage, 'lib/node')]);

for (const program of ['groundplane', 'kubeadm']) {
  const launcher = join(stage, 'bin', program);
  mkdirSync(dirname(launcher), { recursive: true });
  copyFileSync(join(root, 'scripts/launcher.sh'), launcher);
  writeFileSync(launcher, readFileSync(launcher, 'utf8').replaceAll('PROGRAM', program));
  chmodSync(launcher, 0o755);
}
writeFileSync(join(stage, 'THIRD-PARTY-NOTICES.txt'), thirdPartyNotices(root, Object.keys(metafile.inputs)));
cpSync(join(root, 'LICENSE'), join(stage, 'LICENSE'), { force: true });

const tar = ['--sort=name', '--mtime=@0', '--owner=0', '--group=0', '--numeric-owner', '--mode=go-w', '-C', output];
execFileSync('tar', [...tar, '-cf', archive, '--use-compress-program=gzip -n -9', 'groundplane']);
const mebibytes = (path: string) => `${(statSync(path).size / 2 ** 20).toFixed(1)} MiB`;
console.log(
  `${relative(root, archive)}: ${mebibytes(archive)} (Node.js ${mebibytes(join(stage, 'lib/node'))} of it unpacked)`,
);
