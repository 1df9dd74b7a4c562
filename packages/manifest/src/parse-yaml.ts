import { type Document, isScalar, LineCounter, parseAllDocuments, type Scalar, visit, type YAMLParseError } from 'yaml';
import { ConstructError, type DuplicateKey, nestedTooDeeply, ValueConstructor } from './construct-value.ts';
import { manifestError } from './error-codes.ts';
import { splitDocuments } from './split-documents.ts';

/** One document of a file, as Kubernetes reads it. */
export interface ParsedDocument {
  /** Plain JSON data: objects, arrays, strings, numbers, booleans and null. An empty document is null. */
  readonly value: unknown;
  /** `apiVersion` and `kind` of the value, where it is an object and they are strings that are not empty. */
  readonly apiVersion: string | undefined;
  readonly kind: string | undefined;
  /** Number in the file, counted from 1. Empty documents count. */
  readonly number: number;
  /** Line of the file, counted from 1, on which the document starts. */
  readonly line: number;
  /** True if the document holds nothing but blanks and comments. Kubernetes' config readers refuse such a document. */
  readonly empty: boolean;
  /** Keys that occur twice in one mapping. Strict readers refuse them, others let the last one count. */
  readonly duplicateKeys: readonly DuplicateKey[];
}

export interface ParseYamlOptions {
  /** Refuse a key that occurs twice in one mapping; otherwise the last one counts. @default false */
  readonly strict?: boolean;
}

export interface ParseDocumentsOptions {
  /**
   * Accept a document that starts with a brace without being JSON. Readers of configuration refuse it, those of patches do not.
   * @default false
   */
  readonly allowFlowMappings?: boolean;
}

/**
 * Reads one YAML or JSON document as Kubernetes does: YAML 1.1 scalars (`yes`, `on`, `0644`, `1_000`), merge keys,
 * dates as strings. What follows the first document is ignored. A text without content is null.
 *
 * @throws MANIFEST_YAML_INVALID, MANIFEST_JSON_INVALID, and with `strict` MANIFEST_DUPLICATE_KEY
 */
export function parseYaml(text: string, options: ParseYamlOptions = {}): unknown {
  const document = parseText(text, { number: 1, line: 1 });
  const duplicate = document.duplicateKeys[0];
  if (options.strict === true && duplicate !== undefined) {
    throw manifestError(
      'MANIFEST_DUPLICATE_KEY',
      `Cannot read the YAML text as line ${duplicate.line} sets a key again: ${duplicate.path}`,
      { details: { ...duplicate } },
    );
  }
  return document.value;
}

/**
 * Reads all documents of a YAML or JSON text, split as Kubernetes splits them (see {@link splitDocuments}).
 *
 * @returns every document in file order, empty and comment-only ones included, marked `empty`
 * @throws MANIFEST_SEPARATOR_INVALID, MANIFEST_YAML_INVALID, MANIFEST_JSON_INVALID; the message names document and line
 */
export function parseDocuments(text: string, options: ParseDocumentsOptions = {}): readonly ParsedDocument[] {
  return splitDocuments(text).map(({ text: part, line }, index) =>
    parseText(part, { number: index + 1, line }, options),
  );
}

