import { goQuote } from '../../arguments/go-quote.ts';
import { unquoted } from './go-literal.ts';
import { parsePipe } from './parse-pipe.ts';
import { type GoTemplate, mainTemplate, type TemplateNode } from './template-node.ts';
import { TemplateReader } from './template-reader.ts';
import { withinLimits } from './within-limits.ts';

/**
 * Parses a template of Go (text/template).
 *
 * @throws GoTemplateError in Go's words
 */
export function parseGoTemplate(text: string): GoTemplate {
  return withinLimits(() => new TemplateParser(text).parse());
}

type Control = 'if' | 'with' | 'range';

/** What is over with `end` or `else`. */
interface Ended {
  readonly list: readonly TemplateNode[];
  readonly by: 'end' | 'else';
}

class TemplateParser {
  readonly #reader: TemplateReader;
  readonly #templates = new Map<string, readonly TemplateNode[]>();

  constructor(text: string) {
    this.#reader = new TemplateReader(text);
  }

  parse(): GoTemplate {
    const reader = this.#reader;
    const list: TemplateNode[] = [];
    while (reader.peek().type !== 'end') {
      if (reader.peek().type === 'open' && reader.keyword(1) === 'define') {
        reader.next();
        reader.nextWord();
        const name = this.#name('define clause');
        reader.expect('close', 'define clause');
        this.#body(name, 'define clause');
        continue;
      }
      const node = this.#node();
      if (typeof node === 'string') throw reader.wrong(`unexpected {{${node}}}`);
      list.push(node);
    }
    this.#add(mainTemplate, list);
    return { text: reader.text, templates: this.#templates };
  }

  /** The list of a template of its own, up to its end. */
  #body(name: string, context: string): void {
    const outer = this.#reader.scope;
    this.#reader.scope = { variables: ['$'], ranges: 0 };
    const { list, by } = this.#list();
    if (by !== 'end') throw this.#reader.wrong(`unexpected {{${by}}} in ${context}`);
    this.#add(name, list);
    this.#reader.scope = outer;
  }

  #add(name: string, list: readonly TemplateNode[]): void {
    const known = this.#templates.get(name);
    if (known === undefined || isEmpty(known)) this.#templates.set(name, list);
    else if (!isEmpty(list)) {
      throw this.#reader.wrong(`template: multiple definition of template ${goQuote(name)}`);
    }
  }

  #list(): Ended {
    const list: TemplateNode[] = [];
    while (this.#reader.peek().type !== 'end') {
      const node = this.#node();
      if (typeof node === 'string') return { list, by: node };
      list.push(node);
    }
    throw this.#reader.wrong('unexpected EOF');
  }

  #node(): TemplateNode | Ended['by'] {
    const reader = this.#reader;
    const token = reader.next();
    if (token.type === 'text') return { type: 'text', text: token.value };
    if (token.type !== 'open') throw reader.unexpected(token, 'input');
    const word = reader.keyword();
    if (word === undefined || word === 'define') return { type: 'action', pipe: parsePipe(reader, 'command') };
    reader.nextWord();
    switch (word) {
      case 'if':
      case 'with':
      case 'range':
        return this.#control(word);
      case 'break':
      case 'continue': {
        reader.expect('close', `{{${word}}}`);
        if (reader.scope.ranges === 0) throw reader.wrong(`{{${word}}} outside {{range}}`);
        return { type: word };
      }
      case 'block':
      case 'template':
        return this.#template(word);
      case 'else':
        // What follows `else` at once is a control of its own, which ends where this one does.
        reader.skipSpace();
        if (!['if', 'with'].includes(reader.keyword() ?? '')) reader.expect('close', 'else');
        return 'else';
      default:
        reader.expect('close', 'end');
        return 'end';
    }
  }

  #control(type: Control): TemplateNode {
    const { scope } = this.#reader;
    const known = scope.variables.length;
    const pipe = parsePipe(this.#reader, type);
    const ranges = type === 'range' ? 1 : 0;
    scope.ranges += ranges;
    const { list, by } = this.#list();
    scope.ranges -= ranges;
    const otherwise = by === 'else' ? this.#otherwise(type) : undefined;
    scope.variables.length = known;
    return { type, pipe, list, ...(otherwise === undefined ? {} : { otherwise }) };
  }

  #otherwise(type: Control): readonly TemplateNode[] {
    if (type !== 'range' && this.#reader.keyword() === type) {
      this.#reader.nextWord();
      return [this.#control(type)];
    }
    const { list, by } = this.#list();
    if (by !== 'end') throw this.#reader.wrong(`expected end; found {{${by}}}`);
    return list;
  }

  #template(word: 'block' | 'template'): TemplateNode {
    const reader = this.#reader;
    const context = `${word} clause`;
    reader.skipSpace();
    const { at } = reader.peek();
    const name = this.#name(context);
    const call = `{{template ${goQuote(name)}`;
    reader.skipSpace();
    if (word === 'template' && reader.peek().type === 'close') {
      reader.next();
      return { type: 'template', name, at, source: `${call}}}` };
    }
    const pipe = parsePipe(reader, context);
    if (word === 'block') this.#body(name, context);
    return { type: 'template', name, pipe, at, source: `${call} ${pipe.source}}}` };
  }

  #name(context: string): string {
    const token = this.#reader.nextWord();
    if (token.type !== 'string') throw this.#reader.unexpected(token, context);
    return this.#reader.literal(token, unquoted);
  }
}

function isEmpty(list: readonly TemplateNode[]): boolean {
  return list.every((node) => node.type === 'text' && node.text.trim() === '');
}
