import { type Alias, isAlias, isMap, isScalar, isSeq, type Node, type Pair, type Scalar, type YAMLMap } from 'yaml';
import { type ResolvedScalar, resolveScalar } from './resolve-scalar.ts';

/** One key that a mapping holds twice, also by way of a merge key. The value that comes last in the text counts. */
export interface DuplicateKey {
  readonly key: string;
  /** Field path of the mapping's entry, for instance `spec.containers[0].name`. */
  readonly path: string;
  /** Line of the file, counted from 1. */
  readonly line: number;
}

/** What is wrong with a node, for the caller to put into its message. */
export class ConstructError extends Error {
  readonly offset: number;
  constructor(message: string, offset: number) {
    super(message);
    this.offset = offset;
  }
}

/** Why a document cannot be read whose collections hold collections that hold collections … */
export const nestedTooDeeply = 'it is nested too deeply';

type JsonObject = Record<string, unknown>;

const standardTag = 'tag:yaml.org,2002:';

/** Characters of a text that may stand in a message: no key and no token is as short. */
const longestQuote = 12;

/** Far more than any document needs, and far less than what the stack of whoever walks through the value holds. */
const maximumDepth = 500;

/** Builds JSON values from parsed nodes with the rules of Go's YAML 1.1 reader, and notes duplicate keys. */
export class ValueConstructor {
  readonly duplicateKeys: DuplicateKey[] = [];
  readonly #text: string;
  readonly #lineOf: (offset: number) => number;
  readonly #anchors = new Map<string, Node>();
  readonly #open = new Set<Node>();
  #decoded = 0;
  #decodedInAliases = 0;
  #aliasDepth = 0;
  #depth = 0;

  /**
   * @param text what the nodes were parsed from
   * @param lineOf the line of the file at an offset of the text
   */
  constructor(text: string, lineOf: (offset: number) => number) {
    this.#text = text;
    this.#lineOf = lineOf;
  }

  value(node: Node | null | undefined, path: string): unknown {
    if (this.#depth === maximumDepth) throw new ConstructError(nestedTooDeeply, offsetOf(node));
    this.#depth++;
    try {
      return this.#value(node, path);
    } finally {
      this.#depth--;
    }
  }

  #value(node: Node | null | undefined, path: string): unknown {
    this.#count(node);
    if (node === null || node === undefined) return null;
    if (isAlias(node)) return this.#throughAlias(node, (target) => this.value(target, path));
    this.#remember(node);
    if (isScalar(node)) return scalarValue(node, this.#textOf(node));
    if (isSeq(node)) return node.items.map((item, index) => this.value(item as Node, `${path}[${index}]`));
    if (isMap(node)) return this.#fill(node, {}, path);
    throw new ConstructError('it holds an unknown kind of node', offsetOf(node));
  }

  /** A block that the text ends in, without a line end, has none either; the parser adds it. */
  #textOf(node: Scalar): string {
    const text = String(node.value ?? '');
    const isBlock = node.type === 'BLOCK_LITERAL' || node.type === 'BLOCK_FOLDED';
    const isCut = isBlock && !this.#text.endsWith('\n') && (node.range?.[1] ?? 0) >= this.#text.length;
    return isCut ? text.replace(/\n$/, '') : text;
  }

  #fill(map: YAMLMap, into: JsonObject, path: string): JsonObject {
    for (const pair of map.items as Pair<Node | null, Node | null>[]) {
      if (isMergeKey(pair.key)) {
        this.#merge(pair.value, into, path);
        continue;
      }
      const key = this.#key(pair.key);
      const entryPath = path === '' ? key : `${path}.${key}`;
      if (Object.hasOwn(into, key)) {
        this.duplicateKeys.push({ key, path: entryPath, line: this.#lineOf(offsetOf(pair.key ?? map)) });
      }
      // An ordinary assignment of __proto__ would change the object's prototype.
      Object.defineProperty(into, key, {
        value: this.value(pair.value, entryPath),
        enumerable: true,
        configurable: true,
        writable: true,
      });
    }
    return into;
  }

  /** A merge key overrides what stands before it, and what follows overrides it: the reader goes by text order. */
  #merge(node: Node | null, into: JsonObject, path: string): void {
    if (isAlias(node)) {
      this.#throughAlias(node, (target) => this.#merge(target, into, path));
      return;
    }
    // Mappings of merge keys alone grow as fast as any others.
    this.#count(node);
    if (isMap(node)) {
      this.#remember(node);
      this.#fill(node, into, path);
      return;
    }
    if (!isSeq(node)) throw new ConstructError('a merge key needs a mapping or a list of mappings', offsetOf(node));
    for (const item of [...node.items].reverse() as Node[]) {
      if (isSeq(item)) throw new ConstructError('a merge key needs a mapping or a list of mappings', offsetOf(item));
      this.#merge(item, into, path);
    }
  }

