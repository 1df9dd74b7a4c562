import { equal, less } from './compare-values.ts';
import { escapedForHtml, escapedForJavaScript, escapedForQuery } from './escape-text.ts';
import { formatTemplate } from './format-template.ts';
import { formatValue, plainFlags } from './format-value.ts';
import { GoInteger, GoTemplateError, type GoValue, goTypeOf, isGoList, isGoMap, isTrue } from './go-value.ts';

/** `string` takes texts only. */
export type ArgumentType = 'value' | 'string';

export interface TemplateFunction {
  readonly takes: readonly ArgumentType[];
  /** Of the further arguments, where it takes any number. */
  readonly rest?: ArgumentType;
  /** The truth of an argument that settles the result, so that later ones are not looked at. */
  readonly decides?: boolean;
  /** @throws GoTemplateError */
  readonly call: (values: readonly GoValue[]) => GoValue;
}

const pair: readonly ArgumentType[] = ['value', 'value'];
const last = (values: readonly GoValue[]) => values.at(-1);

/** Those of text/template (funcs.go), and the two that Kubernetes' printers add (k8s.io/cli-runtime, printers/template.go). */
const functions: ReadonlyMap<string, TemplateFunction> = new Map<string, TemplateFunction>([
  ['and', { takes: ['value'], rest: 'value', decides: false, call: last }],
  ['or', { takes: ['value'], rest: 'value', decides: true, call: last }],
  ['not', { takes: ['value'], call: ([value]) => !isTrue(value) }],
  ['len', { takes: ['value'], call: ([value]) => new GoInteger(lengthOf(value)) }],
  ['index', { takes: ['value'], rest: 'value', call: ([value, ...keys]) => indexed(value, keys) }],
  ['slice', { takes: ['value'], rest: 'value', call: ([value, ...bounds]) => sliced(value, bounds) }],
  ['print', { takes: [], rest: 'value', call: printed }],
  ['println', { takes: [], rest: 'value', call: (values) => `${values.map(plain).join(' ')}\n` }],
  [
    'printf',
    { takes: ['string'], rest: 'value', call: ([format, ...values]) => formatTemplate(String(format), values) },
  ],
  ['html', { takes: [], rest: 'value', call: (values) => escapedForHtml(printedOrNoValue(values)) }],
  ['js', { takes: [], rest: 'value', call: (values) => escapedForJavaScript(printedOrNoValue(values)) }],
  ['urlquery', { takes: [], rest: 'value', call: (values) => escapedForQuery(printedOrNoValue(values)) }],
  ['eq', { takes: ['value'], rest: 'value', call: ([first, ...others]) => equal(first, others) }],
  ['ne', { takes: pair, call: ([one, other]) => !equal(one, [other]) }],
  ['lt', { takes: pair, call: ([one, other]) => less(one, other) }],
  ['le', { takes: pair, call: ([one, other]) => less(one, other) || equal(one, [other]) }],
  ['gt', { takes: pair, call: ([one, other]) => !(less(one, other) || equal(one, [other])) }],
  ['ge', { takes: pair, call: ([one, other]) => !less(one, other) }],
  ['call', { takes: ['value'], rest: 'value', call: ([value]) => called(value) }],
  ['exists', { takes: ['value'], rest: 'value', call: ([value, ...keys]) => exists(value, keys) }],
  ['base64decode', { takes: ['string'], call: ([text]) => decodedBase64(String(text)) }],
]);

export function isTemplateFunction(name: string): boolean {
  return functions.has(name);
}

/** @throws TypeError for a name that is none; the parser lets none through */
export function templateFunction(name: string): TemplateFunction {
  const found = functions.get(name);
  if (found === undefined) throw new TypeError(`no function of templates: ${name}`);
  return found;
}

function plain(value: GoValue): string {
  return formatValue(value, 'v', plainFlags);
}

/** Go's fmt.Sprint: a space between two values neither of which is a text. */
function printed(values: readonly GoValue[]): string {
  return values
    .map((value, index) => {
      const apart = index > 0 && typeof value !== 'string' && typeof values[index - 1] !== 'string';
      return `${apart ? ' ' : ''}${plain(value)}`;
    })
    .join('');
}

function printedOrNoValue(values: readonly GoValue[]): string {
  return printed(values.map((value) => value ?? '<no value>'));
}

