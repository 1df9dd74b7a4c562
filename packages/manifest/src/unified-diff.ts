import { createTwoFilesPatch } from 'diff';

/**
 * The differences of two texts in unified form with three lines of context, for dry runs and plans.
 *
 * @param before the text as it is, undefined if there is none
 * @param after the text as it would be
 * @param label the name of the file or object
 * @returns the empty string if both are equal
 */
export function unifiedDiff(before: string | undefined, after: string, label: string): string {
  if (before === after) return '';
  const old = before === undefined ? '/dev/null' : label;
  const patch = createTwoFilesPatch(old, label, before ?? '', after, undefined, undefined, { context: 3 });
  // The library begins with a heading that unified diffs do not have.
  return patch.slice(patch.indexOf('--- '));
}
