import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync } from 'node:fs';
import { basename, join } from 'node:path';
import { cacheDirectory } from './cache-directory.ts';
import {
  type Component,
  type ComponentGroup,
  componentGroups,
  defaultKubernetesVersion,
  findGroup,
  kubernetesGroupName,
} from './component-table.ts';
import { withExclusiveLock } from './exclusive-lock.ts';
import { type Report, reportToStderr, withProgress } from './progress.ts';
import { mustRun } from './run-command.ts';

/** Folder of the groups' modules: one folder each. */
export const sourceDirectory = join(import.meta.dirname, '..', 'components');

/** Those that decide whether a compiled package can be used again. Nobody debugs these programs, and without DWARF they are made sooner. */
const compilerArguments = ['-trimpath', '-buildvcs=false', '-gcflags=all=-dwarf=false'];

/** Arguments of `go build` and `go test -c` for a group, without the package and the output. */
export function buildArguments(group: ComponentGroup): readonly string[] {
  const variables = Object.entries(group.linkVariables).map(([name, value]) => `-X ${name}=${value}`);
  return [...compilerArguments, '-ldflags', ['-s -w', ...variables].join(' ')];
}

/**
 * Names a group's result by what goes in: the Go version, the flags, and every
 * file of the group's folder.
 */
export function groupDigest(
  group: ComponentGroup,
  packages: readonly string[],
  goVersion: string,
  files: ReadonlyMap<string, string | Uint8Array>,
): string {
  const hash = createHash('sha256');
  hash.update(JSON.stringify([goVersion, buildArguments(group), packages]));
  for (const name of [...files.keys()].sort()) {
    const content = createHash('sha256')
      .update(files.get(name) ?? '')
      .digest('hex');
    hash.update(`\n${name} ${content}`);
  }
  return hash.digest('hex').slice(0, 16);
}

export interface ComponentSelection {
  /** Names of groups. Default: the default set. */
  readonly groups?: readonly string[];
  /** Names of optional components of these groups that are wanted as well. */
  readonly optional?: readonly string[];
  /** Every optional component, and with no `groups` every group. */
  readonly all?: boolean;
}

/** A group, and the components of it that are wanted: one folder of the cache. */
interface BuildUnit {
  readonly group: ComponentGroup;
  readonly components: readonly Component[];
  readonly directory: string;
}

/** What a selection comes to: for each group its folder in the cache. */
function buildUnits(selection: ComponentSelection): readonly BuildUnit[] {
  const wanted = selection.groups
    ? selection.groups.map(findGroup)
    : componentGroups.filter((group) => group.inDefaultSet || selection.all);
  return wanted.flatMap((group) => {
    const required = group.components.filter((component) => !component.optional);
    const optional = group.components.filter(
      ({ name, optional: isOptional }) => isOptional && (selection.all || selection.optional?.includes(name)),
    );
    // Optional ones have folders of their own, so that asking for one never rebuilds the rest.
    return [
      buildUnit(group, required, group.name),
      ...optional.map((one) => buildUnit(group, [one], `${group.name}-${one.name}`)),
    ];
  });
}

function buildUnit(group: ComponentGroup, components: readonly Component[], name: string): BuildUnit {
  const folder = join(sourceDirectory, group.name);
  const files = new Map(readdirSync(folder).map((file) => [file, readFileSync(join(folder, file))]));
  const packages = components.map((component) => component.package);
  const digest = groupDigest(group, packages, hostGoVersion(), files);
  return { group, components, directory: join(cacheDirectory(), 'components', `${name}-${digest}`) };
}

let goVersion: string | undefined;

function hostGoVersion(): string {
  try {
    goVersion ??= execFileSync('go', ['env', 'GOVERSION'], { env: goEnvironment(), encoding: 'utf8' }).trim();
    return goVersion;
  } catch (cause) {
    throw new Error('cannot build the components: this host has no Go (`go`); install Go 1.26.8 or newer', { cause });
  }
}

/** The user's module cache and proxy settings, but a build cache of our own and nothing that changes the result. */
function goEnvironment(): NodeJS.ProcessEnv {
  return {
    ...process.env,
    CGO_ENABLED: '0',
    GOFLAGS: '',
    GOWORK: 'off',
    GOTOOLCHAIN: 'local',
    GOCACHE: buildCacheDirectory(),
    // The compiler spends a seventh of its time collecting garbage; memory is there.
    GOGC: process.env.GOGC ?? '400',
  };
}

function buildCacheDirectory(): string {
  return join(cacheDirectory(), 'go-build');
}

/**
 * Builds what is missing of the selected components and returns the folder of
 * each group's programs, by group name. Takes minutes the first time, and one
 * look at the cache after that.
 *
 * @throws Error when the host has no Go, or a build fails (with the compiler's last lines).
 */
