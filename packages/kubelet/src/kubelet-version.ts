import semverCompare from 'semver/functions/compare.js';
import semverParse from 'semver/functions/parse.js';

const output = /^Kubernetes v((?:0|[1-9]\d*)\.(?:0|[1-9]\d*)\.(?:0|[1-9]\d*)(?:[-\w.+]*)?)$/;

/** The version in the output of `kubelet --version`, without `v`; undefined if it is not of that form. */
export function parseKubeletVersion(text: string): string | undefined {
  const version = output.exec(text.trim())?.[1];
  return version === undefined || semverParse(version) === null ? undefined : version;
}

/** True for a semantic version, with or without `v`. */
export function isVersion(text: string): boolean {
  return semverParse(text) !== null;
}

/** Negative if the first version is older; both with or without `v`. */
export function compareVersions(one: string, other: string): number {
  return semverCompare(one, other);
}

/** Major and minor number. */
export function minorOf(version: string): { readonly major: number; readonly minor: number } {
  const parsed = semverParse(version);
  if (parsed === null) throw new TypeError(`Cannot read a version: ${JSON.stringify(version)}`);
  return { major: parsed.major, minor: parsed.minor };
}
