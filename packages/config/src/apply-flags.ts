import type { Problem } from './decode-document.ts';
import { isFeatureGateProblem, parseFeatureGates } from './feature-gates.ts';
import type { Flag, FlagDocument, FlagValues } from './flag.ts';

type Mutable = Record<string, unknown>;

/** Raw documents as flags describe them, to be decoded like those of a file. */
export type FlagDocuments = Readonly<Record<FlagDocument, Mutable>> & { readonly problems: readonly Problem[] };

/** Turns flags into raw documents by the target paths of a flag table. Unknown names are left to the caller. */
export function documentsOfFlags(flags: FlagValues, table: readonly Flag[]): FlagDocuments {
  const documents: Record<FlagDocument, Mutable> = { init: {}, cluster: {}, join: {}, reset: {}, run: {} };
  const problems: Problem[] = [];
  for (const flag of table) {
    const given = flags[flag.name];
    if (given === undefined || flag.target === undefined) continue;
    const value = converted(flag, given, problems);
    // An empty token means none, as for the other strings.
    if (value === undefined || (flag.name === 'token' && value === '')) continue;
    setPath(documents[flag.target.document], flag.target.path, value);
  }
  return { ...documents, problems };
}

/** Flags whose text is more than a value of its field. */
function converted(flag: Flag, given: FlagValues[string], problems: Problem[]): unknown {
  if (flag.name === 'feature-gates') {
    const gates = parseFeatureGates(String(given));
    if (!isFeatureGateProblem(gates)) return gates;
    problems.push({ ...gates, path: '--feature-gates' });
    return undefined;
  }
  if (!flag.name.endsWith('-extra-args') || !Array.isArray(given)) return given;
  return given.flatMap((pair: string) => {
    const [name = '', value, ...more] = pair.split('=');
    if (value !== undefined && more.length === 0) return [{ name, value }];
    problems.push({
      path: `--${flag.name}`,
      reason: 'each argument must be name=value with one equals sign',
      value: pair,
    });
    return [];
  });
}

function setPath(document: Mutable, path: string, value: unknown): void {
  const keys = path.replaceAll(/\[(\d+)\]/g, '.$1').split('.');
  const last = keys.pop() ?? '';
  let at = document;
  for (const [index, key] of keys.entries()) {
    at[key] ??= /^\d+$/.test(keys[index + 1] ?? last) ? [] : {};
    at = at[key] as Mutable;
  }
  at[last] = value;
}
