import { copyFileSync, cpSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { build, type Metafile, type Plugin } from 'esbuild';

/** Entry points of the program. Their folders are those of the package, so that its paths hold in the bundle too. */
const entries = ['bin/groundplane', 'bin/kubeadm', 'commands/lazy-commands'];

/** Packages that are imported for their effect or their default export alone, so that it does not matter which other exports are there. */
const withoutNames = /node_modules\/(?:reflect-metadata|npm-package-arg|which)\//;

/**
 * Bundled CommonJS modules call require for what Node.js itself brings. It is made at the first call: this stands in every file, and making
 * it takes time.
 */
const requireBanner =
  "import{createRequire as __createRequire}from'node:module';let __made;const __require0=()=>__made??=__createRequire(import.meta.url),require=id=>__require0()(id);require.resolve=id=>__require0().resolve(id);";

/**
 * Node.js' file module is asked for by a function: importing it has Node.js read all its properties, and one of them loads the streams,
 * which nobody here needs.
 */
const fileModule: Plugin = {
  name: 'file-module',
  setup({ onResolve, onLoad }) {
    const namespace = 'file-module';
    onResolve({ filter: /^(node:)?fs$/ }, () => ({ path: 'node:fs', namespace }));
    onLoad({ filter: /^/, namespace }, ({ path }) => ({
      contents: `module.exports = process.getBuiltinModule(${JSON.stringify(path)});`,
    }));
  },
};

export interface BundleOptions {
  /** Folder of the repository. */
  readonly root: string;
  /** Folder that the application is written to. */
  readonly application: string;
}

/**
 * Bundles the built command line, with everything that it needs, into a folder that Node.js runs as it is.
 * What is imported dynamically stays in files of its own, which are read when it is first used.
 *
 * @returns which files went into which output
 * @throws TypeError if a CommonJS module is imported dynamically: of such one, a bundle gives the default export only
 */
export async function bundleCommandLine({ root, application }: BundleOptions): Promise<Metafile> {
  const cli = join(root, 'packages/cli');
  const { metafile } = await build({
    absWorkingDir: root,
    entryPoints: entries.map((name) => ({ in: join(cli, `dist/${name}.js`), out: name })),
    outdir: join(application, 'dist'),
    bundle: true,
    splitting: true,
    format: 'esm',
    platform: 'node',
    target: 'node22.19',
    mainFields: ['module', 'main'],
    minifySyntax: true,
    minifyWhitespace: true,
    chunkNames: 'chunks/[name]-[hash]',
    plugins: [fileModule],
    banner: { js: requireBanner },
    legalComments: 'none',
    metafile: true,
    logLevel: 'warning',
  });
  for (const { entryPoint } of Object.values(metafile.outputs)) {
    if (entryPoint === undefined || withoutNames.test(entryPoint)) continue;
    if (metafile.inputs[entryPoint]?.format === 'cjs') {
      throw new TypeError(
        `Cannot bundle a dynamic import of CommonJS, as its named exports would be missing: ${entryPoint}`,
      );
    }
  }

  mkdirSync(application, { recursive: true });
  const { name, version, description, license, oclif } = JSON.parse(readFileSync(join(cli, 'package.json'), 'utf8'));
  const manifest = { name, version, description, license, private: true, type: 'module', oclif };
  writeFileSync(join(application, 'package.json'), `${JSON.stringify(manifest, undefined, 2)}\n`);
  copyFileSync(join(cli, 'oclif.manifest.json'), join(application, 'oclif.manifest.json'));
  cpSync(join(cli, 'schemas'), join(application, 'schemas'), { recursive: true });
  return metafile;
}
