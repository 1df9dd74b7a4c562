import { type CommandFlags, commandTable } from './command-table.ts';

const groups: Readonly<Record<string, string>> = { 'reset phase': '' };

/** Leaf command → flags (kubeadm 1.37, measured from its help). */
const leaves: Readonly<Record<string, string>> = {
  reset: 'cert-dir cleanup-tmp-dir config cri-socket dry-run force ignore-preflight-errors kubeconfig skip-phases',
  'reset phase preflight': 'dry-run force ignore-preflight-errors',
  'reset phase remove-etcd-member': 'dry-run kubeconfig',
  'reset phase cleanup-node': 'cert-dir cleanup-tmp-dir cri-socket dry-run',
};

const aliases: Readonly<Record<string, string>> = {
  'reset phase preflight': 'pre-flight',
  'reset phase cleanup-node': 'cleanupnode',
};

/** Every command of the `reset` family with the flags it takes. */
export const resetCommands: readonly CommandFlags[] = commandTable({ groups, leaves, aliases });
