import type { Artifact, Layout } from '@groundplane/phases';

/**
 * The path of an artifact that is a file.
 *
 * @throws TypeError if it is none
 */
export function filePathOf(artifact: Artifact<unknown>, layout: Layout): string {
  const location = artifact.where(layout);
  if (location.kind !== 'file') throw new TypeError(`Cannot find the path of '${artifact.id}' as it is not a file`);
  return location.path;
}
