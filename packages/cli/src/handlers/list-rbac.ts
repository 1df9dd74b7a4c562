import type { Cluster } from '@groundplane/phases';
import { allGrants, type BootstrapRole, bootstrapRoles, driftOf, type Grant, objectsOf } from '@groundplane/rbac';
import type { Invocation } from '../invocation.ts';
import { printDocument, printLines } from '../render/print-document.ts';
import { type ListedGrant, rbacTable } from '../render/rbac-lines.ts';

/**
 * `rbac list`: every role and binding of bootstrap, in the order in which they are written; with `--kubeconfig` how those of a
 * cluster deviate.
 *
 * @throws GroundplaneError of the connection
 */
export async function listRbac(invocation: Invocation): Promise<void> {
  const grants = allGrants().filter(({ source }) => source === 'bootstrap');
  const listed = invocation.flags.kubeconfig === undefined ? grants : await compared(grants, invocation);
  const { stdout } = invocation.output;
  switch (invocation.flags.output) {
    case 'json':
      return printDocument(invocation, { grants: listed });
    case 'jsonl':
      return printLines(
        invocation.output,
        listed.map((grant) => ({ type: 'grant', ...grant })),
      );
    default:
      return stdout(
        rbacTable(listed)
          .map((line) => `${line}\n`)
          .join(''),
      );
  }
}

async function compared(grants: readonly Grant[], invocation: Invocation): Promise<readonly ListedGrant[]> {
  const { tokenCluster } = await import('../tokens/token-cluster.ts');
  const { cluster } = await tokenCluster(invocation, 10_000);
  return Promise.all(
    grants.map(async (grant) => {
      const row = bootstrapRoles.find(({ name }) => name === grant.binding.name);
      return { ...grant, drift: row === undefined ? [] : await driftIn(cluster, row) };
    }),
  );
}

async function driftIn(cluster: Cluster, row: BootstrapRole): Promise<ReturnType<typeof driftOf>> {
  const wanted = objectsOf(row);
  const live = await Promise.all(
    wanted.map(({ apiVersion, kind, metadata: { name, namespace } }) =>
      cluster.get({ apiVersion, kind, name, ...(namespace === undefined ? {} : { namespace }) }),
    ),
  );
  const found = live.filter((object) => object !== undefined);
  // What goes with a document that nobody gave is not missed.
  if (row.onlyWith !== undefined && found.length === 0) return [];
  return driftOf(wanted, found);
}
