import { defineWorkflow, type Workflow } from '@groundplane/phases';
import { cleanupNodePhase, cleanupTemporaryPhase } from './cleanup-node-phase.ts';
import { removeEtcdMemberPhase } from './remove-etcd-member-phase.ts';
import { type ResetContext, resetLayoutOf } from './reset-context.ts';
import { resetPreflightPhase } from './reset-preflight-phase.ts';

/** Undoes init and join on this node, in kubeadm's order. The cluster is not told, and network settings stay as they are. */
export const resetWorkflow: Workflow<ResetContext> = defineWorkflow<ResetContext>({
  name: 'reset',
  summary: 'Undo on this node what init or join did',
  layout: resetLayoutOf,
  phases: [resetPreflightPhase, removeEtcdMemberPhase, cleanupNodePhase, cleanupTemporaryPhase],
});
