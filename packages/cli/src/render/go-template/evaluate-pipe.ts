import { goQuote } from '../../arguments/go-quote.ts';
import { GoTemplateError, type GoValue, goTypeOf, isGoMap, isTrue } from './go-value.ts';
import { type ArgumentType, templateFunction } from './template-functions.ts';
import { type Command, type GoTemplate, mainTemplate, type Operand, type Pipe, type Place } from './template-node.ts';

export interface GoTemplateOptions {
  /** Whether a key that is not there is no error: it prints as `<no value>`. */
  readonly allowMissingKeys: boolean;
}

/** The value of the command before, if there was one. */
type Piped = { readonly value: GoValue } | undefined;

/** Evaluates the pipelines of a template, and knows its variables and what is looked at. */
export class PipeEvaluator {
  readonly #template: GoTemplate;
  readonly #options: GoTemplateOptions;
  /** The innermost is the last. */
  variables: { readonly name: string; value: GoValue }[] = [];
  /** The template that is being printed, and those around it. */
  readonly names: string[] = [mainTemplate];
  /** What messages name. */
  place: Place = { at: 0, source: '' };

  constructor(template: GoTemplate, options: GoTemplateOptions) {
    this.#template = template;
    this.#options = options;
  }

  /** The value of its last command, which goes to its variables too; these stay until they are dropped. */
  pipe(dot: GoValue, pipe: Pipe): GoValue {
    this.place = pipe;
    let piped: Piped;
    for (const command of pipe.commands) piped = { value: this.#command(dot, command, piped) ?? undefined };
    for (const name of pipe.variables) {
      if (pipe.assigns) this.assign(name, piped?.value);
      else this.variables.push({ name, value: piped?.value });
    }
    return piped?.value;
  }

  assign(name: string, value: GoValue): void {
    const variable = this.variables.findLast((one) => one.name === name);
    if (variable === undefined) throw this.wrong(`undefined variable: ${name}`);
    variable.value = value;
  }

  #command(dot: GoValue, { operands, ...place }: Command, piped: Piped): GoValue {
    const [first, ...given] = operands;
    const isCall = given.length > 0 || piped !== undefined;
    this.place = first;
    switch (first.type) {
      case 'function':
        return this.#call(dot, first.name, { given, piped, place });
      case 'field':
      case 'chain':
        return this.#operand(dot, first, isCall);
      case 'variable':
        if (first.fields.length > 0) return this.#operand(dot, first, isCall);
    }
    if (isCall) throw this.wrong(`can't give argument to non-function ${first.source}`);
    if (first.type === 'nil') throw this.wrong('nil is not a command');
    return this.#operand(dot, first, false);
  }

  /** @param isCall whether its last field is given arguments, which none of our values takes */
  #operand(dot: GoValue, operand: Operand, isCall: boolean): GoValue {
    this.place = operand;
    switch (operand.type) {
      case 'literal':
        return operand.value;
      case 'nil':
        return undefined;
      case 'dot':
        return dot;
      case 'pipe':
        return this.pipe(dot, operand);
      case 'function':
        return this.#call(dot, operand.name, { given: [], piped: undefined, place: operand });
      case 'field':
        return this.#fields(dot, operand.fields, isCall);
      case 'variable': {
        const variable = this.variables.findLast(({ name }) => name === operand.name);
        if (variable === undefined) throw this.wrong(`undefined variable: ${operand.name}`);
        return this.#fields(variable.value, operand.fields, isCall);
      }
      case 'chain': {
        if (operand.operand.type === 'nil') throw this.wrong(`indirection through explicit nil in ${operand.source}`);
        return this.#fields(this.#operand(dot, operand.operand, false), operand.fields, isCall);
      }
    }
  }

  #fields(receiver: GoValue, fields: readonly string[], isCall: boolean): GoValue {
    return fields.reduce<GoValue>((value, field, index) => {
      if (value === undefined) {
        if (this.#options.allowMissingKeys) return undefined;
        throw this.wrong(`nil data; no entry for key ${goQuote(field)}`);
      }
      if (value === null) throw this.wrong(`nil pointer evaluating interface {}.${field}`);
      if (!isGoMap(value)) {
        const type = index === 0 ? goTypeOf(value) : 'interface {}';
        throw this.wrong(`can't evaluate field ${field} in type ${type}`);
      }
      if (isCall && index === fields.length - 1) throw this.wrong(`${field} is not a method but has arguments`);
      if (value.has(field) || this.#options.allowMissingKeys) return value.get(field);
      throw this.wrong(`map has no entry for key ${goQuote(field)}`);
    }, receiver);
  }

  #call(
    dot: GoValue,
    name: string,
    { given, piped, place }: { readonly given: readonly Operand[]; readonly piped: Piped; readonly place: Place },
  ): GoValue {
    const { takes, rest, decides, call } = templateFunction(name);
    const count = given.length + (piped === undefined ? 0 : 1);
    if (rest === undefined ? count !== takes.length : count < takes.length) {
      const want =
        rest === undefined ? `want ${takes.length} got ${count}` : `want at least ${takes.length} got ${given.length}`;
      throw this.wrong(`wrong number of args for ${name}: ${want}`);
    }
    const typeAt = (index: number): ArgumentType => takes[index] ?? rest ?? 'value';
    const values: GoValue[] = [];
    for (const [index, operand] of given.entries()) {
      const value = this.#argument(dot, operand, typeAt(index));
      if (decides !== undefined && isTrue(value) === decides) return value;
      values.push(value);
    }
    if (piped !== undefined) values.push(this.#checked(piped.value, typeAt(given.length)));
    try {
      return call(values);
    } catch (thrown) {
      if (!(thrown instanceof GoTemplateError)) throw thrown;
      this.place = place;
      throw this.wrong(`error calling ${name}: ${thrown.message}`);
    }
  }

  #argument(dot: GoValue, operand: Operand, type: ArgumentType): GoValue {
    this.place = operand;
    if (type !== 'string') return this.#operand(dot, operand, false);
    if (operand.type === 'nil') throw this.wrong('cannot assign nil to string');
    if (operand.type === 'literal' && typeof operand.value !== 'string') {
      throw this.wrong(`expected string; found ${operand.source}`);
    }
    return this.#checked(this.#operand(dot, operand, false), type);
  }

  #checked(value: GoValue, type: ArgumentType): GoValue {
    if (type !== 'string' || typeof value === 'string') return value;
    if (value === undefined) throw this.wrong('invalid value; expected string');
    throw this.wrong(`wrong type for value; expected string; got ${goTypeOf(value)}`);
  }

  wrong(message: string): GoTemplateError {
    const { at, source } = this.place;
    const before = this.#template.text.slice(0, at).split('\n');
    const place = `${before.length}:${Buffer.byteLength(before.at(-1) ?? '')}`;
    return new GoTemplateError(
      `template: ${mainTemplate}:${place}: executing ${goQuote(this.names.at(-1) ?? mainTemplate)} at <${source}>: ${message}`,
    );
  }
}
