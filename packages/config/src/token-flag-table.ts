import { type Flag, type FlagRow, flagTable } from './flag.ts';
import { defaultTokenGroups, defaultTokenUsages } from './init-configuration-schema.ts';

const token = (field: string) => ({ document: 'init', path: `bootstrapTokens[0].${field}` }) as const;

/** kubeadm, cmd/token.go and cmd/options/token.go: the flags of `token create`. */
const rows = [
  {
    name: 'certificate-key',
    type: 'string',
    help: 'With --print-join-command: print the command for nodes of the control plane, with this key.',
  },
  {
    name: 'config',
    type: 'string',
    help: 'Configuration file in YAML or JSON, whose bootstrapTokens are created.',
  },
  { name: 'description', type: 'string', help: 'What the token is for.', target: token('description') },
  {
    name: 'groups',
    type: 'stringSlice',
    default: defaultTokenGroups,
    help: 'Groups of whoever authenticates with the token; each begins with system:bootstrappers:.',
    target: token('groups'),
  },
  { name: 'print-join-command', type: 'bool', help: 'Print the whole join command, on one line.' },
  {
    name: 'ttl',
    type: 'duration',
    default: '24h0m0s',
    help: 'How long the token is valid, for instance 2h30m; 0 for ever.',
    target: token('ttl'),
  },
  {
    name: 'usages',
    type: 'stringSlice',
    default: defaultTokenUsages,
    help: 'What the token may be used for: signing, authentication or both.',
    target: token('usages'),
  },
] as const satisfies readonly FlagRow[];

/** The flags of `token create`, sorted by name. */
export const tokenFlags: readonly Flag[] = flagTable(rows);
