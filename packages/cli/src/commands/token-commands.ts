import type { ArgumentRow, CommandRow, FlagRow } from '../arguments/flag-row.ts';
import { objectFlags, outputFlag } from './output-flags.ts';

/** All of them have these, be it without effect (kubeadm: cmd/token.go, PersistentFlags). */
const shared: readonly FlagRow[] = [
  { name: 'dry-run', type: 'bool', summary: 'Change nothing; print what would be done' },
  {
    name: 'kubeconfig',
    type: 'string',
    default: '/etc/kubernetes/admin.conf',
    summary:
      'Kubeconfig file to reach the cluster with; otherwise the first that is there of KUBECONFIG, or of ~/.kube/config, and of /etc/kubernetes/admin.conf',
  },
];

interface TokenCommand {
  readonly words: string;
  readonly summary: string;
  readonly own: readonly FlagRow[];
  readonly argument?: ArgumentRow;
}

/** kubeadm: cmd/token.go. */
const leaves = (flags: readonly FlagRow[]): readonly TokenCommand[] => [
  {
    words: 'token create',
    summary: 'Create a bootstrap token in the cluster, the one that is given or a random one, and print it',
    argument: { usage: '[token]', maximum: 1 },
    own: [...flags, outputFlag],
  },
  {
    words: 'token delete',
    summary: 'Delete bootstrap tokens from the cluster',
    argument: { usage: '[token-value] ...' },
    own: [outputFlag],
  },
  { words: 'token generate', summary: 'Print a random bootstrap token; nothing is created', own: [outputFlag] },
  { words: 'token list', summary: 'List the bootstrap tokens of the cluster', own: objectFlags },
];

/**
 * The commands below `token`.
 *
 * @param flags those of `token create`
 */
export function tokenCommands(flags: readonly FlagRow[]): readonly CommandRow[] {
  return [
    { path: ['token'], summary: 'Manage bootstrap tokens', flags: shared, kind: 'group' },
    ...leaves(flags).map(
      ({ words, summary, own, argument }): CommandRow => ({
        path: words.split(' '),
        summary,
        flags: [...own, ...shared],
        kind: 'run',
        ...(argument === undefined ? {} : { argument }),
      }),
    ),
  ];
}
