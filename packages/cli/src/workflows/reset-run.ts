import { type ResetContext, resetWorkflow, resolveReset } from '@groundplane/bootstrap';
import { resetClosingLines } from '../render/reset-closing-lines.ts';
import type { WorkflowRun } from './workflow-run.ts';

/** How the command line runs `reset`. */
export const resetRun: WorkflowRun<ResetContext> = {
  workflow: resetWorkflow,
  resolve: ({ input, ports, command }) => resolveReset({ configText: input.text, flags: input.flags, ports, command }),
  criSocket: ({ reset }) => reset.criSocket,
  nodeName: ({ nodeName }) => nodeName,
  settings: ({ groundplane }) => groundplane,
  confirmation: {
    warning: "Changes made to this host by 'kubeadm init' or 'kubeadm join' will be reverted.",
    question: '[reset] Are you sure you want to proceed?',
    phase: 'preflight',
    isNeeded: ({ confirmed }) => !confirmed,
    given: (context) => ({ ...context, confirmed: true }),
  },
  closing: resetClosingLines,
  missing: {
    reason: 'this release does not have it',
    hint: 'List the phases with: groundplane phases list --workflow reset',
  },
};
