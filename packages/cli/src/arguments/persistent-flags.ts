import type { FlagRow } from './flag-row.ts';

/** Flags that every command has (kubeadm: cmd/kubeadm/app/kubeadm.go and cmd/options/generic.go). */
export const persistentFlags: readonly FlagRow[] = [
  {
    name: 'rootfs',
    type: 'string',
    summary: 'Work inside this directory as if it were the root of the file system',
  },
  {
    name: 'v',
    short: 'v',
    type: 'level',
    summary: 'How much to log; 5 and more show where an error comes from',
    default: '0',
  },
  {
    name: 'vmodule',
    type: 'modules',
    summary: 'Accepted as kubeadm accepts it, pattern=N,…; without effect, as there are no modules to log',
  },
];
