import type { CommandRow } from '../arguments/flag-row.ts';
import { outputFlag } from './output-flags.ts';

/** The commands below `rbac`: they need no cluster, unless one is named. Flags are those of `kubectl auth can-i`. */
export const rbacCommands: readonly CommandRow[] = [
  { path: ['rbac'], summary: 'Tell what bootstrap grants to whom, and why', flags: [], kind: 'group' },
  {
    path: ['rbac', 'explain'],
    summary:
      'Tell what somebody may do, by which object, why, and who needs it when; with a verb and a resource whether that is allowed',
    argument: { usage: 'SUBJECT [VERB TYPE[.GROUP][/NAME] | VERB /PATH]', maximum: 3 },
    flags: [
      { name: 'all-namespaces', short: 'A', type: 'bool', summary: 'Ask for all namespaces' },
      {
        name: 'namespace',
        short: 'n',
        type: 'string',
        default: 'default',
        summary: 'Namespace that is asked for, if the resource lives in namespaces',
      },
      outputFlag,
      { name: 'subresource', type: 'string', summary: 'Subresource that is asked for: log, status, …' },
    ],
    kind: 'run',
  },
  {
    path: ['rbac', 'list'],
    summary: 'List the roles and bindings of bootstrap with their subjects, rights and reasons',
    flags: [
      {
        name: 'kubeconfig',
        type: 'string',
        summary: 'Compare with the cluster of this kubeconfig file; without it no cluster is needed',
      },
      outputFlag,
    ],
    kind: 'run',
  },
];
