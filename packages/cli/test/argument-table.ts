import {
  initCommands,
  initFlags,
  joinCommands,
  joinFlags,
  resetCommands,
  resetFlags,
  tokenFlags,
} from '@groundplane/config';
import { type ArgumentTable, commandCatalog, persistentFlags } from '../src/index.ts';

/** The workflow's phases by name only, so that these tests do not depend on what phases do. */
const phaseNames = [
  'preflight',
  ...['ca', 'apiserver', 'apiserver-kubelet-client', 'front-proxy-ca', 'front-proxy-client'].map(
    (name) => `certs/${name}`,
  ),
  ...['etcd-ca', 'etcd-server', 'etcd-peer', 'etcd-healthcheck-client', 'apiserver-etcd-client', 'sa'].map(
    (name) => `certs/${name}`,
  ),
  ...['admin', 'super-admin', 'kubelet', 'controller-manager', 'scheduler'].map((name) => `kubeconfig/${name}`),
  'etcd/local',
  ...['apiserver', 'controller-manager', 'scheduler'].map((name) => `control-plane/${name}`),
  'kubelet-start',
  'wait-control-plane',
  'upload-config/kubeadm',
  'upload-config/kubelet',
  'mark-control-plane',
];

/** A workflow of which the tables alone say what phases there are. */
const source = (name: string, phases: readonly string[] = []) => ({
  name,
  summary: `About ${name}`,
  phases: phases.map((phase) => ({ name: phase, summary: phase, hidden: false })),
});

/** The command line of kubeadm, as far as we have it. */
export const kubeadmTable: ArgumentTable = {
  program: 'kubeadm',
  persistent: persistentFlags,
  commands: commandCatalog({
    workflows: [
      { workflow: source('init', phaseNames), commands: initCommands, flags: initFlags },
      { workflow: source('join'), commands: joinCommands, flags: joinFlags },
      { workflow: source('reset'), commands: resetCommands, flags: resetFlags },
    ],
    token: tokenFlags,
  }),
};
