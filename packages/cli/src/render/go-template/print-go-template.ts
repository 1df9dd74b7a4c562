import { goQuote } from '../../arguments/go-quote.ts';
import { type GoTemplateOptions, PipeEvaluator } from './evaluate-pipe.ts';
import { formatValue, plainFlags } from './format-value.ts';
import { GoInteger, type GoValue, goValueOf, isGoList, isGoMap, isTrue } from './go-value.ts';
import { type GoTemplate, mainTemplate, type Pipe, type TemplateNode } from './template-node.ts';
import { withinLimits } from './within-limits.ts';

/** Templates that call one another; Go allows more, to the same end. */
const maximumDepth = 500;

/** Characters that one template prints: far more than any object has. */
const maximumLength = 2 ** 26;

/**
 * Prints what a template says about a value, as kubectl's and kubeadm's printers do (Go, text/template/exec.go).
 *
 * @param data plain JSON
 * @throws GoTemplateError in Go's words
 */
export function printGoTemplate(template: GoTemplate, data: unknown, options: GoTemplateOptions): string {
  return withinLimits(() => new TemplateRun(template, options).print(goValueOf(data)));
}

/** How a list of nodes was left: at its end, or early. */
type Left = 'break' | 'continue' | undefined;

type Control = Extract<TemplateNode, { type: 'if' | 'with' | 'range' }>;

class TemplateRun {
  readonly #templates: GoTemplate['templates'];
  readonly #evaluator: PipeEvaluator;
  readonly #printed: string[] = [];
  #length = 0;

  constructor(template: GoTemplate, options: GoTemplateOptions) {
    this.#templates = template.templates;
    this.#evaluator = new PipeEvaluator(template, options);
  }

  print(data: GoValue): string {
    this.#evaluator.variables = [{ name: '$', value: data }];
    this.#walk(data, this.#templates.get(mainTemplate) ?? []);
    return this.#printed.join('');
  }

  #print(text: string): void {
    this.#length += text.length;
    if (this.#length > maximumLength) throw this.#evaluator.wrong(`prints more than ${maximumLength} characters`);
    this.#printed.push(text);
  }

  #walk(dot: GoValue, list: readonly TemplateNode[]): Left {
    for (const node of list) {
      const left = this.#walkNode(dot, node);
      if (left !== undefined) return left;
    }
    return undefined;
  }

  #walkNode(dot: GoValue, node: TemplateNode): Left {
    switch (node.type) {
      case 'text':
        this.#print(node.text);
        return undefined;
      case 'action': {
        const value = this.#evaluator.pipe(dot, node.pipe);
        if (node.pipe.variables.length > 0) return undefined;
        this.#print(value === undefined ? '<no value>' : formatValue(value, 'v', plainFlags));
        return undefined;
      }
      case 'break':
      case 'continue':
        return node.type;
      case 'template':
        return this.#callTemplate(dot, node);
      default: {
        const known = this.#evaluator.variables.length;
        const left = node.type === 'range' ? this.#range(dot, node) : this.#choose(dot, node);
        this.#evaluator.variables.length = known;
        return left;
      }
    }
  }

  #choose(dot: GoValue, { type, pipe, list, otherwise = [] }: Control) {
    const value = this.#evaluator.pipe(dot, pipe);
    if (isTrue(value)) return this.#walk(type === 'with' ? value : dot, list);
    return this.#walk(dot, otherwise);
  }

  #range(dot: GoValue, node: Control): Left {
    const { pipe, list, otherwise = [] } = node;
    const { variables, assigns } = pipe;
    const value = this.#evaluator.pipe(dot, pipe);
    const known = this.#evaluator.variables.length;
    let any = false;
    for (const [key, element] of this.#elements(value, pipe)) {
      any = true;
      const values = variables.length > 1 ? [key, element] : [element];
      for (const [index, name] of variables.entries()) {
        if (assigns) this.#evaluator.assign(name, values[index]);
        else this.#evaluator.variables[known - variables.length + index] = { name, value: values[index] };
      }
      const left = this.#walk(element, list);
      this.#evaluator.variables.length = known;
      if (left === 'break') return undefined;
    }
    if (any) return undefined;
    // As in Go: `break` in the other list of a range leaves this range, `continue` goes on with the one around it.
    return this.#walk(dot, otherwise) === 'continue' ? 'continue' : undefined;
  }

  *#elements(value: GoValue, { variables }: Pipe): Iterable<readonly [GoValue, GoValue]> {
    if (value === undefined || value === null) return;
    if (value instanceof GoInteger) {
      if (variables.length > 1) {
        throw this.#evaluator.wrong(`can't use ${value.value} to iterate over more than one variable`);
      }
      for (let at = 0n; at < value.value; at += 1n) yield [undefined, new GoInteger(at, value.type)];
    } else if (isGoList(value)) {
      for (const [index, element] of value.entries()) yield [new GoInteger(index), element];
    } else if (isGoMap(value)) {
      yield* value;
    } else throw this.#evaluator.wrong(`range can't iterate over ${formatValue(value, 'v', plainFlags)}`);
  }

  #callTemplate(dot: GoValue, node: Extract<TemplateNode, { type: 'template' }>): undefined {
    this.#evaluator.place = node;
    const list = this.#templates.get(node.name);
    if (list === undefined) throw this.#evaluator.wrong(`template ${goQuote(node.name)} not defined`);
    if (this.#evaluator.names.length > maximumDepth)
      throw this.#evaluator.wrong(`exceeded maximum template depth (${maximumDepth})`);
    const given = node.pipe === undefined ? undefined : this.#evaluator.pipe(dot, node.pipe);
    const outer = { variables: this.#evaluator.variables, place: this.#evaluator.place };
    this.#evaluator.variables = [{ name: '$', value: given }];
    this.#evaluator.names.push(node.name);
    this.#walk(given, list);
    this.#evaluator.names.pop();
    this.#evaluator.variables = outer.variables;
    this.#evaluator.place = outer.place;
    return undefined;
  }
}