function lengthOf(value: GoValue): number {
  if (typeof value === 'string') return Buffer.byteLength(value);
  if (isGoList(value)) return value.length;
  if (isGoMap(value)) return value.size;
  if (value === null) throw new GoTemplateError('len of nil pointer');
  if (value === undefined) throw new GoTemplateError('reflect: call of reflect.Value.Type on zero Value');
  throw new GoTemplateError(`len of type ${goTypeOf(value)}`);
}

function indexed(item: GoValue, keys: readonly GoValue[]): GoValue {
  if (item === null || item === undefined) throw new GoTemplateError('index of untyped nil');
  return keys.reduce<GoValue>((value, key) => {
    if (value === null || value === undefined) throw new GoTemplateError('index of nil pointer');
    if (isGoMap(value)) {
      if (typeof key === 'string') return value.get(key) ?? null;
      const reason =
        key === null || key === undefined
          ? 'value is nil; should be of type string'
          : `value has type ${goTypeOf(key)}; should be string`;
      throw new GoTemplateError(reason);
    }
    if (!isGoList(value) && typeof value !== 'string') {
      throw new GoTemplateError(`can't index item of type ${goTypeOf(value)}`);
    }
    const length = lengthOf(value);
    const at = indexOf(key, length);
    if (at === length) {
      throw new GoTemplateError(`reflect: ${isGoList(value) ? 'slice' : 'string'} index out of range`);
    }
    return isGoList(value) ? value[at] : new GoInteger(Buffer.from(value)[at] ?? 0, 'uint8');
  }, item);
}

/** A list's room beyond its end, which Go lets templates see, is none here. */
function sliced(value: GoValue, bounds: readonly GoValue[]): GoValue {
  if (value === null || value === undefined) throw new GoTemplateError('slice of untyped nil');
  if (bounds.length > 3) throw new GoTemplateError(`too many slice indexes: ${bounds.length}`);
  const isText = typeof value === 'string';
  if (isText && bounds.length === 3) throw new GoTemplateError('cannot 3-index slice a string');
  if (!isText && !isGoList(value)) throw new GoTemplateError(`can't slice item of type ${goTypeOf(value)}`);
  const length = lengthOf(value);
  const [from = 0, to = length, most = length] = bounds.map((bound) => indexOf(bound, length));
  if (from > to) throw new GoTemplateError(`invalid slice index: ${from} > ${to}`);
  if (to > most) throw new GoTemplateError(`invalid slice index: ${to} > ${most}`);
  return isText ? Buffer.from(value).subarray(from, to).toString() : value.slice(from, to);
}

function indexOf(key: GoValue, most: number): number {
  if (key === null || key === undefined) throw new GoTemplateError('cannot index slice/array with nil');
  if (!(key instanceof GoInteger)) throw new GoTemplateError(`cannot index slice/array with type ${goTypeOf(key)}`);
  if (key.value < 0n || key.value > BigInt(most)) throw new GoTemplateError(`index out of range: ${key.value}`);
  return Number(key.value);
}

/** No value of an object is a function. */
function called(value: GoValue): never {
  if (value === null || value === undefined) throw new GoTemplateError('call of nil');
  throw new GoTemplateError(`non-function of type ${goTypeOf(value)}`);
}

function exists(item: GoValue, keys: readonly GoValue[]): boolean {
  let value = item;
  for (const key of keys) {
    if (isGoMap(value)) {
      if (typeof key !== 'string' && key !== null && key !== undefined) return false;
      value = value.get(key ?? '') ?? null;
    } else if (isGoList(value) || typeof value === 'string') {
      if (!(key instanceof GoInteger) || key.value < 0n || key.value >= BigInt(lengthOf(value))) return false;
      value = indexed(value, [key]);
    } else return false;
  }
  // Go's function takes the null that is looked at itself for something.
  return keys.length === 0 || value !== null;
}

function decodedBase64(text: string): string {
  const plainText = text.replace(/[\r\n]/g, '');
  if (!/^(?:[A-Za-z\d+/]{4})*(?:[A-Za-z\d+/]{2}==|[A-Za-z\d+/]{3}=)?$/.test(plainText)) {
    const wrong = /[^A-Za-z\d+/]/.exec(text)?.index ?? text.length - (text.length % 4);
    throw new GoTemplateError(`base64 decode failed: illegal base64 data at input byte ${wrong}`);
  }
  return Buffer.from(plainText, 'base64').toString();
}
