import { appsTypes } from './apps-types.ts';
import { coreTypes } from './core-types.ts';
import { kubeletTypes } from './kubelet-types.ts';
import { metaTypes } from './meta-types.ts';

/** One field of a Kubernetes type. */
export interface FieldRow {
  readonly name: string;
  /**
   * In the tables' notation: `string`, `bool`, `int32`, `int64`, `uint32`, `float64`, `quantity`, `intOrString`, `time`, `duration`,
   * `any`, the name of a type of the table, `*T` (may be absent), `[]T` (list), `map:T` (from names to T).
   */
  readonly type: string;
  /** It is written even if it holds nothing. */
  readonly isAlwaysWritten: boolean;
  /** `merge`: a strategic merge patch merges the list. `retainKeys`: it may name the members that stay. Otherwise it replaces lists. */
  readonly strategies: readonly string[];
  /** The member that tells items of a merged list apart. */
  readonly mergeKey: string | undefined;
}

type Fields = ReadonlyMap<string, FieldRow>;

let table: ReadonlyMap<string, Fields> | undefined;

/** The fields of a type of the tables, by name; undefined if the text names no such type. */
export function fieldsOf(type: string): Fields | undefined {
  table ??= new Map([coreTypes, appsTypes, metaTypes, kubeletTypes].flatMap(parseTypes));
  return table.get(type);
}

/** Lines of `Type: name type | name type …`; lines that begin with a blank continue the one before. */
function parseTypes(text: string): readonly (readonly [string, Fields])[] {
  const lines = text.trim().replaceAll('\n  ', ' ').split('\n');
  return lines.map((line) => {
    const colon = line.indexOf(':');
    const fields = line
      .slice(colon + 1)
      .split('|')
      .map(parseField);
    return [line.slice(0, colon), new Map(fields.map((field) => [field.name, field]))];
  });
}

function parseField(text: string): FieldRow {
  const [name = '', type = '', strategies = '', mergeKey] = text.trim().split(' ');
  return {
    name,
    type: type.replace(/!$/, ''),
    isAlwaysWritten: type.endsWith('!'),
    strategies: strategies === '' ? [] : strategies.split(','),
    mergeKey,
  };
}
