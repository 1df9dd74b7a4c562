import type { Output } from '../invocation.ts';
import type { RenderedLine } from './rendered-line.ts';

export interface LiveLine {
  /** True if there is a terminal to show it on. */
  readonly active: boolean;
  /** Puts the first of these that fits in place of what the line showed, or the beginning of the last one. */
  show(forms: readonly string[]): void;
  /** Prints lines that stay, and takes the live line away until it is shown again. */
  print(lines: readonly RenderedLine[]): void;
}

const clear = '\r\u001b[K';

/** The last line of a terminal, rewritten in place. Without a terminal it shows nothing. */
export function liveLine(output: Output): LiveLine {
  const { columns } = output;
  let shown = false;
  return {
    active: columns !== undefined,
    show(forms) {
      if (columns === undefined) return;
      const text = forms.find((form) => form.length < columns) ?? forms.at(-1) ?? '';
      // One column stays free: a full line would wrap, and only its last part could be cleared.
      const cut = text.length < columns ? text : `${text.slice(0, Math.max(0, columns - 2))}…`;
      output.stdout(`${clear}${cut}`);
      shown = true;
    },
    print(lines) {
      if (shown) output.stdout(clear);
      shown = false;
      for (const { stream, text } of lines) output[stream](`${text}\n`);
    },
  };
}
