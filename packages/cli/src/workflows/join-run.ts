import { type JoinContext, joinWorkflow, resolveJoin } from '@groundplane/bootstrap';
import { linuxPorts } from '@groundplane/linux';
import { joinClosingLines } from '../render/join-closing-lines.ts';
import type { WorkflowRun } from './workflow-run.ts';

/** How the command line runs `join`. */
export const joinRun: WorkflowRun<JoinContext> = {
  workflow: joinWorkflow,
  resolve: ({ input, ports, command, invocation, progress }) =>
    resolveJoin({
      configText: input.text,
      flags: input.flags,
      endpoint: invocation.words[0],
      ports,
      fetch: linuxPorts().fetch,
      command,
      workingDirectory: input.node.absolute('.'),
      progress: (message) => progress('discovery', message),
      signal: invocation.signal,
    }),
  criSocket: ({ join }) => join.nodeRegistration.criSocket,
  nodeName: ({ join }) => join.nodeRegistration.name,
  settings: ({ groundplane }) => groundplane,
  kubernetesVersion: ({ cluster }) => cluster.kubernetesVersion,
  dryRunVariable: 'KUBEADM_JOIN_DRYRUN_DIR',
  closing: joinClosingLines,
  missing: {
    reason: 'this release joins workers only',
    hint: 'Join the node as a worker, or a node of the control plane with kubeadm',
  },
};