export async function ensureComponents(
  selection: ComponentSelection = {},
  report: Report = reportToStderr,
): Promise<ReadonlyMap<string, string>> {
  const units = buildUnits(selection);
  if (units.some((unit) => !existsSync(unit.directory))) {
    const lock = join(cacheDirectory(), 'components.lock');
    const waiting = (holder: string) => report(`waiting for ${holder}, which builds components`);
    await withExclusiveLock(lock, () => buildMissing(units, report), waiting);
  }
  return new Map(units.toReversed().map((unit) => [unit.group.name, unit.directory]));
}

async function buildMissing(units: readonly BuildUnit[], report: Report): Promise<void> {
  const parent = join(cacheDirectory(), 'components');
  mkdirSync(parent, { recursive: true });
  // We hold the lock, so an unfinished folder is one of a build that was killed, before it could prune.
  const unfinishedFolders = readdirSync(parent).filter((name) => name.startsWith('.'));
  if (unfinishedFolders.length > 0) await mustRun(['go', 'clean', '-cache'], { env: goEnvironment() });
  for (const name of unfinishedFolders) rmSync(join(parent, name), { recursive: true, force: true });
  const missing = units.filter((unit) => !existsSync(unit.directory));
  // Every group needs it, so it alone outlives their pruning.
  await withProgress("building Go's standard library", report, () =>
    mustRun(['go', 'build', ...compilerArguments, 'std'], { env: goEnvironment() }),
  );
  const standardLibrary = buildCacheFiles();
  for (const [index, unit] of missing.entries()) {
    const unfinished = join(parent, `.${process.pid}`);
    mkdirSync(unfinished);
    for (const batch of batches(unit.components)) {
      const title = `building ${batch.map((component) => component.name).join(', ')} (${unit.group.name})`;
      await withProgress(title, report, () => buildBatch(unit.group, batch, unfinished));
    }
    // One Kubernetes version leaves 10 GB here; the next unit of the same group compiles little else.
    if (missing[index + 1]?.group !== unit.group) {
      for (const file of buildCacheFiles()) if (!standardLibrary.has(file)) rmSync(file);
    }
    renameSync(unfinished, unit.directory);
  }
}

function buildCacheFiles(): ReadonlySet<string> {
  const entries = readdirSync(buildCacheDirectory(), { recursive: true, withFileTypes: true });
  return new Set(entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name)));
}

/** Programs that `go build` names as we do are built by one call: while one is linked, the other core compiles the next. */
function batches(components: readonly Component[]): readonly (readonly Component[])[] {
  const alike = components.filter(isNamedByGo);
  const others = components.filter((component) => !isNamedByGo(component)).map((component) => [component]);
  return alike.length === 0 ? others : [alike, ...others];
}

function isNamedByGo({ name, package: path, build }: Component): boolean {
  return build !== 'test' && basename(path) === name;
}

async function buildBatch(group: ComponentGroup, batch: readonly Component[], target: string): Promise<void> {
  const [first] = batch;
  if (first === undefined) return;
  // What is built is not ours to vet, and that would take as long as the build.
  const verb = first.build === 'test' ? ['test', '-c', '-vet=off'] : ['build'];
  // A folder as output takes every program under its own name.
  const output = isNamedByGo(first) ? `${target}/` : join(target, first.name);
  const argv = ['go', ...verb, ...buildArguments(group), '-o', output, ...batch.map((component) => component.package)];
  await mustRun(argv, { cwd: join(sourceDirectory, group.name), env: goEnvironment() });
}

/**
 * Where on this host a built program lies, for tests that run the real one.
 *
 * @param name for example `kubeadm`, `etcd`, `e2e_kubeadm.test`
 * @param kubernetesVersion which of several versions, without `v`
 * @throws Error when there is no such component, or it is not built yet.
 */
export function componentPath(name: string, kubernetesVersion: string = defaultKubernetesVersion): string {
  const kubernetes = kubernetesGroupName(kubernetesVersion);
  for (const group of componentGroups) {
    if (group.name.startsWith('kubernetes-') && group.name !== kubernetes) continue;
    if (!group.components.some((component) => component.name === name)) continue;
    for (const unit of buildUnits({ groups: [group.name], all: true })) {
      const path = join(unit.directory, name);
      if (existsSync(path)) return path;
    }
    throw new Error(`${name} of group ${group.name} is not built; run: ./dev components ${group.name} --all`);
  }
  throw new Error(`there is no component ${name} in the component table`);
}

/** One line per component for a person: group, name, and the state in the cache. */
export function listComponents(): readonly {
  group: string;
  component: string;
  built: boolean;
  inDefaultSet: boolean;
}[] {
  return buildUnits({ all: true }).flatMap((unit) =>
    unit.components.map((component) => ({
      group: unit.group.name,
      component: component.name,
      built: existsSync(unit.directory),
      inDefaultSet: unit.group.inDefaultSet && !component.optional,
    })),
  );
}
