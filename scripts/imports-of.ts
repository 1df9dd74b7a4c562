/** One import of a module, as the source says it. */
export interface ModuleImport {
  readonly specifier: string;
  /** True for `import type` and `export type`, which leave nothing behind at run time, and for `import('…')` in a type. */
  readonly typeOnly: boolean;
  /** Counted from 1. */
  readonly line: number;
}

interface Token {
  readonly kind: 'word' | 'string' | 'mark';
  readonly text: string;
  readonly line: number;
}

/**
 * The imports of a TypeScript module: static, dynamic with a plain string, and re-exports. Comments, strings, templates and regular
 * expressions that look like imports are none.
 */
export function importsOf(source: string): readonly ModuleImport[] {
  const tokens = tokensOf(source);
  const found: ModuleImport[] = [];
  tokens.forEach((token, at) => {
    const isMember = tokens[at - 1]?.text === '.';
    if (token.kind !== 'word' || isMember) return;
    if (token.text !== 'import' && token.text !== 'export') return;
    const next = tokens[at + 1];
    if (token.text === 'import' && next?.kind === 'string') {
      found.push({ specifier: next.text, typeOnly: false, line: next.line });
      return;
    }
    if (token.text === 'import' && next?.text === '(') {
      const argument = tokens[at + 2];
      if (argument?.kind === 'string') found.push({ specifier: argument.text, typeOnly: false, line: argument.line });
      return;
    }
    const source = sourceOfStatement(tokens, at);
    if (source === undefined) return;
    const afterNext = tokens[at + 2]?.text;
    // `import type from 'x'` imports a value called `type`.
    const typeOnly = next?.text === 'type' && afterNext !== 'from' && afterNext !== ',';
    found.push({ specifier: source.text, typeOnly, line: source.line });
  });
  return found;
}

/** The string after `from`, if the import or export that begins here has one. */
function sourceOfStatement(tokens: readonly Token[], start: number): Token | undefined {
  const allowed = /^(?:[{},*]|as|type|default|from)$/;
  let braces = 0;
  for (let at = start + 1; at < tokens.length; at++) {
    const token = tokens[at] as Token;
    if (token.text === 'from' && tokens[at + 1]?.kind === 'string' && braces === 0) return tokens[at + 1];
    if (token.text === '{') braces += 1;
    if (token.text === '}') braces -= 1;
    // Inside the clause there are names, commas and braces; anything else ends it: it was a declaration.
    const isName = token.kind === 'word' || (token.kind === 'string' && braces > 0);
    if (!isName && !allowed.test(token.text)) return undefined;
    if (
      braces === 0 &&
      /^(?:const|let|var|function|class|interface|enum|async|abstract|declare|namespace)$/.test(token.text)
    )
      return undefined;
  }
  return undefined;
}

const word = /[\p{ID_Start}$_][\p{ID_Continue}$\u200c\u200d]*/uy;

function tokensOf(source: string): readonly Token[] {
  const tokens: Token[] = [];
  /** Depth of braces at which each open template substitution ends. */
  const templates: number[] = [];
  let braces = 0;
  let line = 1;
  let at = 0;
  const skipTo = (end: number) => {
    for (; at < end; at++) if (source[at] === '\n') line += 1;
  };
  const endOfTemplate = (from: number): number => {
    for (let end = from; end < source.length; end++) {
      if (source[end] === '\\') end += 1;
      else if (source[end] === '`') return end + 1;
      else if (source.startsWith('${', end)) {
        templates.push(braces);
        return end + 2;
      }
    }
    return source.length;
  };
  while (at < source.length) {
    const character = source[at] as string;
    if (source.startsWith('//', at) || (at === 0 && source.startsWith('#!'))) {
      const end = source.indexOf('\n', at);
      skipTo(end < 0 ? source.length : end);
    } else if (source.startsWith('/*', at)) {
      const end = source.indexOf('*/', at + 2);
      skipTo(end < 0 ? source.length : end + 2);
    } else if (character === '"' || character === "'") {
      const end = endOfString(source, at);
      tokens.push({ kind: 'string', text: source.slice(at + 1, end - 1), line });
      skipTo(end);
    } else if (character === '`') {
      tokens.push({ kind: 'mark', text: '`', line });
      skipTo(endOfTemplate(at + 1));
    } else if (character === '}' && templates.at(-1) === braces) {
      templates.pop();
      skipTo(endOfTemplate(at + 1));
    } else if (character === '/' && startsRegularExpression(tokens.at(-1))) {
      tokens.push({ kind: 'mark', text: '/', line });
      skipTo(endOfRegularExpression(source, at));
    } else {
      word.lastIndex = at;
      const name = word.exec(source)?.[0];
      if (name !== undefined) tokens.push({ kind: 'word', text: name, line });
      else if (!/\s/.test(character)) tokens.push({ kind: 'mark', text: character, line });
      if (character === '{') braces += 1;
      if (character === '}') braces -= 1;
      skipTo(at + (name?.length ?? 1));
    }
  }
  return tokens;
}

function endOfString(source: string, start: number): number {
  for (let end = start + 1; end < source.length; end++) {
    if (source[end] === '\\') end += 1;
    else if (source[end] === source[start] || source[end] === '\n') return end + 1;
  }
  return source.length;
}

/** A slash divides after a value, and begins a regular expression elsewhere. */
function startsRegularExpression(before: Token | undefined): boolean {
  if (before === undefined) return true;
  if (before.kind === 'string') return false;
  if (before.kind === 'word')
    return /^(?:return|typeof|case|in|of|delete|void|throw|new|do|else|await|yield)$/.test(before.text);
  return !/^[)\]}`]$/.test(before.text);
}

function endOfRegularExpression(source: string, start: number): number {
  let inClass = false;
  for (let end = start + 1; end < source.length; end++) {
    const character = source[end];
    if (character === '\\') end += 1;
    else if (character === '\n') return end;
    else if (character === '[') inClass = true;
    else if (character === ']') inClass = false;
    else if (character === '/' && !inClass) return end + 1;
  }
  return source.length;
}