function parseText(
  text: string,
  place: { readonly number: number; readonly line: number },
  { allowFlowMappings = false }: ParseDocumentsOptions = {},
): ParsedDocument {
  // Go's scanner takes a lone carriage return and NEL for line breaks, too.
  const normalized = text.replaceAll(/\r\n?|\u0085/g, '\n');
  const lineCounter = new LineCounter();
  const lineOf = (offset: number): number => place.line + Math.max(lineCounter.linePos(offset).line, 1) - 1;
  const invalidAt = (reason: string, line: number): Error =>
    manifestError('MANIFEST_YAML_INVALID', `Cannot read YAML document ${place.number} as ${reason}: line ${line}`, {
      details: { document: place.number, line },
    });
  const invalid = (reason: string, offset: number): Error => invalidAt(reason, lineOf(offset));

  const control = controlCharacter.exec(normalized);
  if (control !== null) {
    const character = `U+${control[0].charCodeAt(0).toString(16).padStart(4, '0').toUpperCase()}`;
    const line = place.line + normalized.slice(0, control.index).split('\n').length - 1;
    throw invalidAt(`it holds the control character ${character}`, line);
  }
  let value: unknown = null;
  let duplicateKeys: readonly DuplicateKey[] = [];
  let document: Document.Parsed | undefined;
  try {
    document = firstDocument(normalized, lineCounter);
    const error = document?.errors[0];
    if (error !== undefined) throw invalid(reasonOf(error), error.pos[0]);
    if (document !== undefined) {
      if (document.directives?.yaml.explicit === true && document.directives.yaml.version !== '1.1') {
        throw invalid(`it claims YAML version ${document.directives.yaml.version} and not 1.1`, document.range[0]);
      }
      visit(document, { Scalar: (_, node) => refuseJsonEscapes(node, invalid) });
      const builder = new ValueConstructor(normalized, lineOf);
      value = builder.value(document.contents, '');
      duplicateKeys = builder.duplicateKeys;
    }
  } catch (thrown) {
    if (thrown instanceof ConstructError) throw invalid(thrown.message, thrown.offset);
    if (thrown instanceof RangeError) throw invalid(nestedTooDeeply, 0);
    throw thrown;
  }
  if (!allowFlowMappings && /^\s*\{/.test(text)) requireJson(text, place);
  const fields = typeof value === 'object' && value !== null ? (value as { apiVersion?: unknown; kind?: unknown }) : {};
  return {
    value,
    apiVersion: textOf(fields.apiVersion),
    kind: textOf(fields.kind),
    number: place.number,
    line: place.line,
    empty: isBlank(document?.contents),
    duplicateKeys,
  };
}

function firstDocument(text: string, lineCounter: LineCounter): Document.Parsed | undefined {
  const parsed = parseAllDocuments(text, {
    version: '1.1',
    schema: 'failsafe',
    resolveKnownTags: false,
    uniqueKeys: false,
    merge: false,
    keepSourceTokens: true,
    prettyErrors: false,
    logLevel: 'silent',
    lineCounter,
  });
  return Array.isArray(parsed) ? parsed[0] : undefined;
}

/** What Go's reader takes in no text, comments included (go.yaml.in/yaml/v2, readerc.go). */
const controlCharacter = /[\0-\x08\v\f\x0e-\x1f\x7f-\x9f\ufffe\uffff]/;

function reasonOf({ code, message }: YAMLParseError): string {
  // The parser goes one call deeper for each collection in a collection, until the stack ends.
  if (code === 'RESOURCE_EXHAUSTION') return nestedTooDeeply;
  // Behind a colon it quotes what it did not expect, which may be secret.
  return sentence(message.replace(/(?<=\w): [\s\S]*$/, ''));
}

function isBlank(contents: unknown): boolean {
  if (contents === null || contents === undefined) return true;
  return isScalar(contents) && contents.type === 'PLAIN' && contents.value === '' && contents.tag === undefined;
}

/** YAML 1.1 knows neither the escape `\/` nor surrogate pairs, which JSON writers like to use. */
function refuseJsonEscapes(node: Scalar, invalid: (reason: string, offset: number) => Error): void {
  if (node.type !== 'QUOTE_DOUBLE') return;
  const source = node.srcToken !== undefined && 'source' in node.srcToken ? node.srcToken.source : '';
  const match = /^(?:[^\\]|\\[^/u]|\\u(?![dD][89a-fA-F]))*?(\\\/|\\u[dD][89a-fA-F][0-9a-fA-F]{2})/.exec(source);
  if (match?.[1] !== undefined) {
    throw invalid(`a quoted text holds the escape ${match[1]} that YAML 1.1 lacks`, node.range?.[0] ?? 0);
  }
}

/** A text that starts with a brace is JSON to Kubernetes, so flow-style YAML there is refused. */
function requireJson(text: string, place: { readonly number: number; readonly line: number }): void {
  try {
    JSON.parse(text);
  } catch {
    // The parser's own message quotes the text, which may be secret.
    throw manifestError(
      'MANIFEST_JSON_INVALID',
      `Cannot read document ${place.number} as it starts with a brace but is not JSON: line ${place.line}`,
      {
        hint: 'Check it for trailing commas, comments and names without double quotes',
        details: { document: place.number, line: place.line },
      },
    );
  }
}

function sentence(text: string): string {
  return `${text.charAt(0).toLowerCase()}${text.slice(1)}`.replace(/\.$/, '');
}

function textOf(value: unknown): string | undefined {
  return typeof value === 'string' && value !== '' ? value : undefined;
}
