import { readFileSync } from 'node:fs';

/** Text of a file of pki's test data. */
export function testdata(name: string): string {
  return readFileSync(new URL(`../../pki/testdata/${name}`, import.meta.url), 'utf8');
}
