/** A record that cannot be read; the message is that of Go's encoding/csv, which programs see through pflag. */
export class CsvError extends Error {
  override readonly name = 'CsvError';
}

/**
 * Reads the first record of a CSV text as pflag's StringSlice does (Go, encoding/csv): commas separate, `"` quotes a whole
 * field and is doubled inside it, line ends inside quotes belong to the field, everything after the first record is ignored.
 *
 * @param text value of a list flag; the empty text is the empty list
 * @throws CsvError for a quote in an unquoted field, a quoted field that goes on after its end or has none, a text of line ends only
 */
export function readCsvRecord(text: string): readonly string[] {
  if (text === '') return [];
  // encoding/csv reads \r\n as \n, and drops one \r before the end of the text.
  const source = text.replaceAll('\r\n', '\n').replace(/\r$/, '').replace(/^\n+/, '');
  if (source === '') throw new CsvError('EOF');
  const fields: string[] = [];
  let at = 0;
  for (;;) {
    const field = source[at] === '"' ? readQuoted(source, at) : readBare(source, at);
    fields.push(field.value);
    if (source[field.end] !== ',') return fields;
    at = field.end + 1;
  }
}

interface Field {
  readonly value: string;
  /** Index of the comma or line end after it, or the length of the text. */
  readonly end: number;
}

function readBare(source: string, start: number): Field {
  const length = source.slice(start).search(/[,\n]/);
  const end = length < 0 ? source.length : start + length;
  const value = source.slice(start, end);
  const quote = value.indexOf('"');
  if (quote >= 0) throw parseError(source, start + quote, 'bare " in non-quoted-field');
  return { value, end };
}

function readQuoted(source: string, start: number): Field {
  let value = '';
  let at = start + 1;
  for (;;) {
    const quote = source.indexOf('"', at);
    if (quote < 0) throw parseError(source, source.length, 'extraneous or missing " in quoted-field', start);
    value += source.slice(at, quote);
    const next = source[quote + 1];
    if (next === '"') {
      value += '"';
      at = quote + 2;
    } else if (next === undefined || next === ',' || next === '\n') {
      return { value, end: quote + 1 };
    } else {
      throw parseError(source, quote, 'extraneous or missing " in quoted-field', start);
    }
  }
}

/** Columns count bytes from 1, as in Go. */
function parseError(source: string, at: number, reason: string, start = at): CsvError {
  const lineOf = (index: number) => source.slice(0, index).split('\n').length;
  const lineStart = source.lastIndexOf('\n', at - 1) + 1;
  const column = new TextEncoder().encode(source.slice(lineStart, at)).length + 1;
  const [startLine, line] = [lineOf(start), lineOf(at)];
  return new CsvError(
    startLine === line
      ? `parse error on line ${line}, column ${column}: ${reason}`
      : `record on line ${startLine}; parse error on line ${line}, column ${column}: ${reason}`,
  );
}

/** Writes values as one record that {@link readCsvRecord} reads back; the empty list is the empty text. */
export function writeCsvRecord(values: readonly string[]): string {
  // A single empty value must be quoted, or it would be read as no value.
  if (values.length === 1 && values[0] === '') return '""';
  return values.map((value) => (/[",\r\n]/.test(value) ? `"${value.replaceAll('"', '""')}"` : value)).join(',');
}
