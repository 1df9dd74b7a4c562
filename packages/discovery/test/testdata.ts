import { readFileSync } from 'node:fs';

/** Text of a file that testdata/make.sh made, or names the origin of. */
export function testdata(name: string): string {
  return readFileSync(new URL(`../testdata/${name}`, import.meta.url), 'utf8');
}
