import { type Flag, type FlagRow, flagTable } from './flag.ts';

const reset = (path: string) => ({ document: 'reset', path }) as const;
const run = (path: string) => ({ document: 'run', path }) as const;

/** kubeadm, cmd/reset.go: the flags of reset and of its phases. */
const rows = [
  {
    name: 'cert-dir',
    type: 'string',
    default: '/etc/kubernetes/pki',
    help: 'Folder that holds the certificates and keys.',
    target: reset('certificatesDir'),
  },
  {
    name: 'cleanup-tmp-dir',
    type: 'bool',
    help: 'Empty the folder /etc/kubernetes/tmp as well.',
    target: reset('cleanupTmpDir'),
  },
  { name: 'config', type: 'string', help: 'Configuration file in YAML or JSON.' },
  {
    name: 'cri-socket',
    type: 'string',
    help: 'Socket of the container runtime. Needed only if more than one runtime is installed or the socket is unusual.',
    target: reset('criSocket'),
  },
  { name: 'dry-run', type: 'bool', help: 'Change nothing; print what would be done.', target: run('dryRun') },
  {
    name: 'force',
    shorthand: 'f',
    type: 'bool',
    help: 'Do not ask for confirmation.',
    target: reset('force'),
  },
  {
    name: 'ignore-preflight-errors',
    type: 'stringSlice',
    help: "Checks whose errors count as warnings; 'all' for every check.",
    target: run('ignorePreflightErrors'),
  },
  {
    name: 'kubeconfig',
    type: 'string',
    default: '/etc/kubernetes/admin.conf',
    help: 'Kubeconfig file to reach the cluster with.',
    target: run('kubeconfig'),
  },
  { name: 'skip-phases', type: 'stringSlice', help: 'Phases to leave out.', target: run('skipPhases') },
] as const satisfies readonly FlagRow[];

/** The flags of `reset` and its phases, sorted by name. Which command takes which is in {@link resetCommands}. */
export const resetFlags: readonly Flag[] = flagTable(rows);
