import type { GoInteger } from './go-value.ts';

/** Where something stands in a template: what messages say about it. */
export interface Place {
  /** UTF-16 index. */
  readonly at: number;
  readonly source: string;
}

/** What stands between actions, and the actions (Go, text/template/parse). */
export type TemplateNode =
  | { readonly type: 'text'; readonly text: string }
  | { readonly type: 'action'; readonly pipe: Pipe }
  | {
      readonly type: 'if' | 'with' | 'range';
      readonly pipe: Pipe;
      readonly list: readonly TemplateNode[];
      readonly otherwise?: readonly TemplateNode[];
    }
  | ({ readonly type: 'template'; readonly name: string; readonly pipe?: Pipe } & Place)
  | { readonly type: 'break' | 'continue' };

/** Commands, each of which is given the value of the one before it; the last value may go to variables. */
export interface Pipe extends Place {
  readonly type: 'pipe';
  readonly variables: readonly string[];
  /** `=` in place of `:=`. */
  readonly assigns: boolean;
  readonly commands: readonly Command[];
}

/** What is called or looked up, and its arguments. */
export interface Command extends Place {
  readonly operands: readonly [Operand, ...Operand[]];
}

export type Operand =
  | Pipe
  | (Place & { readonly type: 'literal'; readonly value: string | boolean | number | GoInteger })
  | (Place & { readonly type: 'nil' | 'dot' })
  | (Place & { readonly type: 'field'; readonly fields: readonly string[] })
  | (Place & { readonly type: 'variable'; readonly name: string; readonly fields: readonly string[] })
  | (Place & { readonly type: 'chain'; readonly operand: Operand; readonly fields: readonly string[] })
  | (Place & { readonly type: 'function'; readonly name: string });

/** A parsed template and the templates that it defines, by name; the outermost is {@link mainTemplate}. */
export interface GoTemplate {
  readonly text: string;
  readonly templates: ReadonlyMap<string, readonly TemplateNode[]>;
}

/** The name that Kubernetes' printers give the outermost template. */
export const mainTemplate = 'output';
