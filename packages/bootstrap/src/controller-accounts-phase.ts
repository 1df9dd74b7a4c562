import type { ClusterRoleBinding, RoleBinding } from '@groundplane/manifest';
import { type AnyPhase, type ClusterObject, contract, whereApplicable } from '@groundplane/phases';
import { adminKubeconfig, clusterAdminsBinding } from './artifacts.ts';
import { controllerAccounts, controllerClusterRoleBindings, controllerRoleBindings } from './controller-artifacts.ts';
import { bootstrapFinding } from './error-codes.ts';
import type { InitContext } from './init-context.ts';

/**
 * Makes the service accounts of kube-controller-manager's controllers. It makes them itself, but one after another and within the rate
 * limit of its client, before it starts the first controller; so that on a new cluster seconds pass until pods are made, signing requests
 * are answered and cluster-info is signed (kubernetes staging/src/k8s.io/controller-manager/pkg/clientbuilder, SAControllerClientBuilder).
 */
export const controllerAccountsPhase: AnyPhase<InitContext> = contract<InitContext>().defineEffect({
  name: 'controller-accounts',
  summary: 'Create the service accounts of the controllers',
  configuration: ['controllerManager.extraArgs'],
  hidden: true,
  // What waits for a controller: the tokens for its signatures, the addons for their pods.
  serves: ['bootstrap-token', 'addon/kube-proxy', 'addon/coredns'],
  inapplicable: ({ cluster: { controllerManager } }) =>
    controllerManager.extraArgs.some(
      ({ name, value }) => name === 'use-service-account-credentials' && value !== 'true',
    )
      ? 'The controllers use the credentials of kube-controller-manager'
      : undefined,
  reads: {
    access: whereApplicable(clusterAdminsBinding),
    clusterRoleBindings: controllerClusterRoleBindings,
    roleBindings: controllerRoleBindings,
  },
  writes: { accounts: controllerAccounts },
  connect: { kubeconfig: adminKubeconfig, endpoint: 'local' },
  uses: ['cluster'],
  demands: () => ({
    accounts: [
      {
        text: `There is one for each ServiceAccount in kube-system that ClusterRoleBindings and RoleBindings of names with ${ofControllers} bind; not for ${[...notRunning].join(', ')}`,
        code: 'BOOTSTRAP_OBJECT_DIFFERS',
        severity: 'error',
      },
    ],
  }),
  async verify({ inputs, ports: { cluster } }) {
    const present = await cluster.list({ apiVersion: 'v1', kind: 'ServiceAccount', namespace: 'kube-system' });
    const names = new Set(present.map(({ metadata }) => metadata.name));
    return accountNames(inputs)
      .filter((name) => !names.has(name))
      .map((name) =>
        bootstrapFinding({
          code: 'BOOTSTRAP_OBJECT_DIFFERS',
          severity: 'error',
          artifact: `ServiceAccount kube-system/${name}`,
          message: `the controller ${name} has no service account yet`,
        }),
      );
  },
  async run({ inputs, ports: { cluster } }) {
    await Promise.all(accountNames(inputs).map((name) => cluster.apply(account(name))));
  },
});

interface Bindings {
  readonly clusterRoleBindings: readonly ClusterRoleBinding[];
  readonly roleBindings: readonly RoleBinding[];
}

/** What the names of the roles of controllers begin with; other accounts of Kubernetes' bindings may have no use in a cluster. */
const ofControllers = 'system:controller:';

/**
 * Controllers that kube-controller-manager does not run by itself: those of clouds, and one behind a feature gate. Their accounts would
 * be there for nothing; where one of them runs, its account is made as ever.
 */
const notRunning: ReadonlySet<string> = new Set([
  'cloud-provider',
  'route-controller',
  'selinux-warning-controller',
  'service-controller',
]);

/** The accounts that Kubernetes' own bindings for controllers speak of, so that the list is right for every version. */
function accountNames({ clusterRoleBindings, roleBindings }: Bindings): readonly string[] {
  const subjects = [...clusterRoleBindings, ...roleBindings]
    .filter(({ metadata }) => metadata.name.startsWith(ofControllers))
    .flatMap((binding) => binding.subjects ?? []);
  const names = subjects
    .filter((subject) => subject.kind === 'ServiceAccount' && subject.namespace === 'kube-system')
    .map(({ name }) => name);
  return [...new Set(names)].filter((name) => !notRunning.has(name)).sort();
}

function account(name: string): ClusterObject {
  return { apiVersion: 'v1', kind: 'ServiceAccount', metadata: { name, namespace: 'kube-system' } };
}
