import type { CommandRow, FlagRow } from '../arguments/flag-row.ts';
import { outputFlag } from './output-flags.ts';

const config = (summary: string): FlagRow => ({ name: 'config', type: 'string', summary });

/** Commands about this node, which change nothing. */
export const nodeCommands: readonly CommandRow[] = [
  {
    path: ['journal'],
    summary: 'Print who made or removed what on this node, when, and with which digest',
    flags: [
      config('Configuration file that says where the journal is; without it the cluster is asked, if it answers'),
      outputFlag,
    ],
    kind: 'run',
  },
  {
    path: ['status'],
    summary: 'Tell how far this machine is as a node, what is missing, who made what, and what runs',
    flags: [
      config('Configuration file that it is judged by; without it what the cluster keeps, or what is on the node'),
      {
        name: 'exit-code',
        type: 'bool',
        summary: 'End with 5 if it is no finished node, with 4 if that cannot be told',
      },
      outputFlag,
    ],
    kind: 'run',
  },
];
