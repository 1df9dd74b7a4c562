/** One line of a mount table in the form of /proc/mounts: blank, tab, line feed and backslash are written in octal (fstab(5)). */
export interface MountLine {
  readonly line: string;
  /** As the table writes it: a blank is `\040`. */
  readonly written: string;
  /** Where it is mounted, as it is. */
  readonly mountPoint: string;
}

/** Reads a mount table, in its order. Lines that are none are passed over. */
export function parseMountTable(text: string): readonly MountLine[] {
  return text.split('\n').flatMap((line) => {
    const written = line.split(' ')[1];
    return written === undefined ? [] : [{ line, written, mountPoint: decodeOctal(written) }];
  });
}

function decodeOctal(text: string): string {
  return text.replace(/\\([0-3][0-7]{2})/g, (_, digits: string) => String.fromCharCode(Number.parseInt(digits, 8)));
}
