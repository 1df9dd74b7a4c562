/**
 * Rows whose cells line up, as Go's text/tabwriter prints them for kubeadm: cells of at least 10 columns, 3 blanks between them; the last cell belongs
 * to no column.
 */
export function alignedRows(rows: readonly (readonly string[])[]): string {
  const widths = (rows[0] ?? []).map((_, column) =>
    Math.max(10, ...rows.map((row) => [...(row[column] ?? '')].length + 3)),
  );
  return rows
    .map((row) => row.map((cell, column) => (column === row.length - 1 ? cell : padded(cell, widths[column] ?? 0))))
    .map((cells) => `${cells.join('')}\n`)
    .join('');
}

/** By characters, not by UTF-16 units. */
function padded(cell: string, width: number): string {
  return cell + ' '.repeat(Math.max(0, width - [...cell].length));
}
