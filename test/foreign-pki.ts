import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { ArtifactUse, WorkflowDescription } from '../packages/phases/dist/index.js';

/** Folder of the example whose scripts make keys and certificates from a description of the phases. */
export const shellInstaller = fileURLToPath(new URL('../examples/shell-installer', import.meta.url));

const program = fileURLToPath(new URL('../packages/cli/dist/bin/groundplane.js', import.meta.url));

/** What `groundplane phases describe` says of init with a configuration. */
export function describeInit(configFile: string): WorkflowDescription {
  const args = [program, 'phases', 'describe', '--workflow', 'init', '--config', configFile, '-o', 'json'];
  return JSON.parse(
    execFileSync(process.execPath, args, { encoding: 'utf8', maxBuffer: 2 ** 26 }),
  ) as WorkflowDescription;
}

/** What the phases of init write, by artifact id. */
export function writtenArtifacts({ phases }: WorkflowDescription): ReadonlyMap<string, ArtifactUse> {
  const uses = phases.filter(({ inapplicable }) => inapplicable === undefined).flatMap(({ writes }) => writes);
  return new Map(uses.map((use) => [use.id, use]));
}

/** Path of a file that a description speaks of. @throws Error if it is none */
export function pathOf(artifact: ArtifactUse | undefined): string {
  if (artifact?.location.kind !== 'file') throw new Error(`there is no file: ${artifact?.id}`);
  return artifact.location.path;
}

/** Command line of one of the example's scripts. */
export function makerCommand(tool: 'openssl' | 'cfssl', ...args: readonly string[]): string {
  return [join(shellInstaller, `with-${tool}.sh`), ...args].join(' ');
}
