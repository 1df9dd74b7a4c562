import { manifestError } from './error-codes.ts';

/** The text of one document of a file, before it is parsed. */
export interface DocumentText {
  readonly text: string;
  /** Line of the file, counted from 1, on which `text` starts. */
  readonly line: number;
}

/**
 * Splits a file into documents as Kubernetes does, before and without any knowledge of YAML: a separator is a line that
 * starts with `---`, followed by nothing but blanks and a comment. A separator in the first line and one at the very
 * end make no document, two in a row do. Windows line ends become plain ones.
 * Source: k8s.io/apimachinery/pkg/util/yaml, YAMLReader.
 *
 * @throws MANIFEST_SEPARATOR_INVALID if other text follows the three dashes
 */
export function splitDocuments(file: string): readonly DocumentText[] {
  const lines = file.split(/\r?\n/);
  if (lines.at(-1) === '') lines.pop();
  const documents: DocumentText[] = [];
  let start = 0;
  let collected: string[] = [];
  const finish = (next: number): void => {
    if (collected.length > 0) documents.push({ text: `${collected.join('\n')}\n`, line: start + 1 });
    collected = [];
    start = next;
  };
  lines.forEach((line, index) => {
    if (line.startsWith('---')) {
      const rest = line.slice(3).trim();
      if (rest !== '' && !rest.startsWith('#')) {
        throw manifestError(
          'MANIFEST_SEPARATOR_INVALID',
          `Cannot split the YAML text into documents as line ${index + 1} is not a document separator: '${line.slice(0, 30)}'`,
          { hint: 'Put only --- on the line between two documents', details: { line: index + 1 } },
        );
      }
      if (collected.length > 0) {
        finish(index + 1);
        return;
      }
    }
    collected.push(line);
  });
  finish(lines.length);
  return documents;
}
