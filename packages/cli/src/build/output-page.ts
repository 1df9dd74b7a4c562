/**
 * Writes the part of `docs/output.md` that comes from the schemas: `node packages/cli/src/build/output-page.ts`. A test holds the page to them.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { pageWithSchemas } from './schema-sections.ts';

const path = fileURLToPath(new URL('../../../../docs/output.md', import.meta.url));
writeFileSync(path, pageWithSchemas(readFileSync(path, 'utf8')));
