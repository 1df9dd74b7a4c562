import { type JsonPath, JsonPathError, type JsonPathNode } from './json-path-node.ts';

/** What ends a name. */
const nameEnd = /[\s.,[\]$@{}]/;

/**
 * Parses a template: text, and paths in braces.
 *
 * @throws JsonPathError
 */
export function parseJsonPath(template: string): JsonPath {
  const nodes: JsonPathNode[] = [];
  let at = 0;
  while (at < template.length) {
    const open = template.indexOf('{', at);
    const text = template.slice(at, open < 0 ? undefined : open);
    if (text !== '') nodes.push({ type: 'text', value: text });
    if (open < 0) break;
    const reader = new PathReader(template, open + 1);
    nodes.push({ type: 'path', steps: reader.read('}') });
    at = reader.at;
  }
  return nodes;
}

function parsePath(text: string): JsonPath {
  return new PathReader(`${text}}`, 0).read('}');
}

class PathReader {
  readonly #text: string;
  at: number;

  constructor(text: string, at: number) {
    this.#text = text;
    this.at = at;
  }

  /** Reads steps up to the end sign, and passes it. */
  read(end: string): JsonPath {
    const steps: JsonPathNode[] = [];
    for (;;) {
      const rest = this.#text.slice(this.at);
      const sign = rest[0];
      if (sign === undefined || sign === '\n' || sign === '\r') throw new JsonPathError('unclosed action');
      if (sign === end) {
        this.at += 1;
        return steps;
      }
      if (rest.startsWith('[?(')) steps.push(this.#filter());
      else if (rest.startsWith('..')) {
        if (steps.at(-1)?.type === 'recursive') throw new JsonPathError('invalid multiple recursive descent');
        this.at += 2;
        steps.push({ type: 'recursive' });
        if (/^[\p{L}\p{N}_]/u.test(this.#text.slice(this.at))) steps.push(this.#field());
      } else if (sign === ' ' || sign === '@' || sign === '$') this.at += 1;
      else if (sign === '[') steps.push(...this.#array());
      else if (sign === '"' || sign === "'") steps.push(this.#quoted(sign));
      else if (sign === '.') {
        this.at += 1;
        steps.push(this.#field());
      } else if (/[-+\d]/.test(sign)) steps.push(this.#number());
      else if (/[\p{L}_]/u.test(sign)) steps.push(this.#word());
      else throw new JsonPathError(`unrecognized character in action: ${sign}`);
    }
  }

  #field(): JsonPathNode {
    const start = this.at;
    while (this.at < this.#text.length && !nameEnd.test(this.#text[this.at] ?? '')) {
      this.at += this.#text[this.at] === '\\' ? 2 : 1;
    }
    const name = this.#text.slice(start, this.at);
    return name === '*' ? { type: 'wildcard' } : { type: 'field', name: name.replaceAll('\\', '') };
  }

  #number(): JsonPathNode {
    const [text = ''] = /^[-+]?[\d.]*/.exec(this.#text.slice(this.at)) ?? [];
    this.at += text.length;
    const value = Number(text);
    if (!/\d/.test(text) || Number.isNaN(value)) throw new JsonPathError(`cannot parse number ${text}`);
    return { type: 'constant', value };
  }

  #word(): JsonPathNode {
    const start = this.at;
    while (this.at < this.#text.length && !nameEnd.test(this.#text[this.at] ?? '')) this.at += 1;
    const name = this.#text.slice(start, this.at);
    return name === 'true' || name === 'false'
      ? { type: 'constant', value: name === 'true' }
      : { type: 'keyword', name };
  }

  #quoted(quote: string): JsonPathNode {
    const start = this.at + 1;
    for (this.at = start; this.#text[this.at] !== quote; this.at += this.#text[this.at] === '\\' ? 2 : 1) {
      if (this.at >= this.#text.length || this.#text[this.at] === '\n') {
        throw new JsonPathError('unterminated quoted string');
      }
    }
    const value = unquoted(this.#text.slice(start, this.at));
    this.at += 1;
    return { type: 'text', value };
  }

  #array(): JsonPath {
    const [whole, inside = ''] = /^\[([^\]\n]*)\]/.exec(this.#text.slice(this.at)) ?? [];
    if (whole === undefined) throw new JsonPathError('unterminated array');
    this.at += whole.length;
    const parts = inside.split(',');
    if (parts.length > 1) return [{ type: 'union', paths: parts.map((part) => parsePath(`[${part.trim()}]`)) }];
    const [, key] = /^'([^']*)'$/.exec(inside) ?? [];
    if (key !== undefined) return parsePath(`.${key}`);
    return [sliceOf(inside === '*' ? ':' : inside)];
  }

  #filter(): JsonPathNode {
    const start = this.at + 3;
    let quote = '';
    for (this.at = start; quote !== '' || this.#text[this.at] !== ')'; this.at += 1) {
      const sign = this.#text[this.at];
      if (sign === undefined || sign === '\n') throw new JsonPathError('unterminated filter');
      if (quote === '' && (sign === '"' || sign === "'")) quote = sign;
      else if (sign === quote && this.#text[this.at - 1] !== '\\') quote = '';
    }
    const text = this.#text.slice(start, this.at);
    if (this.#text[this.at + 1] !== ']') throw new JsonPathError('unclosed array expect ]');
    this.at += 2;
    const [, left = '', operator = '', right = ''] = /^([^!<>=]+)([!<>=]+)(.+?)$/s.exec(text) ?? [];
    if (operator === '') return { type: 'filter', left: parsePath(text), operator: 'exists', right: [] };
    return { type: 'filter', left: parsePath(left), operator, right: parsePath(right) };
  }
}

function sliceOf(text: string): JsonPathNode {
  const match = /^(-?\d*)(?::(-?\d*))?(?::(-?\d*))?$/.exec(text);
  if (match === null) throw new JsonPathError(`invalid array index ${text}`);
  const [start, end, step] = match.slice(1).map((part) => {
    if (part === undefined || part === '') return undefined;
    if (!/\d/.test(part)) throw new JsonPathError(`array index ${part} is not a number`);
    return Number(part);
  });
  return {
    type: 'slice',
    ...(start === undefined ? {} : { start }),
    ...(end === undefined ? {} : { end }),
    ...(step === undefined ? {} : { step }),
    ...(match[2] === undefined ? { single: true } : {}),
  };
}

const escapes: Readonly<Record<string, string>> = {
  a: '\u0007',
  b: '\b',
  f: '\f',
  n: '\n',
  r: '\r',
  t: '\t',
  v: '\v',
  '\\': '\\',
  "'": "'",
  '"': '"',
};

function unquoted(text: string): string {
  return text.replace(/\\(x[\da-fA-F]{2}|u[\da-fA-F]{4}|U[\da-fA-F]{8}|[0-7]{3}|.)/gs, (_, code: string) => {
    const plain = escapes[code];
    if (plain !== undefined) return plain;
    if (/^[xuU]/.test(code) && code.length > 1) return String.fromCodePoint(Number.parseInt(code.slice(1), 16));
    if (/^[0-7]{3}$/.test(code)) return String.fromCodePoint(Number.parseInt(code, 8));
    throw new JsonPathError(`unquote string ${text} error invalid syntax`);
  });
}
