import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Command, Interfaces } from '@oclif/core';

/** Kubernetes versions that a release knows, as text `v1.37.2`. */
export interface KubernetesVersions {
  readonly newest: string;
  readonly minimumControlPlane: string;
  readonly minimumKubelet: string;
}

/** `oclif.manifest.json`: oclif's own part, and what only a build step knows. */
export interface ReleaseManifest {
  readonly version: string;
  readonly commands: Readonly<Record<string, Command.Cached>>;
  readonly kubernetesVersions: KubernetesVersions;
}

/** What the files beside the program say about it. */
export interface Release {
  /** The folder that they are in; absolute. */
  readonly root: string;
  readonly pjson: Interfaces.PJSON;
  readonly manifest: ReleaseManifest;
}

/**
 * Reads `package.json` and `oclif.manifest.json`.
 *
 * @param root folder of this package
 */
export function readRelease(root: string): Release {
  const read = (name: string) => JSON.parse(readFileSync(join(root, name), 'utf8'));
  return { root, pjson: read('package.json'), manifest: read('oclif.manifest.json') };
}

/** True if other packages may add commands, so that the manifest is not the whole truth. */
export function isExtended({ pjson }: Release): boolean {
  return (pjson.oclif.plugins ?? []).length > 0;
}
