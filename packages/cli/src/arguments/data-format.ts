/** Formats for programs. */
export type DataFormat = 'json' | 'jsonl';

/** What `--output` asks for, if it is one of the formats for programs; as in kubeadm, case does not matter. */
export function dataFormat(output: unknown): DataFormat | undefined {
  const format = typeof output === 'string' ? output.toLowerCase() : undefined;
  return format === 'json' || format === 'jsonl' ? format : undefined;
}
