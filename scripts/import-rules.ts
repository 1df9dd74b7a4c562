import { existsSync, globSync, readFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import {
  commonPackages,
  entryTable,
  type OwnerRow,
  ownerTable,
  packageTable,
  undeclarablePackages,
} from './import-matrix-table.ts';
import { importsOf, type ModuleImport } from './imports-of.ts';

/** One import, or one declared dependency, that a rule forbids. */
export interface Refusal {
  /** Relative to the root of the workspace. */
  readonly file: string;
  readonly line?: number;
  /** What is imported or declared. */
  readonly subject: string;
  readonly rule: string;
  /** What to do about it. */
  readonly remedy: string;
}

interface Manifest {
  readonly name?: string;
  readonly dependencies?: Readonly<Record<string, string>>;
  readonly devDependencies?: Readonly<Record<string, string>>;
  readonly peerDependencies?: Readonly<Record<string, string>>;
  readonly exports?: Readonly<Record<string, { readonly types?: string }>>;
}

interface Package {
  /** Without the scope. */
  readonly name: string;
  /** Relative to the root. */
  readonly folder: string;
  readonly manifestFile: string;
  readonly manifest: Manifest;
}

interface FileImport extends ModuleImport {
  readonly file: string;
  readonly isTest: boolean;
}

const scope = '@groundplane/';

/** Holds every source file and every package.json of the workspace to the table. */
export function checkImports(root: string): readonly Refusal[] {
  const packages = packagesIn(root);
  const rootManifest = manifestIn(root, 'package.json');
  const refusals: Refusal[] = [];
  for (const one of packages) {
    if (packageTable[one.name] === undefined) {
      refusals.push({
        file: one.manifestFile,
        subject: one.name,
        rule: 'every package has a row in the table',
        remedy: 'Add a row to packageTable in scripts/import-matrix-table.ts',
      });
      continue;
    }
    const imports = importsIn(root, one);
    for (const found of imports) {
      const refusal = refusalOf(found, one, root, rootManifest);
      if (refusal !== undefined) refusals.push(refusal);
    }
    refusals.push(...unusedDependencies(one, imports), ...undeclarableTypes(root, one));
  }
  return [...refusals, ...cycles(packages)];
}

function packagesIn(root: string): readonly Package[] {
  const folders = globSync(['packages/*/package.json', 'plugins/*/package.json', 'testbed/package.json'], {
    cwd: root,
  });
  const packages = folders.map((file): Package => {
    const folder = dirname(file);
    return {
      name: folder.slice(folder.lastIndexOf('/') + 1),
      folder,
      manifestFile: file,
      manifest: manifestIn(root, file),
    };
  });
  // The scripts have no package.json of their own: what they import is declared at the root.
  const scripts = {
    name: 'scripts',
    folder: 'scripts',
    manifestFile: 'package.json',
    manifest: manifestIn(root, 'package.json'),
  };
  return [...packages, ...(existsSync(join(root, 'scripts')) ? [scripts] : [])].sort((one, other) =>
    one.name < other.name ? -1 : 1,
  );
}

function manifestIn(root: string, file: string): Manifest {
  return JSON.parse(readFileSync(join(root, file), 'utf8')) as Manifest;
}

function importsIn(root: string, { folder, name }: Package): readonly FileImport[] {
  const patterns = name === 'scripts' ? ['**/*.ts'] : ['{src,test,bin}/**/*.ts'];
  const files = globSync(patterns, {
    cwd: join(root, folder),
    exclude: ['**/node_modules', '**/dist', '**/fixtures', '**/testdata'],
  });
  return files.sort().flatMap((file) => {
    const path = join(folder, file);
    const isTest = /\.(?:type-)?test\.ts$/.test(file) || file.startsWith('test/');
    return importsOf(readFileSync(join(root, path), 'utf8')).map((found) => ({ ...found, file: path, isTest }));
  });
}

function refusalOf(found: FileImport, one: Package, root: string, rootManifest: Manifest): Refusal | undefined {
  const { specifier, file, line } = found;
  const refuse = (rule: string, remedy: string): Refusal => ({ file, line, subject: specifier, rule, remedy });
  if (specifier.startsWith('.')) return relativeRefusal(found, one, root, refuse);
  if (specifier === 'node' || /^(?:node:|file:|https?:)/.test(specifier))
    return ownerRefusal(found, one, specifier, refuse);
  const name = packageNameOf(specifier);
  if (name === one.manifest.name) {
    return refuse('a package does not import itself by its name', 'Import the file by its relative path');
  }
  return (
    (name.startsWith(scope) ? workspaceRefusal(found, one, refuse) : ownerRefusal(found, one, name, refuse)) ??
    undeclaredRefusal(found, one, name, rootManifest, refuse)
  );
}

type Refuse = (rule: string, remedy: string) => Refusal;

function relativeRefusal(
  { specifier, file, isTest }: FileImport,
  one: Package,
  root: string,
  refuse: Refuse,
): Refusal | undefined {
  const target = relative(root, join(root, dirname(file), specifier));
  if (!target.startsWith(`${one.folder}/`))
    return refuse('a package is entered by its name alone', 'Import it by its package name, or move the file');
  const isOfTests = target.startsWith(`${one.folder}/test/`) || /\.test\.ts$/.test(target);
  if (isOfTests && !isTest)
    return refuse('what is published does not import tests', 'Move the file under src, or its use into a test');
  return undefined;
}

function workspaceRefusal(found: FileImport, one: Package, refuse: Refuse): Refusal | undefined {
  const { specifier, typeOnly, isTest } = found;
  const row = packageTable[one.name];
  const name = packageNameOf(specifier);
  const target = name.slice(scope.length);
  if (specifier !== name) {
    if (entryTable[specifier] === undefined)
      return refuse(
        'no deep imports: a package is what its main entry exports',
        `Import '${name}', and export there what is missing`,
      );
    if (entryTable[specifier] === 'tests' && !isTest)
      return refuse('this entry is for tests', `Use it in a test, or import '${name}'`);
  }
  if (row === undefined || row.imports === '*' || commonPackages.includes(target) || row.imports.includes(target))
    return undefined;
  if (row.types?.includes(target)) {
    if (typeOnly || isTest) return undefined;
    return refuse(
      `${one.name} may import types of ${target}, not values`,
      `Write 'import type', or let the caller hand the value in`,
    );
  }
  const allowed = [...row.imports, ...commonPackages].join(', ');
  return refuse(
    `${one.name} may import ${allowed}, not ${target}`,
    `Take the value as a parameter, move the code to where both are known, or change the row of ${one.name} in scripts/import-matrix-table.ts and say why in docs/adr`,
  );
}

function ownerRefusal(
  { isTest, specifier }: FileImport,
  one: Package,
  name: string,
  refuse: Refuse,
): Refusal | undefined {
  if (isTest) return undefined;
  const isNode = specifier.startsWith('node:');
  if (isNode && packageTable[one.name]?.free)
    return refuse(
      `${one.name} takes values and gives values: no module of Node.js`,
      'Take what it gives as a parameter, or act through a port',
    );
  const row = ownerTable.find(({ dependency }) => covers(dependency, name));
  if (row === undefined)
    return refuse(
      'every dependency from outside has an owner',
      'Use one that is there, or add a row to ownerTable in scripts/import-matrix-table.ts',
    );
  if (row.owners.includes(one.name)) return undefined;
  return refuse(`${row.dependency} belongs to ${ownersOf(row)}: ${row.reason}`, `Go through ${ownersOf(row)}`);
}

function ownersOf({ owners }: OwnerRow): string {
  return owners.length === 0 ? 'tests' : owners.join(', ');
}

function covers(pattern: string, name: string): boolean {
  return pattern.endsWith('*') ? name.startsWith(pattern.slice(0, -1)) : pattern === name;
}

/** Not in package.json, so that it would be missing where the package is installed alone. */
function undeclaredRefusal(
  { isTest, typeOnly }: FileImport,
  { manifest, manifestFile, folder }: Package,
  name: string,
  rootManifest: Manifest,
  refuse: Refuse,
): Refusal | undefined {
  const { dependencies = {}, peerDependencies = {}, devDependencies = {} } = manifest;
  if (name in dependencies || name in peerDependencies) return undefined;
  const isForDevelopment = isTest || manifestFile === 'package.json' || isBundled(folder);
  if (isForDevelopment && (name in devDependencies || name in (rootManifest.devDependencies ?? {}))) return undefined;
  // Declarations are published too: whoever compiles against them needs the types.
  const where = isForDevelopment ? 'devDependencies' : 'dependencies';
  const what = typeOnly ? 'what is imported, types included, is declared' : 'what is imported is declared';
  return refuse(what, `Add "${name}" to ${where} in ${manifestFile}`);
}

/** Plugins bring what they import in files of their own, so that they can be linked where there is no npm. */
function isBundled(folder: string): boolean {
  return folder.startsWith('plugins/');
}

function unusedDependencies(
  { name, manifest, manifestFile, folder }: Package,
  imports: readonly FileImport[],
): readonly Refusal[] {
  if (manifestFile === 'package.json' && name === 'scripts') return [];
  const usedBy = (isTest: boolean) =>
    new Set(imports.filter((found) => found.isTest === isTest).map(({ specifier }) => packageNameOf(specifier)));
  const [published, tests] = [usedBy(false), usedBy(true)];
  const isOurs = (dependency: string) => dependency.startsWith(scope);
  const refuse = (subject: string, rule: string, remedy: string): Refusal => ({
    file: manifestFile,
    subject,
    rule,
    remedy,
  });
  const inVain = Object.keys(manifest.dependencies ?? {})
    .filter((dependency) => isOurs(dependency) && !published.has(dependency))
    .map((dependency) =>
      tests.has(dependency)
        ? refuse(
            dependency,
            'what only tests import is a development dependency',
            `Move it to devDependencies in ${manifestFile}`,
          )
        : refuse(dependency, 'what is declared is imported', `Remove it from dependencies in ${manifestFile}`),
    );
  const inVainForTests = Object.keys(manifest.devDependencies ?? {})
    .filter(
      (dependency) => isOurs(dependency) && !tests.has(dependency) && !(isBundled(folder) && published.has(dependency)),
    )
    .map((dependency) =>
      refuse(dependency, 'what is declared is imported', `Remove it from devDependencies in ${manifestFile}`),
    );
  return [...inVain, ...inVainForTests];
}

/** Follows the declarations that a package publishes, as far as it is built. */
function undeclarableTypes(root: string, { folder, manifest }: Package): readonly Refusal[] {
  const open = Object.values(manifest.exports ?? {}).flatMap(({ types }) =>
    types === undefined ? [] : [join(folder, types)],
  );
  const seen = new Set<string>();
  const refusals: Refusal[] = [];
  for (let file = open.pop(); file !== undefined; file = open.pop()) {
    if (seen.has(file) || !existsSync(join(root, file))) continue;
    seen.add(file);
    for (const { specifier, line } of importsOf(readFileSync(join(root, file), 'utf8'))) {
      if (specifier.startsWith('.')) {
        open.push(join(dirname(file), specifier.replace(/\.(?:js|ts)$/, '.d.ts')));
      } else if (undeclarablePackages.includes(packageNameOf(specifier))) {
        refusals.push({
          file,
          line,
          subject: specifier,
          rule: 'its types are in no published declaration',
          remedy: 'Give what is exported a type of our own',
        });
      }
    }
  }
  return refusals;
}

/** Packages that depend on one another in a circle, by what they declare. Each circle once, from its first name on. */
function cycles(packages: readonly Package[]): readonly Refusal[] {
  const byName = new Map(packages.map((one) => [one.manifest.name ?? '', one]));
  const needs = ({ manifest }: Package) =>
    Object.keys({ ...manifest.dependencies, ...manifest.peerDependencies, ...manifest.devDependencies })
      .map((name) => byName.get(name))
      .filter((one) => one !== undefined);
  const refusals: Refusal[] = [];
  const done = new Set<Package>();
  const follow = (one: Package, path: readonly Package[]): void => {
    const at = path.indexOf(one);
    if (at >= 0) {
      const circle = [...path.slice(at), one].map(({ name }) => name).join(' → ');
      refusals.push({
        file: one.manifestFile,
        subject: circle,
        rule: 'packages do not depend on one another in a circle',
        remedy: 'Move what both need into a package below them',
      });
      return;
    }
    if (done.has(one)) return;
    for (const next of needs(one)) follow(next, [...path, one]);
    done.add(one);
  };
  for (const one of packages.filter(({ name }) => name !== 'scripts')) follow(one, []);
  return refusals;
}

function packageNameOf(specifier: string): string {
  return specifier
    .split('/')
    .slice(0, specifier.startsWith('@') ? 2 : 1)
    .join('/');
}
