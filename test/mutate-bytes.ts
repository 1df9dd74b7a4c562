import fc from 'fast-check';

export type Bytes = Uint8Array;

/** A change of the bytes of a file. Shows itself as text when a property fails. */
export interface Mutation {
  readonly name: string;
  apply(bytes: Bytes): Bytes;
}

/** Bytes that come up in damaged, foreign and malicious files. */
const oddities: Readonly<Record<string, string>> = {
  NUL: '\0',
  escape: '\u001b[31m',
  bell: '\u0007',
  'byte order mark': '\ufeff',
  'right-to-left override': '\u202e',
  'line separator': '\u2028',
  'next line': '\u0085',
  'zero-width joiner': '\u200d',
  emoji: '👩‍👩‍👧',
  'combining marks': 'e\u0301\u0323\u0308',
  tab: '\t',
  'carriage return': '\r',
  'Windows line end': '\r\n',
  'empty lines': '\n\n\n',
  separator: '\n---\n',
  'end of document': '\n...\n',
  colon: ': ',
  comment: ' # ',
  quote: '"',
  apostrophe: "'",
  brackets: '[}',
  anchor: '&a ',
  alias: '*a ',
  'merge key': '<<: ',
  tag: '!!binary ',
  directive: '%YAML 1.2\n',
  block: '|2-\n',
  'percent signs': '%s%n%d',
  dollar: '$(reboot)`x`',
  prototype: '__proto__: {a: 1}\n',
};

/** A place in a file of any length, as a fraction of it. */
const place = fc.noBias(fc.integer({ min: 0, max: 9_999 })).map((number) => number / 10_000);
const at = (bytes: Bytes, fraction: number) => Math.min(bytes.length, Math.floor(bytes.length * fraction));

const spliced = (bytes: Bytes, from: number, until: number, put: Bytes = new Uint8Array()): Bytes =>
  Buffer.concat([bytes.subarray(0, from), put, bytes.subarray(Math.max(from, until))]);

const textOf = (bytes: Bytes) => Buffer.from(bytes).toString('latin1');
const bytesOf = (text: string) => Buffer.from(text, 'latin1');

/** A line of the file, as a fraction; what is done to the lines. */
function onLines(name: string, change: (lines: string[], index: number) => void): fc.Arbitrary<Mutation> {
  return place.map((fraction) => ({
    name: `${name} at ${fraction.toFixed(3)}`,
    apply(bytes) {
      const lines = textOf(bytes).split('\n');
      change(lines, Math.min(lines.length - 1, Math.floor(lines.length * fraction)));
      return bytesOf(lines.join('\n'));
    },
  }));
}

/** Changes that know nothing of what the file holds. */
export const byteMutation: fc.Arbitrary<Mutation> = fc.oneof(
  fc.tuple(place, fc.integer({ min: 0, max: 7 })).map(([fraction, bit]) => ({
    name: `flip bit ${bit} at ${fraction.toFixed(3)}`,
    apply: (bytes: Bytes) => {
      const changed = Buffer.from(bytes);
      const index = Math.min(bytes.length - 1, at(bytes, fraction));
      if (index >= 0) changed[index] = (changed[index] ?? 0) ^ (1 << bit);
      return changed;
    },
  })),
  place.map((fraction) => ({
    name: `cut off at ${fraction.toFixed(3)}`,
    apply: (bytes: Bytes) => bytes.subarray(0, at(bytes, fraction)),
  })),
  fc.tuple(place, place).map(([one, other]) => ({
    name: `cut out ${one.toFixed(3)} to ${other.toFixed(3)}`,
    apply: (bytes: Bytes) => spliced(bytes, at(bytes, Math.min(one, other)), at(bytes, Math.max(one, other))),
  })),
  fc.tuple(place, fc.constantFrom(...Object.keys(oddities))).map(([fraction, name]) => ({
    name: `insert ${name} at ${fraction.toFixed(3)}`,
    apply: (bytes: Bytes) => spliced(bytes, at(bytes, fraction), 0, Buffer.from(oddities[name] ?? '')),
  })),
  fc.tuple(place, fc.uint8Array({ minLength: 1, maxLength: 40 })).map(([fraction, put]) => ({
    name: `insert bytes ${Buffer.from(put).toString('hex')} at ${fraction.toFixed(3)}`,
    apply: (bytes: Bytes) => spliced(bytes, at(bytes, fraction), 0, put),
  })),
  fc.integer({ min: 2, max: 20 }).map((times) => ({
    name: `repeat ${times} times`,
    apply: (bytes: Bytes) => Buffer.concat(Array(times).fill(bytes)),
  })),
  onLines('delete the line', (lines, index) => lines.splice(index, 1)),
  onLines('double the line', (lines, index) => lines.splice(index, 0, lines[index] ?? '')),
  onLines('indent the line', (lines, index) => lines.splice(index, 1, `  ${lines[index]}`)),
  onLines('join the line with the next', (lines, index) =>
    lines.splice(index, 2, lines.slice(index, index + 2).join('')),
  ),
  onLines('swap the line with the last', (lines, index) => {
    const last = lines.length - 1;
    [lines[index], lines[last]] = [lines[last] ?? '', lines[index] ?? ''];
  }),
);

/** One to three changes, one after another. */
export function mutationsOf(single: fc.Arbitrary<Mutation>): fc.Arbitrary<Mutation> {
  return fc.array(single, { minLength: 1, maxLength: 3 }).map((steps) => ({
    name: steps.map(({ name }) => name).join(', then '),
    apply: (bytes: Bytes) => steps.reduce((current, step) => step.apply(current), bytes),
    toString() {
      return this.name;
    },
    [fc.toStringMethod]() {
      return this.name;
    },
  }));
}
