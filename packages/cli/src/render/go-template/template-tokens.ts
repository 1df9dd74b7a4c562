import { goQuote } from '../../arguments/go-quote.ts';

export type TokenType =
  | 'text'
  | 'open'
  | 'close'
  | 'space'
  | 'declare'
  | 'assign'
  | 'pipe'
  | 'left'
  | 'right'
  | 'string'
  | 'character'
  | 'number'
  | 'boolean'
  | 'variable'
  | 'field'
  | 'dot'
  | 'nil'
  | 'keyword'
  | 'identifier'
  | 'sign'
  | 'error'
  | 'end';

export interface Token {
  readonly type: TokenType;
  readonly value: string;
  /** UTF-16 index in the template. */
  readonly at: number;
}

const keywords = new Set('block break continue define else end if range template with'.split(' '));

/** What stands inside an action, in the order in which it is tried, and what is wrong if only its beginning is there. */
const patterns: readonly (readonly [TokenType, RegExp, begins?: RegExp, wrong?: string])[] = [
  // The space before a trimming end belongs to that end.
  ['space', /[ \t\r\n]+(?!-\}\})/y],
  ['declare', /:=/y, /:/y, 'expected :='],
  ['assign', /=/y],
  ['pipe', /\|/y],
  ['string', /"(?:\\[^\n]|[^"\\\n])*"/y, /"/y, 'unterminated quoted string'],
  ['string', /`[^`]*`/y, /`/y, 'unterminated raw quoted string'],
  ['character', /'(?:\\[^\n]|[^'\\\n])*'/y, /'/y, 'unterminated character constant'],
  ['variable', /\$[\p{L}\p{Nd}_]*/uy],
  ['field', /\.[\p{L}_][\p{L}\p{Nd}_]*/uy],
  [
    'number',
    /[+-]?(?:0[xX][\da-fA-F_]*(?:\.[\da-fA-F_]*)?(?:[pP][+-]?[\d_]*)?|0[oO][0-7_]*|0[bB][01_]*|\.?\d[\d_]*(?:(?<!\.[\d_]*)\.[\d_]*)?(?:[eE][+-]?[\d_]*)?)i?|[+-]i?/y,
  ],
  ['dot', /\./y],
  ['identifier', /[\p{L}\p{Nd}_]+/uy],
  ['left', /\(/y],
  ['right', /\)/y],
  ['sign', /[!-~]/y],
];

/** What may follow a name or a dot. */
const terminator = /[\s.,|:()]|\}\}|$/y;
const closing = /[ \t\r\n]-\}\}[ \t\r\n]*|\}\}/y;
const comment = /\{\{(?:-[ \t\r\n])?\/\*/y;

/** Cuts a template into tokens; the last one is the end, or an error that ends the reading (Go, text/template/parse/lex.go). */
export function templateTokens(template: string): readonly Token[] {
  const tokens: Token[] = [];
  let at = 0;
  const match = (pattern: RegExp): string | undefined => {
    pattern.lastIndex = at;
    return pattern.exec(template)?.[0];
  };
  const fail = (value: string, start = at) => [...tokens, { type: 'error', value, at: start } as const];
  while (at < template.length) {
    const open = template.indexOf('{{', at);
    const text = template.slice(at, open < 0 ? undefined : open);
    const trims = open >= 0 && /^-[ \t\r\n]/.test(template.slice(open + 2, open + 4));
    const kept = trims ? text.replace(/[ \t\r\n]+$/, '') : text;
    if (kept !== '') tokens.push({ type: 'text', value: kept, at });
    if (open < 0) break;
    at = open;
    const commentStart = match(comment);
    if (commentStart !== undefined) {
      const start = at;
      const end = template.indexOf('*/', at + commentStart.length);
      if (end < 0) return fail('unclosed comment');
      at = end + 2;
      const close = match(closing);
      if (close === undefined) return fail('comment ends before closing delimiter', start);
      at += close.length;
      continue;
    }
    tokens.push({ type: 'open', value: '{{', at });
    at += trims ? 4 : 2;
    const wrong = inside();
    if (wrong !== undefined) return fail(wrong);
  }
  return [...tokens, { type: 'end', value: 'EOF', at: template.length }];

  /** Reads an action up to its end; gives what is wrong with it. */
  function inside(): string | undefined {
    for (let depth = 0; ; ) {
      const close = match(closing);
      if (close !== undefined) {
        if (depth > 0) return 'unclosed left paren';
        tokens.push({ type: 'close', value: '}}', at });
        at += close.length;
        return undefined;
      }
      if (at >= template.length) return 'unclosed action';
      const token = next();
      if (typeof token === 'string') return token;
      depth += token.type === 'left' ? 1 : token.type === 'right' ? -1 : 0;
      if (depth < 0) return 'unexpected right paren';
      tokens.push(token);
      at += token.value.length;
    }
  }

  function next(): Token | string {
    for (const [type, pattern, begins, wrong] of patterns) {
      const value = match(pattern);
      if (value !== undefined) return checked({ type, value, at });
      if (begins !== undefined && wrong !== undefined && match(begins) !== undefined) return wrong;
    }
    return `unrecognized character in action: ${codePoint(at)}`;
  }

  function checked(token: Token): Token | string {
    const { type, value } = token;
    const end = at + value.length;
    if (type === 'number') {
      const more = /[\p{L}\p{Nd}_+-]/uy;
      more.lastIndex = end;
      return more.test(template) ? `bad number syntax: ${goQuote(template.slice(at, end + 1))}` : token;
    }
    if (!['identifier', 'field', 'variable', 'dot'].includes(type)) return token;
    terminator.lastIndex = end;
    if (!terminator.test(template)) return `bad character ${codePoint(end)}`;
    if (type !== 'identifier') return token;
    if (keywords.has(value)) return { ...token, type: 'keyword' };
    if (value === 'true' || value === 'false') return { ...token, type: 'boolean' };
    return value === 'nil' ? { ...token, type: 'nil' } : token;
  }

  function codePoint(index: number): string {
    const code = template.codePointAt(index) ?? 0;
    return `U+${code.toString(16).toUpperCase().padStart(4, '0')} '${String.fromCodePoint(code)}'`;
  }
}
