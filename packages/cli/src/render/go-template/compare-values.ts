import { formatValue, plainFlags } from './format-value.ts';
import { compareBytes, GoInteger, GoTemplateError, type GoValue, goTypeOf, isGoList, isGoMap } from './go-value.ts';

/**
 * Whether a value equals one of others (Go, text/template/funcs.go, eq). Values of different kinds, and lists and maps, do not compare.
 *
 * @throws GoTemplateError
 */
export function equal(first: GoValue, others: readonly GoValue[]): boolean {
  if (others.length === 0) throw new GoTemplateError('missing argument for comparison');
  return others.some((other) => equalOne(first, other));
}

function equalOne(one: GoValue, other: GoValue): boolean {
  const isNone = [one, other].map((value) => value === null || value === undefined);
  if (isNone.includes(true)) return isNone[0] === isNone[1];
  const kinds = [kindOf(one), kindOf(other)];
  if (kinds[0] !== kinds[1]) throw incompatible(one, other);
  if (one instanceof GoInteger && other instanceof GoInteger) return one.value === other.value;
  if (kinds[0] !== undefined) return one === other;
  const [oneText, otherText] = [one, other].map((value) => formatValue(value, 's', plainFlags));
  if (isGoList(one) === isGoList(other)) {
    throw new GoTemplateError(`non-comparable type ${otherText}: ${goTypeOf(other)}`);
  }
  throw new GoTemplateError(
    `non-comparable types ${oneText}: ${goTypeOf(one)}, ${goTypeOf(other)}: ${formatValue(other, 'v', plainFlags)}`,
  );
}

/**
 * Whether one value comes before another: numbers of the same kind, or texts.
 *
 * @throws GoTemplateError
 */
export function less(one: GoValue, other: GoValue): boolean {
  const kinds = [kindOf(one), kindOf(other)];
  if (kinds.includes(undefined)) throw new GoTemplateError('invalid type for comparison');
  if (kinds[0] !== kinds[1]) throw incompatible(one, other);
  if (one instanceof GoInteger && other instanceof GoInteger) return one.value < other.value;
  if (typeof one === 'string' && typeof other === 'string') return compareBytes(one, other) < 0;
  if (typeof one === 'number' && typeof other === 'number') return one < other;
  throw new GoTemplateError('invalid type for comparison');
}

/** What can be compared with one another; nothing for lists and maps. */
function kindOf(value: GoValue): string | undefined {
  if (value === null || value === undefined || isGoList(value) || isGoMap(value)) return undefined;
  return value instanceof GoInteger ? 'integer' : typeof value;
}

function incompatible(one: GoValue, other: GoValue): GoTemplateError {
  return new GoTemplateError(`incompatible types for comparison: ${goTypeOf(one)} and ${goTypeOf(other)}`);
}
