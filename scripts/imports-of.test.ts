import { describe, expect, test } from 'vitest';
import { importsOf } from './imports-of.ts';

const value = (specifier: string, line = 1) => ({ specifier, typeOnly: false, line });
const type = (specifier: string, line = 1) => ({ specifier, typeOnly: true, line });

const rows: readonly { readonly source: string; readonly imports: ReturnType<typeof importsOf> }[] = [
  { source: `import 'a';`, imports: [value('a')] },
  { source: `import a from "a";`, imports: [value('a')] },
  { source: `import * as a from 'a';`, imports: [value('a')] },
  { source: `import a, { b as c, type D } from 'a';`, imports: [value('a')] },
  { source: `import {\n  a,\n  b,\n} from 'a';`, imports: [value('a', 4)] },
  { source: `import type { A } from 'a';`, imports: [type('a')] },
  { source: `import type A from 'a';`, imports: [type('a')] },
  { source: `import type from 'a';`, imports: [value('a')] },
  { source: `import { 'odd name' as a } from 'a';`, imports: [value('a')] },
  { source: `export * from 'a';`, imports: [value('a')] },
  { source: `export * as a from 'a';`, imports: [value('a')] },
  { source: `export { a, default as b } from 'a';`, imports: [value('a')] },
  { source: `export type { A } from 'a';`, imports: [type('a')] },
  { source: `export type * from 'a';`, imports: [type('a')] },
  { source: `const a = await import('a');`, imports: [value('a')] },
  { source: `type A = import('a').A;`, imports: [value('a')] },
  { source: `import a from 'a' with { type: 'json' };`, imports: [value('a')] },
  { source: `export const a = 1;\nimport b from 'b';`, imports: [value('b', 2)] },
  { source: `export { a };\nconst from = 'x';\nimport b from 'b'`, imports: [value('b', 3)] },
  { source: `export type A = 'x' | 'y';\nimport b from 'b';`, imports: [value('b', 2)] },
  { source: `const url = import.meta.url;`, imports: [] },
  { source: `object.import('a');`, imports: [] },
  { source: `// import 'a';\n/* import 'b'; */ import 'c';`, imports: [value('c', 2)] },
  { source: `const text = "import 'a'";\nconst other = 'import "b"';`, imports: [] },
  // biome-ignore lint/suspicious/noTemplateCurlyInString: the source holds a template
  { source: 'const text = `import \'a\' ${f("}", `${x}`)} import \'b\'`;\nimport "c";', imports: [value('c', 2)] },
  // biome-ignore lint/suspicious/noTemplateCurlyInString: the source holds a template
  { source: 'const text = `${await import("a")}`;', imports: [value('a')] },
  { source: `const quote = /["'\`]/;\nimport 'a';`, imports: [value('a', 2)] },
  { source: `const half = a / b; const other = c / d;\nimport 'a';`, imports: [value('a', 2)] },
  { source: `const text = 'it\\'s'; import 'a';`, imports: [value('a')] },
  { source: `#!/usr/bin/env node\nimport 'a';`, imports: [value('a', 2)] },
];

describe('importsOf', () => {
  test.each(rows)('$source', ({ source, imports }) => {
    expect(importsOf(source)).toEqual(imports);
  });
});
