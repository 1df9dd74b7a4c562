import { type FormatFlags, formatValue, plainFlags } from './format-value.ts';
import { GoInteger, type GoValue, goTypeOf } from './go-value.ts';

/** Widths and precisions beyond it are none (Go, fmt/print.go). */
const largest = 1_000_000;

const flagNames: Readonly<Record<string, 'plus' | 'minus' | 'sharp' | 'space' | 'zero'>> = {
  '+': 'plus',
  '-': 'minus',
  '#': 'sharp',
  ' ': 'space',
  '0': 'zero',
};

/** Text with values in place of directives such as `%-10s` (Go, fmt.Sprintf). */
export function formatTemplate(format: string, values: readonly GoValue[]): string {
  return new FormatRun(format, values).print();
}

/** The directive that is being read. */
type Directive = { -readonly [Name in keyof FormatFlags]: FormatFlags[Name] };

class FormatRun {
  readonly #format: string;
  readonly #values: readonly GoValue[];
  #at = 0;
  #next = 0;
  /** Whether a directive chose its value by number. */
  #reordered = false;
  /** Whether the chosen number was good. */
  #good = true;
  #afterIndex = false;

  constructor(format: string, values: readonly GoValue[]) {
    this.#format = format;
    this.#values = values;
  }

  print(): string {
    let printed = '';
    while (this.#at < this.#format.length) {
      const start = this.#format.indexOf('%', this.#at);
      printed += this.#format.slice(this.#at, start < 0 ? undefined : start);
      if (start < 0) break;
      this.#at = start + 1;
      printed += this.#directive();
    }
    const extra = this.#values.slice(this.#next);
    if (this.#reordered || extra.length === 0) return printed;
    const shown = extra.map((value) =>
      value === null || value === undefined ? '<nil>' : `${goTypeOf(value)}=${formatValue(value, 'v', plainFlags)}`,
    );
    return `${printed}%!(EXTRA ${shown.join(', ')})`;
  }

  #directive(): string {
    const flags: Directive = {};
    this.#good = true;
    this.#afterIndex = false;
    for (let name = this.#flag(); name !== undefined; name = this.#flag()) flags[name] = true;
    this.#index();
    const printed = this.#width(flags) + this.#precision(flags);
    if (!this.#afterIndex) this.#index();
    const code = this.#format.codePointAt(this.#at);
    if (code === undefined) return `${printed}%!(NOVERB)`;
    const verb = String.fromCodePoint(code);
    this.#at += verb.length;
    if (verb === '%') return `${printed}%`;
    if (!this.#good) return `${printed}%!${verb}(BADINDEX)`;
    if (this.#next >= this.#values.length) return `${printed}%!${verb}(MISSING)`;
    const value = this.#values[this.#next];
    this.#next += 1;
    if (verb !== 'v' && verb !== 'w') return printed + formatValue(value, verb, flags);
    const { sharp = false, plus: _, ...others } = flags;
    return printed + formatValue(value, verb, { ...others, goSyntax: sharp });
  }

  #flag() {
    const name = flagNames[this.#format[this.#at] ?? ''];
    if (name !== undefined) this.#at += 1;
    return name;
  }

  #width(flags: Directive): string {
    if (this.#taken('*')) {
      this.#afterIndex = false;
      const width = this.#numberFromValue();
      if (width === undefined) return '%!(BADWIDTH)';
      flags.width = Math.abs(width);
      // Zeros do not go to the right.
      if (width < 0) Object.assign(flags, { minus: true, zero: false });
      return '';
    }
    const width = this.#number();
    if (width === undefined) return '';
    flags.width = width;
    if (this.#afterIndex) this.#good = false;
    return '';
  }

  #precision(flags: Directive): string {
    if (this.#at + 1 >= this.#format.length || !this.#taken('.')) return '';
    if (this.#afterIndex) this.#good = false;
    this.#index();
    if (!this.#taken('*')) {
      flags.precision = this.#number() ?? 0;
      return '';
    }
    this.#afterIndex = false;
    const precision = this.#numberFromValue();
    if (precision === undefined || precision < 0) return '%!(BADPREC)';
    flags.precision = precision;
    return '';
  }

  #taken(sign: string): boolean {
    const is = this.#format[this.#at] === sign;
    if (is) this.#at += 1;
    return is;
  }

  #number(): number | undefined {
    const [digits = ''] = /^\d*/.exec(this.#format.slice(this.#at)) ?? [];
    if (digits === '') return undefined;
    if (Number(digits) > largest) {
      this.#at = this.#format.length;
      return undefined;
    }
    this.#at += digits.length;
    return Number(digits);
  }

  #numberFromValue(): number | undefined {
    const value = this.#values[this.#next];
    if (this.#next < this.#values.length) this.#next += 1;
    if (!(value instanceof GoInteger)) return undefined;
    const number = Number(value.value);
    return Math.abs(number) > largest ? undefined : number;
  }

  /** `[3]`: the number of the value that comes next. */
  #index(): void {
    this.#afterIndex = false;
    const rest = this.#format.slice(this.#at);
    if (!rest.startsWith('[')) return;
    this.#reordered = true;
    const end = rest.indexOf(']');
    const text = rest.slice(1, end < 0 ? undefined : end);
    const number = end >= 0 && /^\d+$/.test(text) ? Number(text) : undefined;
    this.#at += end < 0 || rest.length < 3 ? 1 : end + 1;
    this.#afterIndex = number !== undefined;
    if (number !== undefined && number >= 1 && number <= this.#values.length) this.#next = number - 1;
    else this.#good = false;
  }
}