  #key(node: Node | null): string {
    const value = this.value(node, '');
    if (typeof value === 'string') return value;
    if (typeof value === 'number' || typeof value === 'boolean') return String(value);
    throw new ConstructError('a mapping key must be a string, a number or a boolean', offsetOf(node));
  }

  #remember(node: Node): void {
    const anchor = (node as { anchor?: string }).anchor;
    if (anchor !== undefined) this.#anchors.set(anchor, node);
  }

  #throughAlias<T>(alias: Alias, use: (target: Node) => T): T {
    const target = this.#anchors.get(alias.source);
    if (target === undefined)
      throw new ConstructError(`the anchor ${quoted(alias.source)} is unknown`, offsetOf(alias));
    if (this.#open.has(target)) {
      throw new ConstructError(`the anchor ${quoted(alias.source)} contains itself`, offsetOf(alias));
    }
    this.#open.add(target);
    this.#aliasDepth++;
    try {
      return use(target);
    } finally {
      this.#aliasDepth--;
      this.#open.delete(target);
    }
  }

  /** A small text must not grow without bound through aliases of aliases; the limits are those of Go's reader. */
  #count(node: Node | null | undefined): void {
    this.#decoded++;
    if (this.#aliasDepth > 0) this.#decodedInAliases++;
    const allowed = 0.99 - 0.89 * Math.min(1, Math.max(0, (this.#decoded - 400_000) / 3_600_000));
    if (this.#decodedInAliases > 100 && this.#decoded > 1000 && this.#decodedInAliases / this.#decoded > allowed) {
      throw new ConstructError('it uses aliases excessively', offsetOf(node));
    }
  }
}

/** A text of the document for a message; a long one may be a secret. */
function quoted(text: string): string {
  return `'${text.length > longestQuote ? `${text.slice(0, 4)}…` : text}'`;
}

function offsetOf(node: Node | null | undefined): number {
  return node?.range?.[0] ?? 0;
}

function isMergeKey(node: Node | null): boolean {
  return isScalar(node) && node.value === '<<' && node.type === 'PLAIN' && node.tag === undefined;
}

function scalarValue(node: Scalar, text: string): ResolvedScalar {
  const tag = node.tag?.startsWith(standardTag) ? node.tag.slice(standardTag.length) : node.tag;
  if (tag === undefined) {
    if (node.type !== 'PLAIN') return text;
    return jsonScalar(resolveScalar(text).value, node);
  }
  if (tag === 'binary') return decodeBase64(text, node);
  if (!['bool', 'int', 'float', 'null', 'timestamp'].includes(tag)) return text;
  const { type, value } = resolveScalar(text);
  const fits = {
    boolean: ['bool'],
    integer: ['int', 'float'],
    float: ['float'],
    null: ['null'],
    timestamp: ['timestamp'],
  };
  if (!(fits as Record<string, readonly string[]>)[type]?.includes(tag)) {
    throw new ConstructError(`${quoted(text)} is no ${tag}`, offsetOf(node));
  }
  return jsonScalar(value, node);
}

function jsonScalar(value: ResolvedScalar, node: Node): ResolvedScalar {
  if (typeof value === 'number' && !Number.isFinite(value)) {
    throw new ConstructError(`the number ${value} has no JSON form`, offsetOf(node));
  }
  return value;
}

function decodeBase64(text: string, node: Node): string {
  try {
    return new TextDecoder().decode(Uint8Array.from(atob(text), (character) => character.charCodeAt(0)));
  } catch {
    throw new ConstructError('a !!binary value is not base64', offsetOf(node));
  }
}
