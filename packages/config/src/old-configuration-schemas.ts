import { clusterConfiguration } from './cluster-configuration-schema.ts';
import { type AnyField, duration, map, string } from './field-schema.ts';
import { initConfiguration } from './init-configuration-schema.ts';
import { joinConfiguration } from './join-configuration-schema.ts';

/** A field that v1beta4 has elsewhere. */
export interface MovedField {
  /** Path in the document of v1beta3. */
  readonly from: string;
  readonly toKind: string;
  readonly to: string;
}

/** How a kind of kubeadm.k8s.io/v1beta3 differs from the same kind of v1beta4. Paths are field paths. */
export interface OldKind {
  /** The field table of v1beta3. */
  readonly schema: AnyField;
  /** Maps of arguments that are lists in v1beta4. */
  readonly argumentMaps: readonly string[];
  readonly moved: readonly MovedField[];
}

interface Difference {
  readonly current: AnyField;
  /** Fields that v1beta3 did not have. */
  readonly added: readonly string[];
  readonly argumentMaps: readonly string[];
  readonly moved: readonly MovedField[];
}

const nodeRegistration = {
  added: ['dryRun', 'timeouts', 'nodeRegistration.imagePullSerial'],
  argumentMaps: ['nodeRegistration.kubeletExtraArgs'],
};

/** kubeadm of Kubernetes 1.31 to 1.36, apis/kubeadm/v1beta3/types.go and conversion.go, util/config/common.go. */
const differences: Readonly<Record<string, Difference>> = {
  InitConfiguration: { current: initConfiguration as unknown as AnyField, ...nodeRegistration, moved: [] },
  ClusterConfiguration: {
    current: clusterConfiguration as unknown as AnyField,
    added: [
      'proxy',
      'dns.disabled',
      'encryptionAlgorithm',
      'certificateValidityPeriod',
      'caCertificateValidityPeriod',
      'apiServer.extraEnvs',
      'controllerManager.extraEnvs',
      'scheduler.extraEnvs',
      'etcd.local.extraEnvs',
      'etcd.external.httpEndpoints',
    ],
    argumentMaps: ['apiServer.extraArgs', 'controllerManager.extraArgs', 'scheduler.extraArgs', 'etcd.local.extraArgs'],
    moved: [
      {
        from: 'apiServer.timeoutForControlPlane',
        toKind: 'InitConfiguration',
        to: 'timeouts.controlPlaneComponentHealthCheck',
      },
    ],
  },
  JoinConfiguration: {
    current: joinConfiguration as unknown as AnyField,
    ...nodeRegistration,
    moved: [{ from: 'discovery.timeout', toKind: 'JoinConfiguration', to: 'timeouts.discovery' }],
  },
};

/** The kinds of kubeadm.k8s.io/v1beta3. */
export const oldKinds: Readonly<Record<string, OldKind>> = Object.fromEntries(
  Object.entries(differences).map(([kind, { current, added, argumentMaps, moved }]) => {
    const changes = new Map<string, AnyField | undefined>([
      ...added.map((path) => [path, undefined] as const),
      ...argumentMaps.map((path) => [path, map(string()) as unknown as AnyField] as const),
      ...moved.map(({ from }) => [from, duration({ optional: true }) as unknown as AnyField] as const),
    ]);
    return [kind, { schema: changed(current, changes, ''), argumentMaps, moved }];
  }),
);

/** The table with rows replaced, added, or taken out where the new row is undefined. */
function changed(field: AnyField, changes: ReadonlyMap<string, AnyField | undefined>, path: string): AnyField {
  if (field.fields === undefined) return field;
  const rows: Record<string, AnyField> = {};
  for (const [key, row] of Object.entries(field.fields)) {
    const rowPath = path === '' ? key : `${path}.${key}`;
    const replaced = changes.has(rowPath) ? changes.get(rowPath) : changed(row, changes, rowPath);
    if (replaced !== undefined) rows[key] = replaced;
  }
  for (const [changedPath, row] of changes) {
    const dot = changedPath.lastIndexOf('.');
    if (row !== undefined && changedPath.slice(0, Math.max(dot, 0)) === path) rows[changedPath.slice(dot + 1)] = row;
  }
  return { ...field, fields: rows };
}
