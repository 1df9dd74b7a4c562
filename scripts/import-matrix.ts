/** Checks who imports whom against import-matrix-table.ts; explains what it refuses. Run it with `node scripts/import-matrix.ts [root]`. */
import { fileURLToPath } from 'node:url';
import { checkImports, type Refusal } from './import-rules.ts';

/** A refusal as text: where, what, which rule, what to do. */
export function explain({ file, line, subject, rule, remedy }: Refusal): string {
  const where = line === undefined ? file : `${file}:${line}`;
  return [`${where}: ${subject}`, `  rule: ${rule}`, `  do:   ${remedy}`].join('\n');
}

if (import.meta.main) {
  const refusals = checkImports(process.argv[2] ?? fileURLToPath(new URL('..', import.meta.url)));
  for (const refusal of refusals) console.error(explain(refusal));
  console.error(
    refusals.length === 0
      ? 'Imports are as the table says'
      : `${refusals.length} refused by scripts/import-matrix-table.ts`,
  );
  process.exitCode = refusals.length === 0 ? 0 : 1;
}
