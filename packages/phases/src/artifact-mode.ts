import type { Artifact, Location } from './artifact.ts';

/** Mode of a directory that says nothing else. */
export const usualDirectoryMode = 0o755;
const usualFileMode = 0o644;

/** The mode that a new file or directory is created with. */
export function modeOf({ mode }: Artifact<unknown>, kind: Location['kind']): number {
  return mode ?? (kind === 'directory' ? usualDirectoryMode : usualFileMode);
}

/** Permission bits as four octal digits: `0600`. */
export function octal(mode: number): string {
  return `0${mode.toString(8).padStart(3, '0')}`;
}
