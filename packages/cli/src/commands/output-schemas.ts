import type { CommandRow } from '../arguments/flag-row.ts';
import { type CommandsRow, rowOfCommand } from './row-of-command.ts';

/** Names of the schemas of what a command prints. */
export interface OutputSchemas {
  /** Of `-o json`: the document fits one of these. */
  readonly json: readonly string[];
  /** Of `-o jsonl`: each line fits one of these. */
  readonly jsonl: readonly string[];
}

interface SchemaRow extends OutputSchemas, CommandsRow {}

/** Commands whose schemas are not called as they are. */
const rows: readonly SchemaRow[] = [
  {
    words: 'certs sign-kubelet-requests',
    json: ['certs-sign-kubelet-requests'],
    jsonl: ['kubelet-request'],
  },
  { words: 'config print', json: ['config-print'], jsonl: ['config-print'] },
  { words: 'init', json: ['run', 'dry-run'], jsonl: ['event'] },
  ...['addon', 'control-plane', 'etcd'].map((phases) => ({
    words: `init phase ${phases}`,
    json: ['run', 'dry-run', 'manifests'],
    jsonl: ['event', 'manifests'],
  })),
  { words: 'join', json: ['run', 'dry-run'], jsonl: ['event'] },
  { words: 'journal', json: ['journal'], jsonl: ['journal-entry'] },
  { words: 'plan', json: ['run', 'dry-run'], jsonl: ['event'] },
  { words: 'reset', json: ['run', 'dry-run'], jsonl: ['event'] },
];

/**
 * What a command prints when it does what it is for. Any may print `help` as well, and when it fails `error`, or with `-o jsonl` the `event`
 * of that name.
 */
export function outputSchemas({ path, kind }: Pick<CommandRow, 'path' | 'kind'>): OutputSchemas {
  if (kind !== 'run') return { json: ['help'], jsonl: ['help'] };
  const found = rowOfCommand(rows, path);
  if (found !== undefined) return { json: found.json, jsonl: found.jsonl };
  const name = path.join('-');
  return { json: [name], jsonl: [name] };
}
