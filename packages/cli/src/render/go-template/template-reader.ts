import { goQuote } from '../../arguments/go-quote.ts';
import { GoTemplateError } from './go-value.ts';
import { mainTemplate, type Place } from './template-node.ts';
import { type Token, type TokenType, templateTokens } from './template-tokens.ts';

/** Variables that are known, and how many ranges stand around: each defined template begins anew. */
export interface Scope {
  readonly variables: string[];
  ranges: number;
}

/** Where the reading of a template is. */
export class TemplateReader {
  readonly text: string;
  readonly #tokens: readonly Token[];
  #at = 0;
  /** The furthest token that was looked at: its line is in messages. */
  #furthest = 0;
  /** Where the action that is being read begins. */
  #action: number | undefined;
  scope: Scope = { variables: ['$'], ranges: 0 };
  /** Parentheses around. */
  depth = 0;

  constructor(text: string) {
    this.text = text;
    this.#tokens = templateTokens(text);
  }

  peek(ahead = 0): Token {
    const index = Math.min(this.#at + ahead, this.#tokens.length - 1);
    this.#furthest = Math.max(this.#furthest, index);
    return this.#tokens[index] as Token;
  }

  next(): Token {
    const token = this.peek();
    this.#at += 1;
    if (token.type === 'open') this.#action = token.at;
    if (token.type === 'close') this.#action = undefined;
    return token;
  }

  skipSpace(): void {
    if (this.peek().type === 'space') this.#at += 1;
  }

  /** The next token that is no space. */
  nextWord(): Token {
    this.skipSpace();
    return this.next();
  }

  /** The keyword that comes `ahead` tokens from here, a space before it left out. */
  keyword(ahead = 0): string | undefined {
    const token = this.peek(this.peek(ahead).type === 'space' ? ahead + 1 : ahead);
    return token.type === 'keyword' ? token.value : undefined;
  }

  expect(type: TokenType, context: string): void {
    const token = this.nextWord();
    if (token.type !== type) throw this.unexpected(token, context);
  }

  /** From `at` to the token before the current one. */
  placeFrom(at: number): Place {
    const last = this.#tokens[this.#at - 1];
    const end = last === undefined ? at : last.at + last.value.length;
    return { at, source: this.text.slice(at, end).trimEnd() };
  }

  /** What a reader of literals gives for a token. */
  literal<T>(token: Token, read: (literal: string) => T): T {
    try {
      return read(token.value);
    } catch (thrown) {
      throw thrown instanceof GoTemplateError ? this.wrong(thrown.message) : thrown;
    }
  }

  unexpected(token: Token, context: string): GoTemplateError {
    if (token.type === 'error') return this.wrong(token.value + this.#started(token));
    return this.wrong(`unexpected ${described(token)} in ${context}`);
  }

  wrong(message: string): GoTemplateError {
    const line = this.#line(this.#tokens[this.#furthest]?.at ?? 0);
    return new GoTemplateError(`template: ${mainTemplate}:${line}: ${message}`);
  }

  /** Where the action of a bad token began, if on another line. */
  #started({ value, at }: Token): string {
    if (this.#action === undefined || this.#line(this.#action) === this.#line(at)) return '';
    const what = value.endsWith(' action') ? '' : ' in action';
    return `${what} started at ${mainTemplate}:${this.#line(this.#action)}`;
  }

  #line(at: number): number {
    return this.text.slice(0, at).split('\n').length;
  }
}

function described({ type, value }: Token): string {
  if (type === 'end') return value;
  if (type === 'keyword' || type === 'nil' || type === 'dot') return `<${value}>`;
  return value.length > 10 ? `${goQuote([...value].slice(0, 10).join(''))}...` : goQuote(value);
}
