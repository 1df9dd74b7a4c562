import { isGroundplaneError } from '@groundplane/errors';
import { type ClusterRoleBinding, sameObject } from '@groundplane/manifest';
import {
  type AnyPhase,
  type Cluster,
  type ClusterObject,
  contract,
  formatLocation,
  type ObjectReference,
  optional,
} from '@groundplane/phases';
import { rbacObjects } from '@groundplane/rbac';
import { adminKubeconfig, clusterAdminsBinding, kubeconfigArtifact } from './artifacts.ts';
import { bootstrapError, bootstrapFinding } from './error-codes.ts';
import { type InitContext, localEndpointOf, timeoutOf } from './init-context.ts';
import { objectDemand } from './object-demands.ts';

const wanted = administratorsBinding();
const reference: ObjectReference = { apiVersion: wanted.apiVersion, kind: wanted.kind, name: wanted.metadata.name };

/**
 * Makes sure that the group of admin.conf may administer the cluster (KEP-4214). kubeadm does this as a side effect of the first use of
 * its client (kubeadm: phases/kubeconfig/kubeconfig.go); here it is a phase that all phases with API objects read.
 * admin.conf cannot grant itself what it does not have, so on a new cluster super-admin.conf makes the binding.
 */
export const adminAccessPhase: AnyPhase<InitContext> = contract<InitContext>().defineEffect({
  name: 'admin-access',
  summary: 'Bind the administrators of admin.conf to cluster-admin',
  hidden: true,
  // Who brings a kubeconfig knows what it may do (kubeadm: cmd/init.go, Client).
  inapplicable: ({ adminKubeconfig: other }) =>
    other === undefined ? undefined : 'another kubeconfig is used as it is',
  reads: { admin: adminKubeconfig, superAdmin: optional(kubeconfigArtifact('super-admin.conf')) },
  writes: { binding: clusterAdminsBinding },
  connect: { kubeconfig: adminKubeconfig, endpoint: 'local' },
  uses: ['cluster', 'clusters'],
  demands: () => ({ binding: [objectDemand(wanted, 'BOOTSTRAP_ADMIN_ACCESS_MISSING')] }),
  async verify({ ports: { cluster } }) {
    const live = await cluster.get(reference).catch(() => undefined);
    if (live !== undefined && sameObject(wanted, live)) return [];
    return [
      bootstrapFinding({
        code: 'BOOTSTRAP_ADMIN_ACCESS_MISSING',
        severity: 'error',
        artifact: formatLocation({ kind: 'object', reference }),
        message: 'admin.conf cannot administer the cluster yet',
      }),
    ];
  },
  foresee: () => ({ outputs: { binding: wanted } }),
  async run({ config, inputs, ports: { cluster, clusters }, progress, wait }) {
    const denied = await attempt(cluster);
    if (denied === undefined) return;
    if (inputs.superAdmin === undefined) {
      throw bootstrapError(
        'BOOTSTRAP_ADMIN_ACCESS',
        'Cannot bind the administrators as admin.conf may not, and super-admin.conf is not there',
        {
          cause: denied,
          hint: 'Make super-admin.conf first: init phase kubeconfig super-admin',
        },
      );
    }
    progress('admin.conf may not bind the administrators yet; super-admin.conf does it');
    const timeoutMs = timeoutOf(config, 'kubernetesAPICall', '1m');
    const server = localEndpointOf(config);
    const superAdmin = await clusters.connect({ kubeconfig: inputs.superAdmin, server, timeoutMs });
    const still = await attempt(superAdmin);
    if (still !== undefined) throw still;
    // The API server goes by its own picture of what is bound, and that is a moment behind.
    const subject = 'the right of admin.conf to administer the cluster';
    await wait({ subject, timeoutMs, intervalMs: 50 }, async () => {
      const refused = await refusal(() => cluster.get(reference));
      return refused === undefined ? { done: true } : { done: false, reason: refused.message };
    });
  },
});

function administratorsBinding(): ClusterRoleBinding {
  const [binding] = rbacObjects('admin-access');
  return binding as ClusterRoleBinding;
}

/** @returns the refusal, if the API server refuses it to this identity */
function attempt(cluster: Cluster): Promise<Error | undefined> {
  return refusal(() => cluster.apply(wanted as unknown as ClusterObject));
}

async function refusal(act: () => Promise<unknown>): Promise<Error | undefined> {
  try {
    await act();
    return undefined;
  } catch (error) {
    if (isGroundplaneError(error) && error.code === 'CLUSTER_FORBIDDEN') return error;
    throw error;
  }
}
