const letter = /^\p{L}$/u;
const digit = /^\p{Nd}$/u;

/**
 * The order of mapping keys in YAML that Go writes: by code point, but signs before letters and runs of digits by their
 * number (`a9` before `a10`). Source: go.yaml.in/yaml/v2, sorter.go.
 */
export function compareKeys(left: string, right: string): number {
  const a = Array.from(left);
  const b = Array.from(right);
  for (let index = 0; index < a.length && index < b.length; index++) {
    const x = a[index] ?? '';
    const y = b[index] ?? '';
    if (x !== y) return compareAt(a, b, index);
  }
  return a.length - b.length;
}

function compareAt(a: readonly string[], b: readonly string[], index: number): number {
  const x = a[index] ?? '';
  const y = b[index] ?? '';
  const byCodePoint = (x.codePointAt(0) ?? 0) - (y.codePointAt(0) ?? 0);
  const xIsLetter = letter.test(x);
  const yIsLetter = letter.test(y);
  if (xIsLetter && yIsLetter) return byCodePoint;
  if (xIsLetter || yIsLetter) return yIsLetter ? -1 : 1;
  const lead = (x === '0' || y === '0') && followsNonZeroDigit(a, index) ? 1n : 0n;
  const xRun = digitRun(a, index, lead);
  const yRun = digitRun(b, index, lead);
  if (xRun.number !== yRun.number) return xRun.number < yRun.number ? -1 : 1;
  return xRun.end - yRun.end || byCodePoint;
}

function followsNonZeroDigit(text: readonly string[], index: number): boolean {
  for (let before = index - 1; before >= 0 && digit.test(text[before] ?? ''); before--) {
    if (text[before] !== '0') return true;
  }
  return false;
}

function digitRun(text: readonly string[], start: number, lead: bigint): { number: bigint; end: number } {
  let number = lead;
  let end = start;
  for (; end < text.length && digit.test(text[end] ?? ''); end++) {
    number = BigInt.asIntN(64, number * 10n + BigInt((text[end]?.codePointAt(0) ?? 48) - 48));
  }
  return { number, end };
}
