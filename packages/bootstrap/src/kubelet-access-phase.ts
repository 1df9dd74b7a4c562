import { type ClusterRoleBinding, sameObject } from '@groundplane/manifest';
import { type AnyPhase, contract, whereApplicable } from '@groundplane/phases';
import { rbacObjects } from '@groundplane/rbac';
import {
  adminKubeconfig,
  apiserverKubeletClientBinding,
  clusterAdminsBinding,
  kubeletAccessName,
} from './artifacts.ts';
import { bootstrapFinding } from './error-codes.ts';
import type { InitContext } from './init-context.ts';
import { objectDemand } from './object-demands.ts';

/** Lets the API server talk to kubelets as soon as there is a cluster: without it logs and exec fail. */
export const kubeletAccessPhase: AnyPhase<InitContext> = contract<InitContext>().definePhase({
  name: 'kubelet-access',
  summary: 'Let the API server reach the kubelets',
  hidden: true,
  reads: { access: whereApplicable(clusterAdminsBinding) },
  writes: { binding: apiserverKubeletClientBinding },
  connect: { kubeconfig: adminKubeconfig, endpoint: 'local' },
  demands: () => ({ binding: [objectDemand(wanted(), 'BOOTSTRAP_OBJECT_DIFFERS')] }),
  render: ({ outputs }) => outputs({ binding: wanted() }),
  verify: ({ outputs }) =>
    sameObject(wanted(), outputs.binding)
      ? []
      : [
          bootstrapFinding({
            code: 'BOOTSTRAP_OBJECT_DIFFERS',
            severity: 'error',
            artifact: apiserverKubeletClientBinding.id,
            message: 'the API server may not reach the kubelets, so logs and exec fail',
          }),
        ],
});

function wanted(): ClusterRoleBinding {
  const found = rbacObjects('bootstrap-token').find(({ metadata }) => metadata.name === kubeletAccessName);
  return found as ClusterRoleBinding;
}
