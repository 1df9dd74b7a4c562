import { type JsonPath, JsonPathError, type JsonPathNode, type Slice } from './json-path-node.ts';

export interface JsonPathOptions {
  /** Whether a field that is not there is no error. */
  readonly allowMissingKeys: boolean;
  /** Prints what each path finds as a JSON list. */
  readonly asJson?: boolean;
}

/**
 * Prints what a template says about a value (k8s.io/client-go/util/jsonpath): what a path finds is separated by spaces, lists and
 * objects are JSON; `range` and `end` repeat what is between them, where `@` and `$` are the current element.
 *
 * @param data plain JSON
 * @throws JsonPathError
 */
export function printJsonPath(template: JsonPath, data: unknown, options: JsonPathOptions): string {
  let printed = '';
  const block = (start: number, current: unknown, depth: number, silent: boolean): number => {
    for (let at = start; at < template.length; at += 1) {
      const node = template[at] as JsonPathNode;
      const [first, ...more] = node.type === 'path' ? node.steps : [];
      if (first?.type === 'keyword') {
        if (first.name === 'end') {
          if (depth === 0) throw new JsonPathError('not in range, nothing to end');
          return at;
        }
        if (first.name !== 'range') throw new JsonPathError(`unrecognized identifier ${first.name}`);
        const values = silent ? [] : walk(more, [current], options);
        let end = template.length;
        if (values.length === 0) end = block(at + 1, undefined, depth + 1, true);
        for (const value of values) end = block(at + 1, value, depth + 1, silent);
        at = end;
      } else if (!silent) printed += printedResults(walk([node], [current], options), options);
    }
    return template.length;
  };
  block(0, data, 0, false);
  return printed;
}

function printedResults(results: readonly unknown[], { asJson }: JsonPathOptions): string {
  if (asJson === true) return `${JSON.stringify(results, undefined, 4)}\n`;
  return results
    .map((value) => (typeof value === 'object' && value !== null ? JSON.stringify(sorted(value)) : String(value)))
    .join(' ');
}

/** Go prints the keys of a map in their order. */
function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted);
  if (typeof value !== 'object' || value === null) return value;
  const entries = Object.entries(value).toSorted(([one], [other]) => (one < other ? -1 : 1));
  return Object.fromEntries(entries.map(([key, child]) => [key, sorted(child)]));
}

function walk(path: JsonPath, values: readonly unknown[], options: JsonPathOptions): readonly unknown[] {
  return path.reduce((found: readonly unknown[], node) => step(node, found, options), values);
}

function step(node: JsonPathNode, values: readonly unknown[], options: JsonPathOptions): readonly unknown[] {
  const present = values.filter((value) => value !== null && value !== undefined);
  switch (node.type) {
    case 'text':
      return [node.value];
    case 'constant':
      return values.map(() => node.value);
    case 'path':
      return walk(node.steps, values, options);
    case 'union':
      return node.paths.flatMap((path) => walk(path, values, options));
    case 'wildcard':
      return present.flatMap(childrenOf);
    case 'recursive':
      return present.flatMap(descendantsOf);
    case 'slice':
      return present.flatMap((value) => sliced(value, node));
    case 'filter':
      return present.flatMap((value) => filtered(value, node, options));
    case 'field': {
      const found = present.flatMap((value) =>
        !Array.isArray(value) && typeof value === 'object' && Object.hasOwn(value as object, node.name)
          ? [(value as Readonly<Record<string, unknown>>)[node.name]]
          : [],
      );
      if (found.length > 0 || values.length === 0 || options.allowMissingKeys) return found;
      throw new JsonPathError(`${node.name} is not found`);
    }
    case 'keyword':
      throw new JsonPathError(`unrecognized identifier ${node.name}`);
  }
}

function childrenOf(value: unknown): readonly unknown[] {
  return typeof value === 'object' && value !== null ? Object.values(value) : [];
}

function descendantsOf(value: unknown): readonly unknown[] {
  const children = childrenOf(value);
  return children.length === 0 ? [] : [value, ...children.flatMap(descendantsOf)];
}

function sliced(value: unknown, { start = 0, end, step: every = 1, single }: Slice): readonly unknown[] {
  if (!Array.isArray(value)) throw new JsonPathError(`${typeof value} is not array or slice`);
  const { length } = value;
  const from = start < 0 ? start + length : start;
  const to = single === true ? from + 1 : end === undefined ? length : end < 0 ? end + length : end;
  if (from === to) return [];
  const outside = (index: number) => new JsonPathError(`array index out of bounds: index ${index}, length ${length}`);
  if (from >= length || from < 0) throw outside(from);
  if (to > length || to < 0) throw outside(to - 1);
  if (from > to) throw new JsonPathError(`starting index ${from} is greater than ending index ${to}`);
  if (every <= 0) throw new JsonPathError('step must be > 0');
  return value.slice(from, to).filter((_, index) => index % every === 0);
}

const comparisons: Readonly<Record<string, (left: never, right: never) => boolean>> = {
  '<': (left, right) => left < right,
  '>': (left, right) => left > right,
  '<=': (left, right) => left <= right,
  '>=': (left, right) => left >= right,
  '==': (left, right) => left === right,
  '!=': (left, right) => left !== right,
};

function filtered(
  value: unknown,
  { left, operator, right }: Extract<JsonPathNode, { type: 'filter' }>,
  options: JsonPathOptions,
): readonly unknown[] {
  if (!Array.isArray(value)) throw new JsonPathError(`${String(value)} is not array or slice and cannot be filtered`);
  if (operator === 'exists') {
    return value.filter((element) => walk(left, [element], { ...options, allowMissingKeys: true }).length > 0);
  }
  const compare = comparisons[operator];
  return value.filter((element) => {
    const sides = [walk(left, [element], options), walk(right, [element], options)];
    if (sides.some((side) => side.length > 1)) throw new JsonPathError('can only compare one element at a time');
    if (sides.some((side) => side.length === 0)) return false;
    if (compare === undefined) throw new JsonPathError(`unrecognized filter operator ${operator}`);
    const [one, other] = sides.map(([only]) => only);
    if (typeof one !== typeof other) throw new JsonPathError('incompatible types for comparison');
    return compare(one as never, other as never);
  });
}
